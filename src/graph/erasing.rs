//! Forgetting and purging.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use serde_json::json;

use super::care::Erasure;
use super::sequencer::Sequencer;
use super::turn::{Answer, WriteOptions};
use super::workspace::Workspace;
use crate::error::Error;
use crate::facts::{Claim, Closing, Fact, FactId, Line, LineKind, Resolution, Uncertainty};
use crate::identity::{EntityId, EntityType};
use crate::maintenance::{Counts, Selection};
use crate::store::{EntityChange, EntityUnit, Era, OutcomeRow, ReplayRow};
use crate::time::Timestamp;

/// How many turns a scrub reads at once.
const PAGE: usize = 512;

/// Everything of one entity, each fact with the era in which it lies.
pub(super) struct Whole {
    pub(super) unit: Arc<EntityUnit>,
    pub(super) facts: Vec<(Era, Arc<Fact>)>,
    pub(super) doubts: Vec<Arc<Uncertainty>>,
}

impl Sequencer {
    /// Reads everything of an entity.
    pub(super) async fn whole(&self, entity: &EntityId) -> Result<Whole, Error> {
        let reader = &self.store.reader;
        let unit = reader.entity(entity).await?;
        let mut facts: Vec<(Era, Arc<Fact>)> = unit.head.iter().map(|f| (Era::Head, Arc::clone(f))).collect();
        facts.extend(reader.past(entity, &unit, None).await?.iter().map(|f| (Era::Past, Arc::clone(f))));
        facts.extend(reader.events(entity, &unit).await?.iter().map(|f| (Era::Events, Arc::clone(f))));
        let doubts = reader.doubts(entity, &unit).await?.to_vec();
        Ok(Whole { unit, facts, doubts })
    }

    /// Finds what a selection takes, entity by entity.
    async fn selected(
        &self,
        selection: &Selection,
        purge: bool,
    ) -> Result<BTreeMap<EntityId, (Whole, HashSet<FactId>)>, Error> {
        let mut entities: Vec<(EntityId, bool)> = Vec::new();
        match &selection.subject {
            Some(subject) => {
                entities.push((subject.clone(), true));
                if selection.takes_inbound() {
                    let inbound = self.store.reader.inbound(subject).await?;
                    let others: BTreeSet<EntityId> =
                        inbound.iter().map(|(_, _, from)| from.clone()).collect();
                    entities.extend(
                        others.into_iter().filter(|other| other != subject).map(|other| (other, false)),
                    );
                }
            }
            None => {
                for kind in EntityType::ALL {
                    let roll = self.store.reader.roll(kind, "", None).await?;
                    entities.extend(roll.into_iter().map(|row| (row.entity, true)));
                }
            }
        }
        let mut selected = BTreeMap::new();
        for (entity, own) in entities {
            let whole = self.whole(&entity).await?;
            let takes = |fact: &Fact| {
                let ends_here =
                    || fact.claim.object().is_some() && fact.claim.object() == selection.subject.as_ref();
                (purge || !fact.is_forgotten())
                    && if own { selection.takes(fact) } else { ends_here() && in_scope(selection, fact) }
            };
            let taken: HashSet<FactId> =
                whole.facts.iter().filter(|(_, f)| takes(f)).map(|(_, f)| f.id).collect();
            if !taken.is_empty() {
                selected.insert(entity, (whole, taken));
            }
        }
        Ok(selected)
    }

