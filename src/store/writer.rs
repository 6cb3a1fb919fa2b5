//! Writes: one engine transaction for a batch of turns, then the cache.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use surrealdb::types::{RecordId, Value as Cell, Variables};

use super::cache::{Cache, EntityUnit, Era, Moved, News, sort_facts};
use super::engine::{Engine, StoreError};
use super::reader::{hash_text, value_hash};
use super::record::{RowBuilder, count, entity_parts, id, int, list, text};
use super::row::{fact_id, fact_row, uncertainty_id, uncertainty_row};
use super::rows::{
    CHUNK, DecisionRow, INLINE_OUTCOMES, MessageRow, OutcomeRow, PolicyRow, ReplayRow, TurnRow, key_table,
};
use crate::facts::{Claim, Fact, Standing, Uncertainty};
use crate::identity::{EntityId, EntityType, Name};
use crate::time::Timestamp;

/// The state, in the ids of the index, of a proposal that waits.
const PROPOSAL: i64 = 2;

/// What a batch does to one entity.
#[derive(Clone, Debug)]
pub(crate) struct EntityChange {
    /// Who.
    pub(crate) entity: EntityId,
    /// Its name as first written.
    pub(crate) display: Arc<str>,
    /// The unit that was decided on: the guard is its `rev`.
    pub(crate) before: Arc<EntityUnit>,
    /// The last known time at which the batch writes to it.
    pub(crate) seen: Timestamp,
    /// Facts that are new or changed, each with the era it lay in; `None` for
    /// a new one.
    pub(crate) facts: Vec<(Option<Era>, Arc<Fact>)>,
    /// Facts that are taken out for good, each with the era it lay in.
    pub(crate) purged: Vec<(Era, Arc<Fact>)>,
    /// Uncertainties that are new or changed.
    pub(crate) doubts: Vec<Arc<Uncertainty>>,
    /// Uncertainties that are taken out for good.
    pub(crate) purged_doubts: Vec<Arc<Uncertainty>>,
    /// Whether nothing of the entity is left, so that it is gone from the roll.
    pub(crate) gone: bool,
}

/// What one engine transaction writes.
#[derive(Clone, Default, Debug)]
pub(crate) struct Batch {
    /// The turns, in order, with their outcomes.
    pub(crate) turns: Vec<(TurnRow, Vec<OutcomeRow>)>,
    /// Turns written earlier that a purge takes words out of, each with how
    /// many outcomes it had.
    pub(crate) rewritten: Vec<(u64, (TurnRow, Vec<OutcomeRow>))>,
    /// What they do to entities.
    pub(crate) entities: Vec<EntityChange>,
    /// Versions of policies and slots.
    pub(crate) policies: Vec<PolicyRow>,
    /// Idempotency keys.
    pub(crate) replays: Vec<ReplayRow>,
    /// Messages.
    pub(crate) messages: Vec<MessageRow>,
    /// Decisions that are taken down.
    pub(crate) decisions: Vec<DecisionRow>,
    /// Hashes of messages that are forgotten.
    pub(crate) dropped_messages: Vec<Arc<str>>,
    /// Idempotency keys whose time is over.
    pub(crate) dropped_replays: Vec<Arc<str>>,
    /// Holder rows that no fact backs any more: folded key, value, era, entity.
    pub(crate) dropped_holders: Vec<(Arc<str>, crate::facts::Value, Era, EntityId)>,
    /// Inbound rows that no fact backs any more: object, era, label, subject.
    pub(crate) dropped_inbound: Vec<(EntityId, Era, Arc<str>, EntityId)>,
    /// The wall time, by which a fact is told to have ended.
    pub(crate) now: Option<Timestamp>,
}

impl Batch {
    /// Whether there is nothing to write.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.turns.is_empty()
            && self.entities.is_empty()
            && self.policies.is_empty()
            && self.replays.is_empty()
            && self.dropped_replays.is_empty()
    }
}

/// Writes batches.
pub(crate) struct Writer {
    engine: Arc<Engine>,
    cache: Arc<Cache>,
}

