//! Rows that are no facts: turns, their outcomes, policies, keys.

use std::sync::Arc;

use surrealdb::types::Value as Cell;

use super::engine::StoreError;
use super::record::{RowBuilder, RowReader, count, entity, entity_parts, id, int, list, text};
use super::row::{cell_ids, fact_id_of, ids_cell, uncertainty_id_of};
use crate::facts::{Action, FactId, Line, LineKind, Reason, Status, UncertaintyId};
use crate::identity::EntityId;
use crate::time::Timestamp;

/// The outcomes that a turn's own row holds; more lie in chunks.
pub(super) const INLINE_OUTCOMES: usize = 16;
/// The outcomes of one chunk.
pub(super) const CHUNK: usize = 256;

/// One transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnRow {
    /// Its number, counted from one.
    pub tx: u64,
    /// Its known time.
    pub known_at: Timestamp,
    /// The wall time at which it was committed.
    pub wall: Timestamp,
    /// Whether the caller named the known time.
    pub imported: bool,
    /// What it was: `turn`, `forget`, `sweep` and so on.
    pub kind: Arc<str>,
    /// Who asked for it.
    pub actor: Option<Arc<str>>,
    /// The message it was read from.
    pub message: Option<Arc<str>>,
    /// How many outcomes it has.
    pub outcomes: u64,
    /// Whatever else there is to say of it, as JSON.
    pub report: Option<Arc<str>>,
}

/// What became of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeRow {
    /// The candidate's place in its turn.
    pub index: u32,
    /// The action.
    pub action: Action,
    /// The reason.
    pub reason: Reason,
    /// Whom it was about.
    pub subject: EntityId,
    /// The line it touched.
    pub line: Line,
    /// The fact that it wrote or supported.
    pub fact: Option<FactId>,
    /// Every fact that it wrote.
    pub wrote: Vec<FactId>,
    /// How the fact stood then.
    pub status: Option<Status>,
    /// The facts that it retired.
    pub superseded: Vec<FactId>,
    /// The uncertainty that it opened or kept open.
    pub uncertainty: Option<UncertaintyId>,
    /// The transaction that declared the policy which judged it.
    pub policy: u64,
}

impl TurnRow {
    pub(super) fn row(&self, inline: &[OutcomeRow]) -> Cell {
        let mut row = RowBuilder::new(id("turn", vec![count(self.tx)]));
        row.set("known", int(self.known_at.as_micros()))
            .set("wall", int(self.wall.as_micros()))
            .set("kind", text(&self.kind))
            .set("outcomes", count(self.outcomes))
            .set_text("actor", self.actor.as_ref())
            .set_text("message", self.message.as_ref())
            .set_text("report", self.report.as_ref());
        if self.imported {
            row.set("imported", Cell::Bool(true));
        }
        if !inline.is_empty() {
            row.set("list", list(inline.iter().map(OutcomeRow::cell).collect()));
        }
        row.build()
    }

    pub(super) fn read(cell: Cell) -> Result<(Self, Vec<OutcomeRow>), StoreError> {
        let mut row = RowReader::new(cell)?;
        let micros =
            |micros| Timestamp::from_micros(micros).map_err(|_| StoreError::corrupt("a turn has no time"));
        let turn = Self {
            tx: row.id_int(0)?.cast_unsigned(),
            known_at: micros(row.need_int("known")?)?,
            wall: micros(row.need_int("wall")?)?,
            imported: row.take_bool("imported"),
            kind: row.need_text("kind")?,
            actor: row.take_text("actor"),
            message: row.take_text("message"),
            outcomes: row.need_int("outcomes")?.cast_unsigned(),
            report: row.take_text("report"),
        };
        let inline = row.take_list("list").into_iter().map(OutcomeRow::read).collect::<Result<_, _>>()?;
        Ok((turn, inline))
    }
}