    /// Forgets or purges what is selected.
    pub(super) async fn erase(
        &mut self,
        work: &mut Workspace<'_>,
        erasure: &Erasure,
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let selection = self.located(&erasure.selection).await?;
        let Some(selection) = selection else {
            return Ok(self.erased(options, &Counts::default(), None));
        };
        let selected = self.selected(&selection, erasure.purge).await?;
        let mut counts = Counts::default();
        let mut objects: BTreeSet<EntityId> = BTreeSet::new();
        for (whole, taken) in selected.values() {
            for (_, fact) in whole.facts.iter().filter(|(_, fact)| taken.contains(&fact.id)) {
                counts.add(fact);
                objects.extend(fact.claim.object().cloned());
            }
            counts.uncertainties += whole.doubts.iter().filter(|u| touches(u, taken)).count();
        }
        let gone = self.left_alone(&objects, &selected).await?;
        counts.placeholders = gone.iter().filter(|entity| entity.kind == EntityType::Unknown).count();
        if counts.matched == 0 || options.dry_run {
            return Ok(self.erased(options, &counts, None));
        }
        let known_at = self.stamp(options)?;
        let report = json!({"matched": counts.matched, "counts": counts.by_name().iter().map(|(k, v)| ((*k).to_owned(), json!(v))).collect::<serde_json::Map<_, _>>()});
        let mut touched: Vec<(EntityId, Line)> = Vec::new();
        let mut purged: HashSet<FactId> = HashSet::new();
        for (entity, (whole, taken)) in &selected {
            touched.extend(
                whole
                    .facts
                    .iter()
                    .filter(|(_, f)| taken.contains(&f.id))
                    .map(|(_, f)| (entity.clone(), f.line.clone())),
            );
            let change = if erasure.purge {
                purged.extend(taken);
                purge(work, entity, whole, taken, known_at)
            } else {
                forget(entity, whole, taken, known_at)
            };
            work.batch.entities.push(change);
        }
        if erasure.purge {
            self.purge_entities(work, &gone, &selected, known_at).await?;
            let emptied = emptied(&gone, &selected);
            self.scrub(work, &purged, &emptied).await?;
        }
        let answer = self.transact(work, erasure.name, known_at, options, Some(report.to_string()));
        touched.sort();
        touched.dedup();
        // What a purge touched is not written down: nothing confirms that it was.
        if !erasure.purge
            && let Some((row, outcomes)) = work.batch.turns.last_mut()
        {
            *outcomes = touched_outcomes(&touched, self.rules.version);
            row.outcomes = outcomes.len() as u64;
        }
        let mut answer = self.erased(options, &counts, Some(answer));
        answer.purged = erasure.purge;
        Ok(answer)
    }

    /// Finds whose a fact is that is selected by its id alone.
    async fn located(&self, selection: &Selection) -> Result<Option<Selection>, Error> {
        let (Some(id), None) = (selection.fact, &selection.subject) else {
            return Ok(Some(selection.clone()));
        };
        let found = self.find(id).await?;
        Ok(found.map(|(fact, _, _)| Selection { subject: Some(fact.subject.clone()), ..selection.clone() }))
    }

    fn erased(&self, options: &WriteOptions, counts: &Counts, answer: Option<Answer>) -> Answer {
        let mut answer = answer.unwrap_or_else(|| self.unchanged(options));
        answer.counts = Some(*counts);
        answer
    }

    /// Finds which objects nothing is left of once the selected facts are gone.
    async fn left_alone(
        &self,
        objects: &BTreeSet<EntityId>,
        selected: &BTreeMap<EntityId, (Whole, HashSet<FactId>)>,
    ) -> Result<Vec<EntityId>, Error> {
        let mut gone = Vec::new();
        for entity in objects.iter().chain(selected.keys()).collect::<BTreeSet<_>>() {
            let rest = match selected.get(entity) {
                Some((whole, taken)) => whole.facts.len() > taken.len(),
                None => !self.whole(entity).await?.facts.is_empty(),
            };
            if rest {
                continue;
            }
            let mut reached = false;
            for (_, label, subject) in self.store.reader.inbound(entity).await?.iter() {
                let line = Line::new(LineKind::Relation, label);
                let facts = match selected.get(subject) {
                    Some((whole, taken)) => whole
                        .facts
                        .iter()
                        .filter(|(_, f)| !taken.contains(&f.id))
                        .map(|(_, f)| Arc::clone(f))
                        .collect(),
                    None => self.line(subject, &line).await?,
                };
                reached |= facts.iter().any(|f| f.line == line && f.claim.object() == Some(entity));
            }
            if !reached {
                gone.push(entity.clone());
            }
        }
        Ok(gone)
    }

    async fn line(&self, entity: &EntityId, line: &Line) -> Result<Vec<Arc<Fact>>, Error> {
        let unit = self.store.reader.entity(entity).await?;
        let mut facts = unit.line(line).to_vec();
        facts.extend(self.store.reader.past(entity, &unit, Some(line)).await?.iter().cloned());
        Ok(facts)
    }