/// Rows put in and taken out, by table.
#[derive(Default)]
struct Rows {
    gone: Vec<RecordId>,
    /// Rows that are new, or whose earlier row is among `gone`.
    fresh: BTreeMap<&'static str, Vec<Cell>>,
    /// Rows of which it does not matter whether they are there already.
    perhaps: BTreeMap<&'static str, Vec<Cell>>,
    entities: Vec<Cell>,
}

impl Rows {
    fn put(&mut self, table: &'static str, row: Cell) {
        self.fresh.entry(table).or_default().push(row);
    }

    fn put_if_absent(&mut self, table: &'static str, id: RecordId) {
        self.perhaps.entry(table).or_default().push(RowBuilder::new(id).build());
    }

    /// Returns the one transaction that writes all rows.
    fn transaction(self) -> (String, Variables) {
        let mut sql = String::from("BEGIN;");
        let mut variables = Variables::new();
        if !self.gone.is_empty() {
            sql.push_str("DELETE $gone RETURN NONE;");
            variables.insert("gone", list(self.gone.into_iter().map(Cell::RecordId).collect()));
        }
        for (table, rows) in self.fresh {
            sql.push_str(&format!("INSERT INTO {table} ${table} RETURN NONE;"));
            variables.insert(table, list(rows));
        }
        for (table, rows) in self.perhaps {
            sql.push_str(&format!("INSERT IGNORE INTO {table} $some_{table} RETURN NONE;"));
            variables.insert(format!("some_{table}"), list(rows));
        }
        if !self.entities.is_empty() {
            sql.push_str(
                "INSERT INTO entity $entities ON DUPLICATE KEY UPDATE rev = $input.rev, seen = $input.seen, \
                 horizon = $input.horizon, past = $input.past, events = $input.events, doubts = $input.doubts RETURN NONE;",
            );
            variables.insert("entities", list(self.entities));
        }
        sql.push_str("COMMIT;");
        (sql, variables)
    }
}

impl Writer {
    pub(super) fn new(engine: Arc<Engine>, cache: Arc<Cache>) -> Self {
        Self { engine, cache }
    }

    /// Writes a batch as one engine transaction and brings the cache up to date.
    ///
    /// # Errors
    ///
    /// A [`StoreError`]; nothing of the batch is stored then.
    pub(crate) async fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut rows = Rows::default();
        let mut news = News::default();
        for change in &batch.entities {
            write_entity(change, batch.now, &mut rows, &mut news);
        }
        for (had, (turn, _)) in &batch.rewritten {
            rows.gone.push(id("turn", vec![count(turn.tx)]));
            let chunks = had.div_ceil(CHUNK as u64);
            rows.gone.extend((0..chunks).map(|chunk| id("outcome", vec![count(turn.tx), count(chunk)])));
        }
        for (turn, outcomes) in batch.turns.iter().chain(batch.rewritten.iter().map(|(_, turn)| turn)) {
            if outcomes.len() <= INLINE_OUTCOMES {
                rows.put("turn", turn.row(outcomes));
            } else {
                rows.put("turn", turn.row(&[]));
                for (chunk, outcomes) in (0..).zip(outcomes.chunks(CHUNK)) {
                    rows.put("outcome", OutcomeRow::chunk(turn.tx, chunk, outcomes));
                }
            }
        }
        for policy in &batch.policies {
            rows.gone.push(id("policy", vec![count(policy.tx)]));
            rows.put("policy", policy.row());
        }
        for replay in &batch.replays {
            let table = key_table(&replay.key);
            rows.gone.push(id(table, vec![text(&replay.key)]));
            rows.put(table, replay.row());
        }
        for message in &batch.messages {
            rows.gone.push(id("message", vec![text(&message.hash)]));
            rows.put("message", message.row());
        }
        for decision in &batch.decisions {
            rows.put("decision", decision.row());
        }
        rows.gone.extend(batch.dropped_messages.iter().map(|hash| id("message", vec![text(hash)])));
        rows.gone.extend(batch.dropped_replays.iter().map(|key| id("replay", vec![text(key)])));
        for (key, value, era, entity) in &batch.dropped_holders {
            drop_holder((key, value), *era, entity, &mut rows, &mut news);
        }
        for (object, era, label, subject) in &batch.dropped_inbound {
            rows.gone.push(inbound_id(object, *era, label, subject));
            let entry = (*era, Arc::clone(label), subject.clone());
            news.inbound.entry(object.clone()).or_default().push((entry, false));
        }
        let (sql, variables) = rows.transaction();
        self.engine.query(&sql, variables).await?;
        self.cache.apply(&news);
        Ok(())
    }
}

