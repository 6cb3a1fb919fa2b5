//! What was decided: a value, not an act.

use crate::facts::{Action, FactId, Reason};
use crate::time::Period;

/// A fact that an effect cuts, and over which valid time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The fact.
    pub fact: FactId,
    /// The valid time that it loses, in order.
    pub periods: Vec<Period>,
}

/// What a candidate does to what is held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing is stored.
    Nothing,
    /// These facts gain a source.
    Support(Vec<FactId>),
    /// A new fact is believed.
    Write {
        /// Over which valid time, in order.
        pieces: Vec<Period>,
        /// What it takes over.
        cuts: Vec<Cut>,
        /// The facts of equal value that it extends and so supports.
        supports: Vec<FactId>,
    },
    /// A claim that was held is believed from now on.
    Release {
        /// The held fact.
        held: FactId,
        /// Over which valid time, in order.
        pieces: Vec<Period>,
        /// What it takes over.
        cuts: Vec<Cut>,
    },
    /// The claim is held for a person.
    Hold {
        /// Over which valid time it is contested.
        period: Period,
        /// The facts it would retire, or beside which it stands.
        targets: Vec<FactId>,
        /// Whether it is a removal.
        removal: bool,
        /// Whether it waits in the queue of proposals.
        proposal: bool,
    },
    /// Facts end, each leaving a tombstone.
    End {
        /// What ends.
        cuts: Vec<Cut>,
        /// Held claims that are withdrawn.
        withdrawn: Vec<FactId>,
    },
    /// The claim is filed as history.
    Archive {
        /// The period it is filed under.
        period: Period,
    },
}

/// The outcome of reconciliation for one candidate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Which of the nine actions.
    pub action: Action,
    /// Why: the first rule that held.
    pub reason: Reason,
    /// What it does.
    pub effect: Effect,
    /// The uncertainty it opens, or keeps open, if any.
    pub opens: Option<Reason>,
    /// The facts of the other pillar that it clashes with.
    pub against: Vec<FactId>,
    /// Whether an event is taken as a change of state.
    pub as_state: bool,
}

impl Decision {
    pub(super) fn new(action: Action, reason: Reason, effect: Effect) -> Self {
        Self { action, reason, effect, opens: None, against: Vec::new(), as_state: false }
    }

    pub(super) fn skip(reason: Reason) -> Self {
        Self::new(Action::Skip, reason, Effect::Nothing)
    }

    pub(super) fn support(reason: Reason, facts: Vec<FactId>) -> Self {
        Self::new(Action::Dedup, reason, Effect::Support(facts))
    }

    /// Says that the caller's target was ignored, where no rule said more.
    pub(super) fn noting_ignored_target(mut self, ignored: bool) -> Self {
        if ignored && self.opens.is_none() && matches!(self.reason, Reason::NewValue | Reason::NewerValue) {
            self.reason = Reason::TargetIgnored;
        }
        self
    }
}
