//! Facts, uncertainties and entities as rows. `docs/storage.md` describes each field.

use std::sync::Arc;

use surrealdb::types::{Number, Object, RecordId, Value as Cell};

use super::cache::Era;
use super::engine::StoreError;
use super::record::{RowBuilder, RowReader, count, entity, entity_parts, groups, id, int, list, text};
use crate::facts::{
    Action, Claim, Closing, Evidence, Fact, FactId, Held, Line, LineKind, Link, Pillar, Reason, Resolution,
    Scope, Source, SourceKind, Standing, Tier, Uncertainty, UncertaintyId, Value,
};
use crate::identity::EntityId;
use crate::time::{Coverage, Period, Rectangle, Timestamp};

/// Returns the number that stands for a kind in ids.
pub(super) fn kind_number(kind: LineKind) -> i64 {
    match kind {
        LineKind::Attribute => 0,
        LineKind::Relation => 1,
        LineKind::Event => 2,
        LineKind::Note => 3,
    }
}

/// Returns the id of a fact's row.
pub(super) fn fact_id(fact: &Fact, era: Era) -> RecordId {
    let mut parts = line_parts(&fact.subject, era, &fact.line);
    parts.push(count(fact.id.tx));
    parts.push(int(i64::from(fact.id.place)));
    id("fact", parts)
}

/// Returns the parts that lead the ids of a line's facts.
pub(super) fn line_parts(subject: &EntityId, era: Era, line: &Line) -> Vec<Cell> {
    let mut parts = entity_parts(subject);
    parts.push(int(era.number()));
    parts.push(int(kind_number(line.kind)));
    parts.push(text(&line.key));
    parts
}

/// Returns a value as the engine holds it.
pub(super) fn value_cell(value: &Value) -> Cell {
    match value {
        Value::Bool(b) => Cell::Bool(*b),
        Value::Int(n) => int(*n),
        Value::Float(x) => Cell::Number(Number::Float(*x)),
        Value::Text(t) => text(t),
        Value::List(items) => list(items.iter().map(value_cell).collect()),
        Value::Map(members) => {
            let mut object = Object::new();
            for (name, value) in members {
                object.insert(name.to_string(), value_cell(value));
            }
            Cell::Object(object)
        }
    }
}

/// Reads a value.
pub(super) fn cell_value(cell: Cell) -> Result<Value, StoreError> {
    Ok(match cell {
        Cell::Bool(b) => Value::Bool(b),
        Cell::Number(Number::Int(n)) => Value::Int(n),
        Cell::Number(Number::Float(x)) => Value::Float(x),
        Cell::String(t) => Value::Text(t.into()),
        Cell::Array(items) => {
            Value::List(items.into_vec().into_iter().map(cell_value).collect::<Result<_, _>>()?)
        }
        Cell::Object(members) => Value::Map(
            members
                .into_iter()
                .map(|(name, cell)| Ok((Arc::from(name), cell_value(cell)?)))
                .collect::<Result<_, StoreError>>()?,
        ),
        _ => return Err(StoreError::corrupt("a value is of no kind that a value may be")),
    })
}

fn instant(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_micros(micros).map_err(|_| StoreError::corrupt("an instant is out of range"))
}

fn period(from: i64, until: i64) -> Result<Period, StoreError> {
    Period::new(instant(from)?, instant(until)?)
        .map_err(|_| StoreError::corrupt("a period is empty or inverted"))
}

/// Returns the ids of facts as a flat list of numbers.
pub(super) fn ids_cell(ids: &[FactId]) -> Cell {
    list(ids.iter().flat_map(|id| [count(id.tx), int(i64::from(id.place))]).collect())
}

/// Reads the id of a fact from two numbers.
pub(super) fn fact_id_of([tx, place]: [i64; 2]) -> Result<FactId, StoreError> {
    let broken = || StoreError::corrupt("the id of a fact is broken");
    Ok(FactId { tx: tx.try_into().map_err(|_| broken())?, place: place.try_into().map_err(|_| broken())? })
}

fn take_ids(row: &mut RowReader, field: &str) -> Result<Vec<FactId>, StoreError> {
    row.take_groups::<2>(field)?.into_iter().map(fact_id_of).collect()
}

fn word<T>(found: Option<T>, of: &str) -> Result<T, StoreError> {
    found.ok_or_else(|| StoreError::corrupt(format!("a row has an unknown {of}")))
}