    /// Takes entities that nothing is left of off the roll.
    async fn purge_entities(
        &self,
        work: &mut Workspace<'_>,
        gone: &[EntityId],
        selected: &BTreeMap<EntityId, (Whole, HashSet<FactId>)>,
        known_at: Timestamp,
    ) -> Result<(), Error> {
        for entity in gone {
            if let Some(change) = work.batch.entities.iter_mut().find(|change| change.entity == *entity) {
                change.gone = true;
                if let Some((whole, _)) = selected.get(entity) {
                    change.purged_doubts.clone_from(&whole.doubts);
                    change.doubts.clear();
                }
                continue;
            }
            let whole = self.whole(entity).await?;
            let mut change = change_of(entity, &whole, known_at);
            change.purged_doubts = whole.doubts;
            change.gone = true;
            work.batch.entities.push(change);
        }
        Ok(())
    }

    /// Takes what was purged out of turns, kept answers and messages.
    async fn scrub(
        &self,
        work: &mut Workspace<'_>,
        purged: &HashSet<FactId>,
        emptied: &HashSet<(EntityId, Option<Line>)>,
    ) -> Result<(), Error> {
        let reader = &self.store.reader;
        let of = |fact: &FactId| purged.contains(fact);
        let mut touched: BTreeSet<u64> = purged.iter().map(|fact| fact.tx).collect();
        // Later turns name purged facts as well: those that supported or retired them.
        for from in (1..=self.newest.tx).step_by(PAGE) {
            let until = from.saturating_add(PAGE as u64 - 1).min(self.newest.tx);
            for (mut turn, outcomes) in reader.outcomes(from, until).await? {
                let is_named = |o: &OutcomeRow| {
                    o.fact.is_some_and(|f| of(&f))
                        || o.wrote.iter().any(of)
                        || emptied.contains(&(o.subject.clone(), None))
                        || emptied.contains(&(o.subject.clone(), Some(o.line.clone())))
                };
                if !outcomes.iter().any(|o| is_named(o) || o.superseded.iter().any(of)) {
                    continue;
                }
                touched.insert(turn.tx);
                let mut kept: Vec<OutcomeRow> = outcomes.into_iter().filter(|o| !is_named(o)).collect();
                for outcome in &mut kept {
                    outcome.superseded.retain(|f| !of(f));
                }
                let had = turn.outcomes;
                turn.message = None;
                turn.outcomes = kept.len() as u64;
                work.batch.rewritten.push((had, (turn, kept)));
            }
        }
        for replay in reader.replays().await? {
            if replay.tx.is_some_and(|tx| touched.contains(&tx)) && replay.answer.is_some() {
                work.batch.replays.push(ReplayRow { answer: None, ..replay });
            }
        }
        for message in reader.messages().await? {
            if message.wrote.iter().any(|(_, _, _, fact)| of(fact)) {
                work.batch.dropped_messages.push(message.hash);
            }
        }
        Ok(())
    }
}

/// Returns which entities, and which lines of others, nothing is left of: what
/// was written down about them goes as well.
fn emptied(
    gone: &[EntityId],
    selected: &BTreeMap<EntityId, (Whole, HashSet<FactId>)>,
) -> HashSet<(EntityId, Option<Line>)> {
    let mut emptied: HashSet<(EntityId, Option<Line>)> =
        gone.iter().map(|entity| (entity.clone(), None)).collect();
    for (entity, (whole, taken)) in selected {
        let lines = |is_taken: bool| {
            let of = whole.facts.iter().filter(move |(_, fact)| taken.contains(&fact.id) == is_taken);
            of.map(|(_, fact)| fact.line.clone()).collect::<HashSet<Line>>()
        };
        let left = lines(false);
        let empty = lines(true).into_iter().filter(|line| !left.contains(line));
        emptied.extend(empty.map(|line| (entity.clone(), Some(line))));
    }
    emptied
}

fn in_scope(selection: &Selection, fact: &Fact) -> bool {
    selection.scope.as_ref().is_none_or(|scope| fact.scope.is_within(scope))
}

fn touches(doubt: &Uncertainty, facts: &HashSet<FactId>) -> bool {
    doubt.sides.iter().any(|(side, _)| facts.contains(side))
}