impl OutcomeRow {
    fn cell(&self) -> Cell {
        let mut row = RowBuilder::bare();
        row.set("i", int(i64::from(self.index)))
            .set("action", text(self.action.as_str()))
            .set("reason", text(self.reason.as_str()))
            .set("about", list(entity_parts(&self.subject)))
            .set("kind", text(self.line.kind.as_str()))
            .set("key", text(&self.line.key))
            .set("policy", count(self.policy));
        if let Some(fact) = self.fact {
            row.set("fact", ids_cell(&[fact]));
        }
        if !self.wrote.is_empty() {
            row.set("wrote", ids_cell(&self.wrote));
        }
        if let Some(status) = self.status {
            row.set("status", text(status.as_str()));
        }
        if !self.superseded.is_empty() {
            row.set("superseded", ids_cell(&self.superseded));
        }
        if let Some(u) = self.uncertainty {
            row.set("doubt", list(vec![count(u.tx), int(i64::from(u.place))]));
        }
        row.build()
    }

    pub(super) fn read(cell: Cell) -> Result<Self, StoreError> {
        let mut row = RowReader::new(cell)?;
        let broken = || StoreError::corrupt("an outcome is broken");
        let about = row.take_list("about");
        let [Cell::String(kind), Cell::String(name)] = &about[..] else {
            return Err(broken());
        };
        Ok(Self {
            index: row.need_int("i")?.try_into().map_err(|_| broken())?,
            action: Action::parse(&row.need_text("action")?).ok_or_else(broken)?,
            reason: Reason::parse(&row.need_text("reason")?).ok_or_else(broken)?,
            subject: entity(kind, name)?,
            line: Line {
                kind: LineKind::parse(&row.need_text("kind")?).ok_or_else(broken)?,
                key: row.need_text("key")?,
            },
            fact: row.take_groups::<2>("fact")?.first().copied().map(fact_id_of).transpose()?,
            wrote: cell_ids(&row.take_list("wrote"))?,
            status: row.take_text("status").map(|s| Status::parse(&s).ok_or_else(broken)).transpose()?,
            superseded: cell_ids(&row.take_list("superseded"))?,
            uncertainty: row
                .take_groups::<2>("doubt")?
                .first()
                .copied()
                .map(uncertainty_id_of)
                .transpose()?,
            policy: row.take_int("policy").unwrap_or(0).cast_unsigned(),
        })
    }

    /// Returns the chunk row of a run of outcomes.
    pub(super) fn chunk(tx: u64, chunk: u64, outcomes: &[Self]) -> Cell {
        let mut row = RowBuilder::new(id("outcome", vec![count(tx), count(chunk)]));
        row.set("list", list(outcomes.iter().map(Self::cell).collect()));
        row.build()
    }

    pub(super) fn read_chunk(cell: Cell) -> Result<(u64, Vec<Self>), StoreError> {
        let mut row = RowReader::new(cell)?;
        let tx = row.id_int(0)?.cast_unsigned();
        let outcomes = row.take_list("list").into_iter().map(Self::read).collect::<Result<_, _>>()?;
        Ok((tx, outcomes))
    }
}

/// A version of the policies and the declared slots, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PolicyRow {
    /// The transaction that declared it; nought before the first turn.
    pub(crate) tx: u64,
    /// From when on it is in force.
    pub(crate) known_from: Timestamp,
    /// The policies.
    pub(crate) policies: Arc<str>,
    /// The slots.
    pub(crate) slots: Arc<str>,
}

impl PolicyRow {
    pub(super) fn row(&self) -> Cell {
        let mut row = RowBuilder::new(id("policy", vec![count(self.tx)]));
        row.set("known", int(self.known_from.as_micros()))
            .set("policies", text(&self.policies))
            .set("slots", text(&self.slots));
        row.build()
    }

    pub(super) fn read(cell: Cell) -> Result<Self, StoreError> {
        let mut row = RowReader::new(cell)?;
        Ok(Self {
            tx: row.id_int(0)?.cast_unsigned(),
            known_from: Timestamp::from_micros(row.need_int("known")?)
                .map_err(|_| StoreError::corrupt("a policy has no time"))?,
            policies: row.need_text("policies")?,
            slots: row.need_text("slots")?,
        })
    }
}

/// With what the idempotency keys of imports begin. They are kept for good, so
/// they lie apart from those that expire.
pub(crate) const IMPORT_KEY: &str = "import:";

/// Returns the table in which an idempotency key lies.
pub(super) fn key_table(key: &str) -> &'static str {
    if key.starts_with(IMPORT_KEY) { "imported" } else { "replay" }
}