/// Returns a fact as a row.
pub(super) fn fact_row(fact: &Fact, era: Era) -> Cell {
    let mut row = RowBuilder::new(fact_id(fact, era));
    match &fact.claim {
        Claim::Attribute { key, value } | Claim::Event { key, value } => {
            row.set("key", text(key)).set("value", value_cell(value));
        }
        Claim::Relation { object, object_name, .. } => {
            row.set("object", list(entity_parts(object))).set("name", text(object_name));
        }
        Claim::Note { text: sentence, tier } => {
            row.set("text", text(sentence)).set("tier", text(tier.as_str()));
        }
    }
    if fact.standing != Standing::Claim {
        row.set("standing", text(fact.standing.as_str()));
    }
    if fact.scope.as_str() != "/" {
        row.set("scope", text(fact.scope.as_str()));
    }
    if fact.pillar != fact.origin().source.kind.pillar() {
        row.set("pillar", text(fact.pillar.as_str()));
    }
    let claimed = [fact.claimed.from(), fact.claimed.until()];
    row.set("claimed", list(claimed.iter().map(|t| int(t.as_micros())).collect()));
    let corners = fact.coverage.rectangles().iter().flat_map(|r| {
        [r.valid.from(), r.valid.until(), r.known.from(), r.known.until()].map(|t| int(t.as_micros()))
    });
    row.set("at", list(corners.collect()));
    row.set("action", text(fact.action.as_str())).set("reason", text(fact.reason.as_str()));
    if !fact.supersedes.is_empty() {
        row.set("supersedes", ids_cell(&fact.supersedes));
    }
    if !fact.superseded_by.is_empty() {
        let links = fact
            .superseded_by
            .iter()
            .flat_map(|l| [count(l.fact.tx), int(i64::from(l.fact.place)), int(l.since.as_micros())]);
        row.set("by", list(links.collect()));
    }
    if let Some(held) = &fact.held {
        row.set("held", held_cell(held));
    }
    row.set("evidence", list(fact.evidence.iter().map(evidence_cell).collect()));
    if let Some(metadata) = &fact.metadata {
        row.set("metadata", value_cell(metadata));
    }
    if let Some(at) = fact.forgotten_at {
        row.set("forgotten", int(at.as_micros()));
    }
    row.build()
}

/// Reads a fact.
pub(super) fn row_fact(cell: Cell) -> Result<(Fact, Era), StoreError> {
    let mut row = RowReader::new(cell)?;
    let subject = row.id_entity(0, 1)?;
    let era = word(Era::from_number(row.id_int(2)?), "era")?;
    let id = fact_id_of([row.id_int(5)?, row.id_int(6)?])?;
    let claim = match row.id_int(3)? {
        0 => Claim::Attribute { key: row.need_text("key")?, value: need_value(&mut row)? },
        1 => {
            let label = Arc::from(row.id_text(4)?);
            Claim::Relation {
                label,
                object: take_entity(&mut row, "object")?,
                object_name: row.need_text("name")?,
            }
        }
        2 => Claim::Event { key: row.need_text("key")?, value: need_value(&mut row)? },
        3 => {
            let tier = word(Tier::parse(&row.need_text("tier")?), "tier")?;
            Claim::Note { text: row.need_text("text")?, tier }
        }
        _ => return Err(StoreError::corrupt("a fact is of no known kind")),
    };
    let standing = match row.take_text("standing") {
        None => Standing::Claim,
        Some(standing) => word(Standing::parse(&standing), "standing")?,
    };
    let scope = take_scope(&mut row)?;
    let [claimed] = row.take_groups::<2>("claimed")?[..] else {
        return Err(StoreError::missing("claimed period"));
    };
    let rectangles = row
        .take_groups::<4>("at")?
        .into_iter()
        .map(|[a, b, c, d]| Ok(Rectangle { valid: period(a, b)?, known: period(c, d)? }))
        .collect::<Result<Vec<_>, StoreError>>()?;
    let coverage =
        Coverage::from_rectangles(rectangles).map_err(|e| StoreError::corrupt(format!("fact {id}: {e}")))?;
    let evidence: Vec<Evidence> =
        row.take_list("evidence").into_iter().map(cell_evidence).collect::<Result<_, _>>()?;
    let Some(origin) = evidence.first() else {
        return Err(StoreError::missing("source"));
    };
    let pillar = match row.take_text("pillar") {
        None => origin.source.kind.pillar(),
        Some(pillar) => word(Pillar::parse(&pillar), "pillar")?,
    };
    let superseded_by = row
        .take_groups::<3>("by")?
        .into_iter()
        .map(|[tx, place, since]| Ok(Link { fact: fact_id_of([tx, place])?, since: instant(since)? }))
        .collect::<Result<_, StoreError>>()?;
    let fact = Fact {
        id,
        subject,
        line: claim.line(),
        claim,
        standing,
        scope,
        pillar,
        claimed: period(claimed[0], claimed[1])?,
        coverage,
        held: row.take("held").map(cell_held).transpose()?,
        action: word(Action::parse(&row.need_text("action")?), "action")?,
        reason: word(Reason::parse(&row.need_text("reason")?), "reason")?,
        supersedes: take_ids(&mut row, "supersedes")?,
        superseded_by,
        evidence,
        metadata: row.take("metadata").map(cell_value).transpose()?,
        forgotten_at: row.take_int("forgotten").map(instant).transpose()?,
    };
    Ok((fact, era))
}