impl Writer {
    /// Writes the inverse look-ups anew, from what `fsck` found that they should be.
    ///
    /// # Errors
    ///
    /// A [`StoreError`]; the old rows stay then.
    pub(crate) async fn rebuild(
        &self,
        holders: &BTreeSet<Vec<String>>,
        inbound: &BTreeSet<Vec<String>>,
        names: &BTreeSet<Vec<String>>,
    ) -> Result<(), StoreError> {
        let mut sql = String::from("BEGIN;");
        let mut variables = Variables::new();
        for (table, era, rows) in
            [("holder", 2, holders), ("inbound", 2, inbound), ("name", usize::MAX, names)]
        {
            sql.push_str(&format!("DELETE {table} RETURN NONE; INSERT INTO {table} ${table} RETURN NONE;"));
            let cells = rows.iter().map(|row| {
                let part = |(place, word): (usize, &String)| match word.parse() {
                    Ok(number) if place == era => int(number),
                    _ => text(word),
                };
                RowBuilder::new(id(table, row.iter().enumerate().map(part).collect())).build()
            });
            variables.insert(table, list(cells.collect()));
        }
        sql.push_str("COMMIT;");
        self.engine.query(&sql, variables).await?;
        self.cache.clear();
        Ok(())
    }
}

fn holder_id(key: &str, hash: [u8; 16], era: Era, entity: &EntityId) -> RecordId {
    let mut parts = vec![text(key), text(&hash_text(hash)), int(era.number())];
    parts.extend(entity_parts(entity));
    id("holder", parts)
}

fn inbound_id(object: &EntityId, era: Era, label: &str, subject: &EntityId) -> RecordId {
    let mut parts = entity_parts(object);
    parts.extend([int(era.number()), text(label)]);
    parts.extend(entity_parts(subject));
    id("inbound", parts)
}

fn drop_holder(
    (key, value): (&Arc<str>, &crate::facts::Value),
    era: Era,
    entity: &EntityId,
    rows: &mut Rows,
    news: &mut News,
) {
    let hash = value_hash(value);
    rows.gone.push(holder_id(key, hash, era, entity));
    news.holders.entry((Arc::clone(key), hash)).or_default().push(((era, entity.clone()), false));
}

/// Returns the era in which a fact belongs, given the wall time.
fn era_of(fact: &Fact, now: Timestamp) -> Era {
    match fact.claim {
        Claim::Event { .. } if !fact.is_held() => Era::Events,
        _ if fact.matters_at(now) => Era::Head,
        _ => Era::Past,
    }
}

/// An entity while its facts change places.
struct Shift<'a> {
    unit: EntityUnit,
    moved: Vec<Moved>,
    rows: &'a mut Rows,
}

impl Shift<'_> {
    fn tally(&mut self, era: Era, by: i64) {
        match era {
            Era::Head => {}
            Era::Past => self.unit.past = self.unit.past.saturating_add_signed(by),
            Era::Events => self.unit.events = self.unit.events.saturating_add_signed(by),
        }
    }

    /// Takes the row of a fact out of the era in which it lay.
    fn take(&mut self, fact: &Fact, era: Era) {
        self.rows.gone.push(fact_id(fact, era));
        self.tally(era, -1);
    }

    /// Puts the row of a fact into an era.
    fn put(&mut self, fact: &Arc<Fact>, era: Era) {
        self.rows.put("fact", fact_row(fact, era));
        self.tally(era, 1);
        match era {
            Era::Head => self.unit.head.push(Arc::clone(fact)),
            Era::Past => {
                let until = fact.believed_until().unwrap_or(Timestamp::BEGINNING);
                self.unit.horizon = self.unit.horizon.max(until);
            }
            Era::Events => {}
        }
        self.moved.push((Some(era), Arc::clone(fact)));
    }
}