pub(super) fn change_of(entity: &EntityId, whole: &Whole, known_at: Timestamp) -> EntityChange {
    EntityChange {
        entity: entity.clone(),
        display: whole.unit.display.clone().unwrap_or_else(|| entity.name.as_str().into()),
        before: Arc::clone(&whole.unit),
        seen: known_at,
        facts: Vec::new(),
        purged: Vec::new(),
        doubts: Vec::new(),
        purged_doubts: Vec::new(),
        gone: false,
    }
}

/// Marks facts as forgotten; clashes that lose a side by it close.
fn forget(entity: &EntityId, whole: &Whole, taken: &HashSet<FactId>, known_at: Timestamp) -> EntityChange {
    let mut change = change_of(entity, whole, known_at);
    for (era, fact) in whole.facts.iter().filter(|(_, fact)| taken.contains(&fact.id)) {
        let mut forgotten = Fact::clone(fact);
        forgotten.forgotten_at = Some(known_at);
        change.facts.push((Some(*era), Arc::new(forgotten)));
    }
    for doubt in whole.doubts.iter().filter(|doubt| doubt.closed.is_none() && touches(doubt, taken)) {
        let mut over = Uncertainty::clone(doubt);
        over.closed =
            Some(Closing { at: known_at, by: None, resolution: Resolution::OtherSideGone, chosen: None });
        change.doubts.push(Arc::new(over));
    }
    change
}

/// Takes facts out for good: with their index rows, the links to them and the
/// uncertainties about them.
fn purge(
    work: &mut Workspace<'_>,
    entity: &EntityId,
    whole: &Whole,
    taken: &HashSet<FactId>,
    known_at: Timestamp,
) -> EntityChange {
    let mut change = change_of(entity, whole, known_at);
    for (era, fact) in &whole.facts {
        if taken.contains(&fact.id) {
            change.purged.push((*era, Arc::clone(fact)));
            continue;
        }
        let links = fact.supersedes.iter().chain(fact.superseded_by.iter().map(|link| &link.fact));
        let targets = fact.held.iter().flat_map(|held| &held.targets);
        if links.chain(targets).any(|id| taken.contains(id)) {
            let mut kept = Fact::clone(fact);
            kept.supersedes.retain(|id| !taken.contains(id));
            kept.superseded_by.retain(|link| !taken.contains(&link.fact));
            if let Some(held) = &mut kept.held {
                held.targets.retain(|id| !taken.contains(id));
            }
            change.facts.push((Some(*era), Arc::new(kept)));
        }
    }
    change.purged_doubts = whole.doubts.iter().filter(|doubt| touches(doubt, taken)).cloned().collect();
    let rest = || whole.facts.iter().filter(|(_, fact)| !taken.contains(&fact.id)).map(|(_, fact)| fact);
    for (_, fact) in &change.purged {
        match &fact.claim {
            Claim::Attribute { value, .. } => {
                if !rest()
                    .any(|f| f.line == fact.line && f.claim.value() == Some(value) && !f.coverage.is_empty())
                {
                    for era in [Era::Head, Era::Past] {
                        let row = (Arc::clone(&fact.line.key), value.clone(), era, entity.clone());
                        work.batch.dropped_holders.push(row);
                    }
                }
            }
            Claim::Relation { label, object, .. } => {
                if !rest().any(|f| {
                    f.line == fact.line && f.claim.object() == Some(object) && !f.coverage.is_empty()
                }) {
                    for era in [Era::Head, Era::Past] {
                        let row = (object.clone(), era, Arc::clone(label), entity.clone());
                        work.batch.dropped_inbound.push(row);
                    }
                }
            }
            Claim::Event { .. } | Claim::Note { .. } => {}
        }
    }
    change
}

/// Returns what an act touched as outcomes, so that what changed between two
/// known times is found without reading the whole store.
fn touched_outcomes(touched: &[(EntityId, Line)], policy: u64) -> Vec<OutcomeRow> {
    touched
        .iter()
        .zip(0..)
        .map(|((subject, line), index)| OutcomeRow {
            index,
            action: crate::facts::Action::Skip,
            reason: crate::facts::Reason::Forgotten,
            subject: subject.clone(),
            line: line.clone(),
            fact: None,
            wrote: Vec::new(),
            status: None,
            superseded: Vec::new(),
            uncertainty: None,
            policy,
        })
        .collect()
}
