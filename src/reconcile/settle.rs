//! What follows by itself once a slot has changed: clashes that are over close,
//! proposals whose target is gone leave the queue.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::competes::competes;
use crate::facts::{Closing, Fact, FactId, Pillar, Reason, Resolution, Standing, Uncertainty, UncertaintyId};
use crate::policy::{Policy, Slot};
use crate::time::{Period, Timestamp};

/// Returns the facts and uncertainties that change by themselves, given those
/// of a subject as they stand after a change.
///
/// A claim that was held and is held no longer closes its uncertainty; a clash
/// between the pillars closes when they no longer differ anywhere; a proposal
/// leaves when every fact it would retire is gone. `facts` are those of one key,
/// every spelling of it where it is declared as `slot`; `policy` is the one in
/// force in the scope of the change.
#[must_use]
pub fn settle(
    facts: &[Arc<Fact>],
    open: &[Arc<Uncertainty>],
    known_at: Timestamp,
    policy: &Policy,
    slot: Option<&Slot>,
) -> (BTreeMap<FactId, Fact>, BTreeMap<UncertaintyId, Uncertainty>) {
    let mut changed = BTreeMap::new();
    for fact in facts.iter().filter(|fact| is_stale(fact, facts)) {
        let mut stale = Fact::clone(fact);
        if let Some(held) = &mut stale.held {
            held.until = Some(known_at);
        }
        changed.insert(stale.id, stale);
    }
    let mut closed = BTreeMap::new();
    for uncertainty in open.iter().filter(|u| u.closed.is_none()) {
        if let Some(resolution) = resolution(uncertainty, facts, &changed, policy, slot) {
            let mut over = Uncertainty::clone(uncertainty);
            over.closed = Some(Closing { at: known_at, by: None, resolution, chosen: None });
            closed.insert(over.id, over);
        }
    }
    (changed, closed)
}

/// Whether a proposal, or a removal that is held, would retire nothing any more.
fn is_stale(fact: &Fact, facts: &[Arc<Fact>]) -> bool {
    let Some(held) = fact.held.as_ref().filter(|held| held.is_open()) else {
        return false;
    };
    let guarded = held.proposal || fact.standing == Standing::Removal;
    guarded
        && !held.targets.is_empty()
        && held.targets.iter().all(|id| {
            facts
                .iter()
                .find(|target| target.id == *id)
                .is_none_or(|target| target.is_forgotten() || !reaches(target, held.valid))
        })
}

/// Whether a fact is still believed up to where a change over `valid` would
/// have ended it: once its end has been taken, there is nothing left to guard.
fn reaches(target: &Fact, valid: Period) -> bool {
    let end = target.claimed.until().min(valid.until());
    target.coverage.believed_latest().iter().any(|period| period.from() < end && period.until() >= end)
}

/// Returns how an uncertainty closed by itself, if it did.
fn resolution(
    uncertainty: &Uncertainty,
    facts: &[Arc<Fact>],
    changed: &BTreeMap<FactId, Fact>,
    policy: &Policy,
    slot: Option<&Slot>,
) -> Option<Resolution> {
    let side =
        |id: &FactId| changed.get(id).or_else(|| facts.iter().find(|f| f.id == *id).map(AsRef::as_ref));
    if uncertainty.reason == Reason::AmbiguousReference {
        return None;
    }
    let held: Vec<&Fact> = uncertainty
        .sides
        .iter()
        .filter_map(|(id, _)| side(id))
        .filter(|fact| fact.held.as_ref().is_some_and(|h| h.uncertainty == Some(uncertainty.id)))
        .collect();
    if !held.is_empty() {
        if held.iter().any(|fact| fact.is_held() && !fact.is_forgotten()) {
            return None;
        }
        let current = held.iter().any(|fact| fact.is_believed() && !fact.is_forgotten());
        return Some(if current { Resolution::BecameCurrent } else { Resolution::OtherSideGone });
    }
    if uncertainty.reason != Reason::AuthorityConflict {
        return Some(Resolution::OtherSideGone);
    }
    let of_slot = |pillar| {
        facts.iter().filter(move |fact| {
            fact.pillar == pillar
                && fact.scope == uncertainty.scope
                && (slot.is_some() || fact.claim.key() == &*uncertainty.key)
                && fact.standing == Standing::Claim
                && !fact.is_forgotten()
                && fact.is_believed()
        })
    };
    let mut agrees = false;
    for higher in of_slot(Pillar::Authoritative) {
        for lower in of_slot(Pillar::Experiential) {
            if !competes(higher, lower, policy, slot) {
                continue;
            }
            let common = higher.coverage.believed_latest();
            if !lower.coverage.believed_latest().iter().any(|period| common.intersects(*period)) {
                continue;
            }
            if !higher.claim.says_the_same(&lower.claim) {
                return None;
            }
            agrees = true;
        }
    }
    Some(if agrees { Resolution::BecameCurrent } else { Resolution::OtherSideGone })
}