/// Puts the facts of an entity into the eras in which they belong now.
fn shift(change: &EntityChange, now: Timestamp, rows: &mut Rows) -> (EntityUnit, Vec<Moved>) {
    let before = &change.before;
    let touched: HashSet<_> =
        change.facts.iter().map(|(_, f)| f.id).chain(change.purged.iter().map(|(_, f)| f.id)).collect();
    let lines: HashSet<_> = change.facts.iter().map(|(_, fact)| &fact.line).collect();
    // What has ended since the last write has no writer of its own: this write
    // takes it out of the head of the lines that it touches.
    let (ended, stays): (Vec<Arc<Fact>>, Vec<Arc<Fact>>) = before
        .head
        .iter()
        .filter(|fact| !touched.contains(&fact.id))
        .cloned()
        .partition(|fact| lines.contains(&fact.line) && era_of(fact, now) == Era::Past);
    let unit = EntityUnit {
        display: Some(Arc::clone(&change.display)),
        rev: before.rev + 1,
        seen: before.seen.max(change.seen),
        head: stays,
        ..EntityUnit::clone(before)
    };
    let mut shift = Shift { unit, moved: Vec::new(), rows };
    for (was, fact) in &change.facts {
        if let Some(was) = was {
            shift.take(fact, *was);
        }
        shift.put(fact, era_of(fact, now));
    }
    for fact in &ended {
        shift.take(fact, Era::Head);
        shift.put(fact, Era::Past);
    }
    for (was, fact) in &change.purged {
        shift.take(fact, *was);
        shift.moved.push((None, Arc::clone(fact)));
    }
    sort_facts(&mut shift.unit.head);
    (shift.unit, shift.moved)
}

fn write_entity(change: &EntityChange, now: Option<Timestamp>, rows: &mut Rows, news: &mut News) {
    let before = &change.before;
    let (mut unit, moved) = shift(change, now.unwrap_or(change.seen).max(change.seen), rows);
    let mut doubts = HashMap::new();
    for doubt in &change.doubts {
        let known = doubt.opened_at <= before.seen && before.doubts > 0;
        rows.gone.push(uncertainty_id(doubt));
        rows.put("uncertainty", uncertainty_row(doubt));
        for state in [0, 1] {
            rows.gone.push(id("doubt", doubt_parts(doubt, state)));
        }
        let mut row = RowBuilder::new(id("doubt", doubt_parts(doubt, i64::from(doubt.closed.is_some()))));
        row.set("about", list(entity_parts(&doubt.subject)));
        rows.put("doubt", row.build());
        unit.doubts += u64::from(!known);
        doubts.insert(doubt.id, Some(Arc::clone(doubt)));
    }
    for doubt in &change.purged_doubts {
        rows.gone.push(uncertainty_id(doubt));
        for state in [0, 1] {
            rows.gone.push(id("doubt", doubt_parts(doubt, state)));
        }
        doubts.insert(doubt.id, None);
    }
    for (era, fact) in &moved {
        let Some(held) = fact.held.as_ref().filter(|held| held.proposal) else { continue };
        let row = id("doubt", vec![int(PROPOSAL), count(fact.id.tx), int(i64::from(fact.id.place))]);
        rows.gone.push(row.clone());
        if held.is_open() && era.is_some() {
            let mut row = RowBuilder::new(row);
            row.set("about", list(entity_parts(&fact.subject)));
            rows.put("doubt", row.build());
        }
    }
    index_values(change, before, &unit, &moved, rows, news);
    index_relations(change, before, &unit, &moved, rows, news);
    let entity = &change.entity;
    if before.display.is_none() && !change.gone {
        let mut parts = vec![text(entity.name.as_str())];
        parts.push(text(entity.kind.as_str()));
        rows.put_if_absent("name", id("name", parts));
        name_news(news, &entity.name, entity.kind, true);
    }
    if change.gone {
        rows.gone.push(id("entity", entity_parts(entity)));
        rows.gone.push(id("name", vec![text(entity.name.as_str()), text(entity.kind.as_str())]));
        name_news(news, &entity.name, entity.kind, false);
        unit = EntityUnit::absent();
    } else {
        rows.entities.push(entity_row(entity, &unit));
    }
    news.entities.push((entity.clone(), Arc::new(unit)));
    news.facts.push((entity.clone(), moved));
    if !doubts.is_empty() {
        news.doubts.push((entity.clone(), doubts));
    }
}