fn need_value(row: &mut RowReader) -> Result<Value, StoreError> {
    cell_value(row.take("value").ok_or_else(|| StoreError::missing("value"))?)
}

fn take_scope(row: &mut RowReader) -> Result<Scope, StoreError> {
    match row.take_text("scope") {
        None => Ok(Scope::root()),
        Some(path) => Scope::parse(&path).map_err(|e| StoreError::corrupt(e.to_string())),
    }
}

fn take_entity(row: &mut RowReader, field: &str) -> Result<EntityId, StoreError> {
    match &row.take_list(field)[..] {
        [Cell::String(kind), Cell::String(name)] => entity(kind, name),
        _ => Err(StoreError::missing(field)),
    }
}

fn evidence_cell(evidence: &Evidence) -> Cell {
    let source = &evidence.source;
    let mut row = RowBuilder::bare();
    row.set("kind", text(source.kind.as_str()))
        .set_text("name", source.name.as_ref())
        .set_text("ref", source.reference.as_ref())
        .set_text("session", source.session.as_ref())
        .set_text("actor", evidence.actor.as_ref())
        .set_text("raw", evidence.raw.as_ref())
        .set("confidence", Cell::Number(Number::Float(evidence.confidence)))
        .set("known", int(evidence.known_from.as_micros()));
    if let Some((from, until)) = source.span {
        row.set("span", list(vec![count(from), count(until)]));
    }
    if let Some(trust) = source.trust {
        row.set("trust", Cell::Number(Number::Float(trust)));
    }
    if let Some(at) = source.observed_at {
        row.set("observed", int(at.as_micros()));
    }
    if !source.derived_from.is_empty() {
        row.set("from", ids_cell(&source.derived_from));
    }
    row.build()
}

fn cell_evidence(cell: Cell) -> Result<Evidence, StoreError> {
    let mut row = RowReader::new(cell)?;
    let kind = word(SourceKind::parse(&row.need_text("kind")?), "source kind")?;
    let span = match row.take_groups::<2>("span")?[..] {
        [[from, until]] => Some((from.cast_unsigned(), until.cast_unsigned())),
        _ => None,
    };
    let source = Source {
        kind,
        name: row.take_text("name"),
        reference: row.take_text("ref"),
        span,
        session: row.take_text("session"),
        trust: row.take_float("trust"),
        observed_at: row.take_int("observed").map(instant).transpose()?,
        derived_from: take_ids(&mut row, "from")?,
    };
    Ok(Evidence {
        source: Arc::new(source),
        confidence: row.take_float("confidence").ok_or_else(|| StoreError::missing("confidence"))?,
        known_from: instant(row.need_int("known")?)?,
        actor: row.take_text("actor"),
        raw: row.take_text("raw"),
    })
}

fn held_cell(held: &Held) -> Cell {
    let mut row = RowBuilder::bare();
    let times = [held.valid.from(), held.valid.until(), held.from].map(|t| int(t.as_micros()));
    row.set("at", list(times.to_vec())).set("asks", text(held.asks.as_str()));
    if let Some(until) = held.until {
        row.set("until", int(until.as_micros()));
    }
    if held.proposal {
        row.set("proposal", Cell::Bool(true));
    }
    if !held.targets.is_empty() {
        row.set("targets", ids_cell(&held.targets));
    }
    if let Some(u) = held.uncertainty {
        row.set("doubt", list(vec![count(u.tx), int(i64::from(u.place))]));
    }
    row.build()
}

