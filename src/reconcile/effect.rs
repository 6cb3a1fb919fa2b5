//! What a candidate would cut, and whether the gates let it.

use super::candidate::Candidate;
use super::decision::Cut;
use super::removal::worded_as_change;
use super::state::{Ruling, Slotted};
use crate::facts::{Action, Claim, Fact, FactId, Pillar, Reason};
use crate::policy::{confidence_passes, source_allows};
use crate::time::{Period, PeriodSet, Timestamp};

/// Returns the period of a candidate that says something holds: its own start,
/// and its own end or else the next believed change.
pub(super) fn period(slotted: &Slotted<'_>, candidate: &Candidate, ruling: Ruling<'_>) -> Period {
    let from = candidate.start(ruling.known_at);
    let until = candidate.valid_until.unwrap_or_else(|| slotted.next_change(from, candidate.pillar()));
    checked(from, until)
}

/// Returns the period of a claim about no slot, or of one that is held: an end
/// that is not stated is open.
pub(super) fn open_period(candidate: &Candidate, known_at: Timestamp) -> Period {
    let from = candidate.start(known_at);
    checked(from, candidate.valid_until.unwrap_or(Timestamp::OPEN))
}

/// A start that is not stated is before every end: it is the beginning where an
/// end is stated, and there is no end otherwise. Stated ends are checked when a
/// candidate is read.
fn checked(from: Timestamp, until: Timestamp) -> Period {
    Period::new(from, until).expect("a candidate's stated ends are checked when it is read")
}

/// Returns what these facts would lose to these periods, those that lose
/// nothing left out.
pub(super) fn cuts<'a>(facts: impl Iterator<Item = &'a Fact>, pieces: &[Period]) -> Vec<Cut> {
    facts
        .filter_map(|fact| {
            let believed = fact.coverage.believed_latest();
            let periods: Vec<Period> = pieces.iter().flat_map(|piece| believed.within(*piece)).collect();
            (!periods.is_empty()).then_some(Cut { fact: fact.id, periods })
        })
        .collect()
}

/// Returns the union of what these facts are believed over.
pub(super) fn believed<'a>(facts: impl Iterator<Item = &'a Fact>) -> PeriodSet {
    facts.flat_map(|fact| fact.coverage.believed_latest().iter().copied().collect::<Vec<_>>()).collect()
}

/// The gates that a candidate failed, in the order of the rules.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Gates {
    confirmation: bool,
    confidence: bool,
    policy: bool,
    ambiguous: bool,
}

impl Gates {
    /// Judges the facts that an effect would retire, end or rewrite. With none
    /// there is nothing to guard.
    pub(super) fn judge(victims: &[&Fact], candidate: &Candidate, ruling: Ruling<'_>) -> Self {
        if victims.is_empty() {
            return Self::default();
        }
        let policy = ruling.policy;
        let name = candidate.source.name.as_deref();
        Self {
            confirmation: ruling.slot.is_some_and(|slot| slot.confirm) && !policy.trusts(name),
            confidence: victims.iter().any(|fact| {
                !confidence_passes(policy, candidate.confidence, fact.confidence_at(ruling.known_at))
            }),
            policy: victims.iter().any(|fact| {
                let names: Vec<_> = fact.source_names().collect();
                !source_allows(policy, name, &names)
            }),
            ambiguous: false,
        }
    }

    /// Adds the gate against two undated rivals of one turn.
    pub(super) fn against_rivals_of_the_turn(
        mut self,
        victims: &[&Fact],
        candidate: &Candidate,
        ruling: Ruling<'_>,
    ) -> Self {
        self.ambiguous = candidate.is_undated()
            && !is_change(candidate)
            && victims.iter().any(|fact| ruling.undated.contains(&fact.id));
        self
    }

    /// Whether any gate holds the candidate.
    pub(super) fn hold(self) -> bool {
        self.first().is_some()
    }

    /// Returns the first gate that holds it, in the order of the rules.
    pub(super) fn first(self) -> Option<Reason> {
        [
            (self.confirmation, Reason::Confirmation),
            (self.confidence, Reason::LowConfidence),
            (self.policy, Reason::SourcePolicy),
            (self.ambiguous, Reason::Ambiguous),
        ]
        .into_iter()
        .find_map(|(failed, reason)| failed.then_some(reason))
    }
}

/// Whether a candidate is proposed or worded as a change of what it meets.
pub(crate) fn is_change(candidate: &Candidate) -> bool {
    matches!(candidate.proposal, Some(Action::Supersede | Action::Refine))
        || match (&candidate.raw, &candidate.says) {
            (Some(raw), super::candidate::Says::Holds(claim)) => worded_as_change(raw, &claim.plain()),
            _ => false,
        }
}

/// Returns the facts of the slot that these cuts name.
pub(super) fn victims<'a>(slotted: &Slotted<'a>, cuts: &[Cut]) -> Vec<&'a Fact> {
    slotted.in_scope().filter(|fact| cuts.iter().any(|cut| cut.fact == fact.id)).collect()
}

/// Returns the believed facts of a pillar that say something else over some of
/// this valid time.
pub(super) fn differing<'a>(
    slotted: &Slotted<'a>,
    claim: &Claim,
    pillar: Pillar,
    pieces: &[Period],
) -> Vec<&'a Fact> {
    slotted
        .believed(pillar)
        .filter(|fact| !fact.claim.says_the_same(claim))
        .filter(|fact| super::state::meets_any(&fact.coverage.believed_latest(), pieces))
        .collect()
}

/// Returns the ids of facts.
pub(super) fn ids(facts: &[&Fact]) -> Vec<FactId> {
    facts.iter().map(|fact| fact.id).collect()
}