fn name_news(news: &mut News, name: &Name, kind: EntityType, is_in: bool) {
    news.names.entry(name.clone()).or_default().push((kind, is_in));
}

fn doubt_parts(doubt: &Uncertainty, state: i64) -> Vec<Cell> {
    vec![int(state), count(doubt.id.tx), int(i64::from(doubt.id.place))]
}

fn entity_row(entity: &EntityId, unit: &EntityUnit) -> Cell {
    let mut row = RowBuilder::new(id("entity", entity_parts(entity)));
    row.set_text("display", unit.display.as_ref())
        .set("rev", count(unit.rev))
        .set("seen", int(unit.seen.as_micros()))
        .set("past", count(unit.past))
        .set("events", count(unit.events))
        .set("doubts", count(unit.doubts));
    if unit.horizon != Timestamp::BEGINNING {
        row.set("horizon", int(unit.horizon.as_micros()));
    }
    row.build()
}

/// Whether a fact is of use to an inverse look-up: it was believed some time.
pub(crate) fn is_indexed(fact: &Fact) -> bool {
    fact.standing == Standing::Claim && !fact.coverage.is_empty()
}

/// Returns which rows of an index go (`false`) and come (`true`): of the head
/// where what it leads to was there before, or is after; of the past for good.
fn turnover(before: bool, after: bool, past: bool) -> impl Iterator<Item = (Era, bool)> {
    let head = (before != after).then_some((Era::Head, after));
    head.into_iter().chain(past.then_some((Era::Past, true)))
}

/// Keeps the rows that lead from a value to whoever has, or had, it.
fn index_values(
    change: &EntityChange,
    before: &EntityUnit,
    after: &EntityUnit,
    moved: &[Moved],
    rows: &mut Rows,
    news: &mut News,
) {
    let mut seen = BTreeSet::new();
    for (_, fact) in moved.iter().filter(|(_, fact)| is_indexed(fact)) {
        let Claim::Attribute { value, .. } = &fact.claim else { continue };
        let hash = value_hash(value);
        if !seen.insert((Arc::clone(&fact.line.key), hash)) {
            continue;
        }
        let has = |unit: &EntityUnit| {
            unit.line(&fact.line).iter().any(|f| is_indexed(f) && f.claim.value() == Some(value))
        };
        let past = moved.iter().any(|(era, f)| {
            *era == Some(Era::Past) && is_indexed(f) && f.line == fact.line && f.claim.value() == Some(value)
        });
        let entity = &change.entity;
        for (era, is_in) in turnover(has(before), has(after), past) {
            let row = holder_id(&fact.line.key, hash, era, entity);
            if is_in {
                rows.put_if_absent("holder", row);
            } else {
                rows.gone.push(row);
            }
            news.holders
                .entry((Arc::clone(&fact.line.key), hash))
                .or_default()
                .push(((era, entity.clone()), is_in));
        }
    }
}

/// Keeps the rows that lead from the object of a relation to its subjects.
fn index_relations(
    change: &EntityChange,
    before: &EntityUnit,
    after: &EntityUnit,
    moved: &[Moved],
    rows: &mut Rows,
    news: &mut News,
) {
    let mut seen = BTreeSet::new();
    for (_, fact) in moved.iter().filter(|(_, fact)| is_indexed(fact)) {
        let Claim::Relation { label, object, .. } = &fact.claim else { continue };
        if !seen.insert((Arc::clone(label), object.clone())) {
            continue;
        }
        let has = |unit: &EntityUnit| {
            unit.line(&fact.line).iter().any(|f| is_indexed(f) && f.claim.object() == Some(object))
        };
        let past = moved.iter().any(|(era, f)| {
            *era == Some(Era::Past)
                && is_indexed(f)
                && f.line == fact.line
                && f.claim.object() == Some(object)
        });
        let subject = &change.entity;
        for (era, is_in) in turnover(has(before), has(after), past) {
            let row = inbound_id(object, era, label, subject);
            if is_in {
                rows.put_if_absent("inbound", row);
            } else {
                rows.gone.push(row);
            }
            let entry = (era, Arc::clone(label), subject.clone());
            news.inbound.entry(object.clone()).or_default().push((entry, is_in));
        }
    }
}