fn cell_held(cell: Cell) -> Result<Held, StoreError> {
    let mut row = RowReader::new(cell)?;
    let [[from, until, since]] = row.take_groups::<3>("at")?[..] else {
        return Err(StoreError::missing("period that is held"));
    };
    let uncertainty = match row.take_groups::<2>("doubt")?[..] {
        [pair] => Some(uncertainty_id_of(pair)?),
        _ => None,
    };
    Ok(Held {
        valid: period(from, until)?,
        from: instant(since)?,
        until: row.take_int("until").map(instant).transpose()?,
        proposal: row.take_bool("proposal"),
        asks: word(Action::parse(&row.need_text("asks")?), "action")?,
        targets: take_ids(&mut row, "targets")?,
        uncertainty,
    })
}

/// Reads the id of an uncertainty from two numbers.
pub(super) fn uncertainty_id_of(pair: [i64; 2]) -> Result<UncertaintyId, StoreError> {
    let FactId { tx, place } = fact_id_of(pair)?;
    Ok(UncertaintyId { tx, place })
}

/// Returns the id of an uncertainty's row.
pub(super) fn uncertainty_id(uncertainty: &Uncertainty) -> RecordId {
    let mut parts = entity_parts(&uncertainty.subject);
    parts.push(count(uncertainty.id.tx));
    parts.push(int(i64::from(uncertainty.id.place)));
    id("uncertainty", parts)
}

/// Returns an uncertainty as a row.
pub(super) fn uncertainty_row(uncertainty: &Uncertainty) -> Cell {
    let mut row = RowBuilder::new(uncertainty_id(uncertainty));
    let sides = uncertainty
        .sides
        .iter()
        .flat_map(|(id, since)| [count(id.tx), int(i64::from(id.place)), int(since.as_micros())]);
    row.set("key", text(&uncertainty.key))
        .set("reason", text(uncertainty.reason.as_str()))
        .set("sides", list(sides.collect()))
        .set("opened", int(uncertainty.opened_at.as_micros()));
    if uncertainty.scope.as_str() != "/" {
        row.set("scope", text(uncertainty.scope.as_str()));
    }
    if !uncertainty.candidates.is_empty() {
        row.set("candidates", list(uncertainty.candidates.iter().flat_map(entity_parts).collect()));
    }
    if let Some(closing) = &uncertainty.closed {
        row.set("closed", int(closing.at.as_micros()))
            .set("resolution", text(closing.resolution.as_str()))
            .set_text("closed_by", closing.by.as_ref());
        if let Some(chosen) = closing.chosen {
            row.set("chosen", ids_cell(&[chosen]));
        }
    }
    row.build()
}

/// Reads an uncertainty.
pub(super) fn row_uncertainty(cell: Cell) -> Result<Uncertainty, StoreError> {
    let mut row = RowReader::new(cell)?;
    let sides = row
        .take_groups::<3>("sides")?
        .into_iter()
        .map(|[tx, place, since]| Ok((fact_id_of([tx, place])?, instant(since)?)))
        .collect::<Result<_, StoreError>>()?;
    let names = row.take_list("candidates");
    let candidates = names
        .chunks(2)
        .map(|pair| match pair {
            [Cell::String(kind), Cell::String(name)] => entity(kind, name),
            _ => Err(StoreError::corrupt("an uncertainty names no entity")),
        })
        .collect::<Result<_, _>>()?;
    let closed = match row.take_int("closed") {
        None => None,
        Some(at) => Some(Closing {
            at: instant(at)?,
            by: row.take_text("closed_by"),
            resolution: word(Resolution::parse(&row.need_text("resolution")?), "resolution")?,
            chosen: take_ids(&mut row, "chosen")?.first().copied(),
        }),
    };
    Ok(Uncertainty {
        id: uncertainty_id_of([row.id_int(2)?, row.id_int(3)?])?,
        subject: row.id_entity(0, 1)?,
        key: row.need_text("key")?,
        scope: take_scope(&mut row)?,
        reason: word(Reason::parse(&row.need_text("reason")?), "reason")?,
        sides,
        candidates,
        opened_at: instant(row.need_int("opened")?)?,
        closed,
    })
}

/// Reads the flat ids of facts that a cell holds.
pub(super) fn cell_ids(cells: &[Cell]) -> Result<Vec<FactId>, StoreError> {
    groups::<2>(cells)?.into_iter().map(fact_id_of).collect()
}
