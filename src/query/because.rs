//! Why an answer is empty.

use std::sync::Arc;

use super::as_of::{Coordinate, SlotView};
use crate::facts::{Fact, Scope, Standing, words};
use crate::time::PeriodSet;

words! {
    /// Why nothing is shown, the first that applies.
    ///
    /// ```
    /// use hitherto::query::Because;
    ///
    /// assert_eq!(Because::NotYetKnown.as_str(), "not_yet_known");
    /// ```
    Because {
        /// Something is there, but only in scopes that this read leaves out.
        OutOfScope = "out_of_scope",
        /// Something was recorded, but later than the known instant.
        NotYetKnown = "not_yet_known",
        /// Only claims that nobody let through.
        Contested = "contested",
        /// A forgotten fact covers the point.
        Forgotten = "forgotten",
        /// The last write over the point was a retraction.
        Retracted = "retracted",
        /// Something held earlier.
        Ended = "ended",
        /// Something holds later.
        NotYetValid = "not_yet_valid",
        /// Nothing is known of it.
        NeverRecorded = "never_recorded",
        /// Several scopes hold the key and the read names none.
        SeveralScopes = "several_scopes",
    }
}

impl Because {
    /// Works out why these facts, all of one slot, show nothing at a point.
    #[must_use]
    pub fn of(facts: &[Arc<Fact>], view: &SlotView, at: Coordinate, scope: Option<&Scope>) -> Self {
        let counted = || facts.iter().filter(|fact| fact.recorded_at() <= at.bound);
        let (visible, hidden): (Vec<_>, Vec<_>) =
            counted().partition(|fact| scope.is_none_or(|scope| scope.sees(&fact.scope)));
        let recorded = |facts: &[&Arc<Fact>]| facts.iter().any(|fact| fact.recorded_at() <= at.known_at);
        if !recorded(&visible) {
            let shown_elsewhere = hidden.iter().any(|fact| at.counts(fact));
            return if visible.is_empty() && shown_elsewhere {
                Self::OutOfScope
            } else if visible.iter().any(|fact| at.shows(fact)) {
                Self::NotYetKnown
            } else {
                Self::NeverRecorded
            };
        }
        if view.contested().next().is_some() {
            return Self::Contested;
        }
        let known = || visible.iter().filter(|fact| fact.recorded_at() <= at.known_at);
        let hides = |fact: &&&Arc<Fact>| {
            let held = fact
                .held
                .as_ref()
                .is_some_and(|h| h.is_open_at(at.known_at) && h.valid.contains(at.valid_at));
            !at.shows(fact) && (held || fact.coverage.contains(at.valid_at, at.known_at))
        };
        if known().any(|fact| hides(&fact)) {
            return Self::Forgotten;
        }
        let shown = || known().filter(|fact| at.shows(fact));
        let ended_here = |fact: &&&Arc<Fact>| {
            fact.standing == Standing::Removal && fact.held.is_none() && fact.claimed.contains(at.valid_at)
        };
        if shown().any(|fact| ended_here(&fact)) {
            return Self::Retracted;
        }
        let believed: PeriodSet = shown()
            .flat_map(|fact| fact.coverage.believed_at(at.known_at).iter().copied().collect::<Vec<_>>())
            .collect();
        if believed.iter().any(|period| period.until() <= at.valid_at) {
            return Self::Ended;
        }
        if believed.iter().any(|period| period.from() > at.valid_at) {
            return Self::NotYetValid;
        }
        Self::NeverRecorded
    }
}
