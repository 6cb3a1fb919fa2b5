//! What a decision is made on.

use std::sync::Arc;

use super::candidate::{Candidate, Says, Target};
use crate::facts::{Claim, Fact, FactId, LineKind, Pillar, Standing};
use crate::identity::fold_slot;
use crate::policy::{Policy, Slot, item_identity};
use crate::time::{Period, PeriodSet, Timestamp};

/// The rules by which a candidate is judged.
#[derive(Clone, Copy, Debug)]
pub struct Ruling<'a> {
    /// The policy in force in the candidate's scope.
    pub policy: &'a Policy,
    /// The declared slot of its key, if any.
    pub slot: Option<&'a Slot>,
    /// The known time of its turn.
    pub known_at: Timestamp,
    /// The facts that undated candidates of the same turn wrote or restated,
    /// with no word of change.
    pub undated: &'a [FactId],
}

/// The facts of one subject that a candidate may bear on: those of its line,
/// in every scope and both pillars, forgotten ones left out.
#[derive(Clone, Copy, Debug)]
pub struct SlotState<'a> {
    facts: &'a [Arc<Fact>],
}

impl<'a> SlotState<'a> {
    /// Returns the state made of these facts, in the order of their ids.
    #[must_use]
    pub fn new(facts: &'a [Arc<Fact>]) -> Self {
        Self { facts }
    }

    /// Returns the facts that stand for the candidate's key, in every scope.
    fn of_key(self, candidate: &'a Candidate, ruling: Ruling<'a>) -> impl Iterator<Item = &'a Fact> {
        self.facts
            .iter()
            .map(AsRef::as_ref)
            .filter(move |fact| !fact.is_forgotten() && same_key(fact, candidate, ruling))
    }
}

/// Whether a fact stands for the candidate's key: the same undeclared key to
/// the letter, or any spelling of the same declared slot.
fn same_key(fact: &Fact, candidate: &Candidate, ruling: Ruling<'_>) -> bool {
    let key = fact.claim.key();
    match ruling.slot {
        Some(slot) if fact.claim.kind() != LineKind::Relation => {
            let folded = fold_slot(key);
            folded == fold_slot(&slot.name) || slot.aliases.iter().any(|a| fold_slot(a) == folded)
        }
        _ => key == candidate.says.key(),
    }
}

/// The slot that a candidate competes for: the facts of its key and scope, and
/// of its item where the slot is a list.
pub(super) struct Slotted<'a> {
    candidate: &'a Candidate,
    ruling: Ruling<'a>,
    all: Vec<&'a Fact>,
    kind: LineKind,
}

impl<'a> Slotted<'a> {
    pub(super) fn new(
        state: SlotState<'a>,
        candidate: &'a Candidate,
        ruling: Ruling<'a>,
        kind: LineKind,
    ) -> Self {
        let all = state.of_key(candidate, ruling).filter(|fact| fact.claim.kind() == kind).collect();
        Self { candidate, ruling, all, kind }
    }

    /// Whether several values stand beside each other in the slot.
    pub(super) fn is_list(&self) -> bool {
        match self.kind {
            LineKind::Relation => !self.ruling.policy.is_functional(self.candidate.says.key()),
            _ => self.ruling.slot.is_some_and(|slot| slot.multi),
        }
    }

    /// Whether a fact is about the same item as a claim: always, where the slot
    /// holds one value.
    pub(super) fn same_item(&self, fact: &Fact, says: &Says) -> bool {
        if !self.is_list() {
            return true;
        }
        self.same_value_or_item(fact, says)
    }

    /// Whether a fact holds what is named; in a list, an item of equal identity.
    pub(super) fn same_value_or_item(&self, fact: &Fact, says: &Says) -> bool {
        let item = |text: &str| match self.ruling.slot {
            Some(slot) if self.is_list() => Some(item_identity(slot, text)),
            _ => None,
        };
        match (says, &fact.claim) {
            (
                Says::Holds(Claim::Attribute { value, .. } | Claim::Event { value, .. })
                | Says::ValueEnds { value: Some(value), .. },
                _,
            ) => fact.claim.value().is_some_and(|held| {
                held == value || item(&held.plain()).is_some_and(|i| Some(i) == item(&value.plain()))
            }),
            (Says::ValueEnds { value: None, .. } | Says::RelationEnds { object: None, .. }, _) => true,
            (
                Says::Holds(Claim::Relation { object, .. })
                | Says::RelationEnds { object: Some((object, _)), .. },
                _,
            ) => fact.claim.object() == Some(object),
            (Says::Holds(Claim::Note { .. }), _) => false,
        }
    }

