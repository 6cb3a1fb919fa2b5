//! Writes that are no turns: rules, people's decisions, forgetting, sweeping.

use std::sync::Arc;

use super::sequencer::{Reply, Sequencer};
use super::turn::{Answer, Replied, WriteOptions};
use super::workspace::Workspace;
use crate::facts::{FactId, Tier, UncertaintyId};
use crate::maintenance::Selection;
use crate::policy::{PolicyPatch, SlotPatch};
use crate::store::Batch;

/// What a person decides about an uncertainty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// This side.
    Side(FactId),
    /// Neither side.
    Neither,
    /// The current one stands, the contested are rejected.
    Dismiss,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Policy(PolicyPatch),
    Slots(Vec<SlotPatch>),
    Erase(Erasure),
    Confirm(FactId),
    Reject(FactId, Option<Arc<str>>),
    Resolve(UncertaintyId, Choice),
    Sweep,
    Tier(FactId, Tier),
    Decide(Arc<str>, Vec<FactId>),
}

/// How facts are to be erased, and which.
#[derive(Clone, Debug)]
pub struct Erasure {
    /// Which facts.
    pub selection: Selection,
    /// Whether they are to be gone for good.
    pub purge: bool,
    /// What the act is called.
    pub name: &'static str,
}

/// A write that is no turn.
#[derive(Clone)]
pub(super) struct Care {
    pub(super) act: Act,
    pub(super) options: WriteOptions,
}

impl Sequencer {
    pub(super) async fn care(&mut self, work: &mut Workspace<'_>, care: &Care) -> Reply {
        if let Some(reply) = self.replayed(work, &care.options).await? {
            return Ok(reply);
        }
        let options = &care.options;
        let before = (self.newest, Arc::clone(&self.rules));
        let mut answer = match &care.act {
            Act::Policy(patch) => self.declare_policy(work, patch.clone(), options)?,
            Act::Slots(patches) => self.declare_slots(work, patches, options).await?,
            Act::Erase(erasure) => self.erase(work, erasure, options).await?,
            Act::Confirm(id) => self.confirm(work, *id, options).await?,
            Act::Reject(id, note) => self.reject(work, *id, note.as_ref(), options).await?,
            Act::Resolve(id, choice) => self.resolve(work, *id, choice, options).await?,
            Act::Sweep => self.sweep(work, options).await?,
            Act::Tier(id, tier) => self.move_tier(work, *id, *tier, options).await?,
            Act::Decide(label, facts) => self.take_down(work, label, facts, options).await?,
        };
        if options.dry_run {
            // Care goes alone in its batch, so that all of the batch is its own.
            work.roll_back();
            work.batch = Batch::default();
            self.newest = before.0;
            self.set_rules(before.1);
            answer.tx = None;
        } else {
            self.keep_answer(work, options, &answer);
        }
        Ok(Replied::New(answer))
    }

    /// Returns the answer of a write that changed nothing.
    pub(super) fn unchanged(&self, options: &WriteOptions) -> Answer {
        let newest = Some(self.newest.known_at).filter(|at| at.is_bounded());
        Answer { known_at: options.known_at.or(newest), ..Answer::default() }
    }

    /// Gives a write that is no turn its transaction.
    pub(super) fn transact(
        &mut self,
        work: &mut Workspace<'_>,
        kind: &str,
        known_at: crate::time::Timestamp,
        options: &WriteOptions,
        report: Option<String>,
    ) -> Answer {
        let mut row = self.turn_row(kind, known_at, options);
        row.report = report.map(Arc::from);
        let answer = Answer { tx: Some(row.tx), known_at: Some(known_at), ..Answer::default() };
        work.batch.turns.push((row, Vec::new()));
        answer
    }
}
