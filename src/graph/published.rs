//! What readers may see.

use std::sync::{Arc, PoisonError, RwLock};

use crate::query::Rulebook;
use crate::time::Timestamp;

/// The newest transaction and its known time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Newest {
    pub(super) tx: u64,
    pub(super) known_at: Timestamp,
}

/// The newest transaction that readers see, and the rules in force with it.
pub(super) struct Published {
    state: RwLock<State>,
}

/// What is published, all of one moment.
pub(super) struct State {
    pub(super) newest: Newest,
    /// The rules, each from which known time on.
    pub(super) rules: Vec<(Timestamp, Arc<Rulebook>)>,
    /// The latest instant by which a writer has told what had ended.
    pub(super) settled: Timestamp,
}

impl Published {
    pub(super) fn new(state: State) -> Self {
        Self { state: RwLock::new(state) }
    }

    /// Publishes another state altogether.
    pub(super) fn reset(&self, state: State) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
    }

    fn read<T>(&self, get: impl FnOnce(&State) -> T) -> T {
        get(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn newest(&self) -> Newest {
        self.read(|state| state.newest)
    }

    /// Returns the rules that are in force now.
    pub(super) fn rules(&self) -> Arc<Rulebook> {
        self.read(|state| state.rules.last().map(|(_, rules)| Arc::clone(rules)).unwrap_or_default())
    }

    /// Returns the rules that were in force at a known instant.
    pub(super) fn rules_at(&self, known_at: Timestamp) -> Arc<Rulebook> {
        self.read(|state| {
            let in_force = state.rules.iter().rev().find(|(from, _)| *from <= known_at);
            in_force.map(|(_, rules)| Arc::clone(rules)).unwrap_or_default()
        })
    }

    /// Returns everything a read begins with, of one moment.
    pub(super) fn begin(&self) -> (Newest, Arc<Rulebook>, Timestamp) {
        self.read(|state| {
            let rules = state.rules.last().map(|(_, rules)| Arc::clone(rules)).unwrap_or_default();
            (state.newest, rules, state.settled)
        })
    }

    /// Moves the latest instant by which a writer has told what had ended, and
    /// returns it: it never goes back, whatever the clock does.
    pub(super) fn settle(&self, now: Timestamp) -> Timestamp {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.settled = state.settled.max(now);
        state.settled
    }

    /// Lets readers see a transaction.
    pub(super) fn publish(&self, newest: Newest, rules: &Arc<Rulebook>) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.newest = newest;
        let is_new = state.rules.last().is_none_or(|(_, held)| !Arc::ptr_eq(held, rules));
        if is_new {
            // Rules declared before the first turn have always been in force.
            let from = if rules.version == 0 { Timestamp::BEGINNING } else { newest.known_at };
            state.rules.push((from, Arc::clone(rules)));
        }
    }
}