    /// Returns the claims in the candidate's slot and scope, whatever their standing.
    pub(super) fn rivals(&self) -> impl Iterator<Item = &'a Fact> {
        self.in_scope()
            .filter(|fact| fact.standing == Standing::Claim && self.same_item(fact, &self.candidate.says))
    }

    /// Returns every record in the candidate's scope.
    pub(super) fn in_scope(&self) -> impl Iterator<Item = &'a Fact> {
        let scope = &self.candidate.scope;
        self.all.iter().copied().filter(move |fact| fact.scope == *scope)
    }

    /// Returns the believed claims of the slot in one pillar.
    pub(super) fn believed(&self, pillar: Pillar) -> impl Iterator<Item = &'a Fact> {
        self.rivals().filter(move |fact| fact.pillar == pillar && fact.is_believed())
    }

    /// Returns the claims that are held for a person in the slot and scope.
    pub(super) fn held(&self, standing: Standing) -> impl Iterator<Item = &'a Fact> {
        self.in_scope().filter(move |fact| fact.standing == standing && fact.is_held())
    }

    /// Whether another scope holds a different value of the key over some of
    /// this valid time.
    pub(super) fn differs_elsewhere(&self, claim: &Claim, pieces: &[Period]) -> bool {
        if self.kind == LineKind::Relation && self.is_list() {
            return false;
        }
        self.all.iter().any(|fact| {
            fact.scope != self.candidate.scope
                && fact.standing == Standing::Claim
                && fact.is_believed()
                && self.same_item(fact, &self.candidate.says)
                && !fact.claim.says_the_same(claim)
                && meets_any(&fact.coverage.believed_latest(), pieces)
        })
    }

    /// Returns the believed fact that the candidate's target names, `Err` when
    /// it names a target that does not count.
    pub(super) fn target(&self) -> Result<Option<&'a Fact>, ()> {
        let Some(target) = &self.candidate.target else {
            return Ok(None);
        };
        let named = |fact: &&'a Fact| match target {
            Target::Fact(id) => fact.id == *id,
            Target::Value(value) => {
                let says = match &self.candidate.says {
                    Says::RelationEnds { .. } | Says::Holds(Claim::Relation { .. }) => {
                        return fact.claim.plain() == value.plain();
                    }
                    says => Says::ValueEnds { key: says.key().into(), value: Some(value.clone()) },
                };
                self.same_value_or_item(fact, &says)
            }
        };
        self.in_scope()
            .filter(|fact| fact.standing == Standing::Claim && fact.is_believed())
            .find(named)
            .map(Some)
            .ok_or(())
    }

    /// Returns the start, strictly after an instant, of the next believed value
    /// of the slot in one pillar, adjoining equal values taken as one.
    pub(super) fn next_change(&self, after: Timestamp, pillar: Pillar) -> Timestamp {
        let mut pieces: Vec<(Period, &Fact)> = self
            .believed(pillar)
            .flat_map(|fact| fact.coverage.believed_latest().iter().map(|p| (*p, fact)).collect::<Vec<_>>())
            .filter(|(period, _)| period.until() > after)
            .collect();
        pieces.sort_by_key(|(period, _)| period.from());
        // What lies before `after` may still be the start of a run of equal
        // values that reaches past it.
        let mut run: Option<(Period, &Fact)> = None;
        for (period, fact) in pieces {
            let joins =
                run.is_some_and(|(p, f)| p.until() == period.from() && f.claim.says_the_same(&fact.claim));
            if period.from() > after && !joins {
                return period.from();
            }
            run = Some((period, fact));
        }
        Timestamp::OPEN
    }
}

/// Whether a set shares an instant with any of these periods.
pub(super) fn meets_any(set: &PeriodSet, pieces: &[Period]) -> bool {
    pieces.iter().any(|piece| set.intersects(*piece))
}