/// What an idempotency key was used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplayRow {
    /// The key.
    pub(crate) key: Arc<str>,
    /// A hash of the request.
    pub(crate) body: Arc<str>,
    /// The answer, unless it was purged or is not kept.
    pub(crate) answer: Option<Arc<str>>,
    /// The transaction, if one was written.
    pub(crate) tx: Option<u64>,
    /// The wall time at which it was used.
    pub(crate) at: Timestamp,
    /// Whether it is kept for good, as the keys of imports are.
    pub(crate) kept: bool,
}

impl ReplayRow {
    pub(super) fn row(&self) -> Cell {
        let mut row = RowBuilder::new(id(key_table(&self.key), vec![text(&self.key)]));
        row.set("body", text(&self.body))
            .set_text("answer", self.answer.as_ref())
            .set("at", int(self.at.as_micros()));
        if let Some(tx) = self.tx {
            row.set("tx", count(tx));
        }
        if self.kept {
            row.set("kept", Cell::Bool(true));
        }
        row.build()
    }

    pub(super) fn read(cell: Cell) -> Result<Self, StoreError> {
        let mut row = RowReader::new(cell)?;
        Ok(Self {
            key: row.id_text(0)?.into(),
            body: row.need_text("body")?,
            answer: row.take_text("answer"),
            tx: row.take_int("tx").map(i64::cast_unsigned),
            at: Timestamp::from_micros(row.need_int("at")?)
                .map_err(|_| StoreError::corrupt("an idempotency key has no time"))?,
            kept: row.take_bool("kept"),
        })
    }
}

/// What an exact message wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageRow {
    /// The hash of the folded message.
    pub(crate) hash: Arc<str>,
    /// The slots it wrote, each with its fact: entity, kind, key, scope, fact.
    pub(crate) wrote: Vec<(EntityId, Line, Arc<str>, FactId)>,
}

impl MessageRow {
    pub(super) fn row(&self) -> Cell {
        let mut row = RowBuilder::new(id("message", vec![text(&self.hash)]));
        let cells = self.wrote.iter().map(|(subject, line, scope, fact)| {
            let mut parts = entity_parts(subject);
            parts.extend([text(line.kind.as_str()), text(&line.key), text(scope), ids_cell(&[*fact])]);
            list(parts)
        });
        row.set("wrote", list(cells.collect()));
        row.build()
    }

    pub(super) fn read(cell: Cell) -> Result<Self, StoreError> {
        let mut row = RowReader::new(cell)?;
        let broken = || StoreError::corrupt("a message is broken");
        let mut wrote = Vec::new();
        for cell in row.take_list("wrote") {
            let Cell::Array(parts) = cell else { return Err(broken()) };
            let [
                Cell::String(kind),
                Cell::String(name),
                Cell::String(line),
                Cell::String(key),
                Cell::String(scope),
                Cell::Array(fact),
            ] = &parts.into_vec()[..]
            else {
                return Err(broken());
            };
            let line = Line::new(LineKind::parse(line).ok_or_else(broken)?, key);
            let fact = cell_ids(fact)?.first().copied().ok_or_else(broken)?;
            wrote.push((entity(kind, name)?, line, Arc::from(scope.as_str()), fact));
        }
        Ok(Self { hash: row.id_text(0)?.into(), wrote })
    }
}

/// What was believed when somebody decided something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DecisionRow {
    /// The transaction that took it down.
    pub(crate) tx: u64,
    /// What was decided.
    pub(crate) label: Arc<str>,
    /// By whom.
    pub(crate) actor: Option<Arc<str>>,
    /// The facts it was decided on. Where they lie is not written down, so that
    /// a purge has nothing to take out here.
    pub(crate) facts: Vec<FactId>,
}

impl DecisionRow {
    pub(super) fn row(&self) -> Cell {
        let mut row = RowBuilder::new(id("decision", vec![count(self.tx)]));
        row.set("label", text(&self.label))
            .set_text("actor", self.actor.as_ref())
            .set("facts", ids_cell(&self.facts));
        row.build()
    }

    pub(super) fn read(cell: Cell) -> Result<Self, StoreError> {
        let mut row = RowReader::new(cell)?;
        Ok(Self {
            tx: row.id_int(0)?.cast_unsigned(),
            label: row.need_text("label")?,
            actor: row.take_text("actor"),
            facts: cell_ids(&row.take_list("facts"))?,
        })
    }
}
