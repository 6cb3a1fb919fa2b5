//! The reconciler's one decision: state, candidate and ruling in, decision out.
//!
//! The rules are tried in the order of `docs/reconcile.md`. Each function is
//! one of them or a run of them; a rule that does not apply returns `None`.

use super::candidate::{Candidate, Says, TimeRef};
use super::decision::{Cut, Decision, Effect};
use super::effect::{self, Gates, cuts, differing, ids, open_period, period, victims};
use super::removal::definite_removal;
use super::state::{Ruling, SlotState, Slotted, meets_any};
use super::tokens::refines;
use super::{ending, note};
use crate::facts::{Action, Claim, Fact, LineKind, Pillar, Reason, Standing};
use crate::policy::SlotKind;
use crate::time::{Period, Timestamp};

/// Decides what a candidate does to what is held.
///
/// Pure: the same state, candidate and ruling give the same decision. The
/// caller proves that the state is still the one that is stored when it
/// applies the decision.
///
/// ```
/// use std::sync::Arc;
/// use hitherto::facts::{Action, Claim, Scope, Source, SourceKind, Value};
/// use hitherto::identity::{EntityId, EntityType};
/// use hitherto::policy::Policy;
/// use hitherto::reconcile::{Candidate, Ruling, Says, SlotState, TimeRef, decide};
/// use hitherto::time::Timestamp;
///
/// let candidate = Candidate {
///     subject: EntityId::new(EntityType::Project, "Harbour")?,
///     says: Says::Holds(Claim::Attribute { key: "plan".into(), value: Value::text("Seed") }),
///     scope: Scope::root(),
///     valid_from: None,
///     valid_until: None,
///     time_ref: TimeRef::Current,
///     proposal: Some(Action::Supersede),
///     target: None,
///     confidence: 0.8,
///     source: Arc::new(Source::of(SourceKind::Turn)),
///     actor: None,
///     raw: None,
///     metadata: None,
/// };
/// let policy = Policy::default();
/// let known_at = Timestamp::parse("2025-01-01")?;
/// let ruling = Ruling { policy: &policy, slot: None, known_at, undated: &[] };
/// // Nothing is held, so nothing is superseded, whatever the label.
/// assert_eq!(decide(SlotState::new(&[]), &candidate, ruling).action, Action::Add);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn decide(state: SlotState<'_>, candidate: &Candidate, ruling: Ruling<'_>) -> Decision {
    if candidate.proposal == Some(Action::Skip) {
        return Decision::skip(Reason::Skipped);
    }
    match &candidate.says {
        Says::Holds(Claim::Note { text, .. }) => note::decide(state, candidate, text, ruling),
        Says::Holds(claim @ Claim::Event { .. }) => event(state, candidate, claim, ruling),
        Says::Holds(claim) => holds(state, candidate, claim, ruling),
        ends => ending::decide(state, candidate, ends, ruling),
    }
}

/// Rule 2: what happened stands beside everything, unless it says that a
/// declared single-valued slot has changed.
fn event(state: SlotState<'_>, candidate: &Candidate, claim: &Claim, ruling: Ruling<'_>) -> Decision {
    if let Some(changed) = change_of_state(state, candidate, claim, ruling) {
        return changed;
    }
    let slotted = Slotted::new(state, candidate, ruling, LineKind::Event);
    let period = event_period(candidate, ruling.known_at);
    let same: Vec<&Fact> = slotted
        .in_scope()
        .filter(|fact| fact.standing == Standing::Claim && fact.claim.says_the_same(claim))
        .filter(|fact| !candidate.has_period() || fact.claimed == period)
        .collect();
    if let Some(known) = same.iter().find(|fact| fact.is_believed()) {
        return Decision::support(Reason::Restated, vec![known.id]);
    }
    let held = same.iter().find(|fact| fact.is_held());
    let plan = candidate.time_ref == TimeRef::Future && !candidate.has_period();
    let gate = if plan {
        Some(Reason::NotTrueYet)
    } else {
        (candidate.proposal == Some(Action::Flag)).then_some(Reason::Ambiguous)
    };
    match (gate, held) {
        (Some(_), Some(held)) => Decision::support(Reason::AlreadyHeld, vec![held.id]),
        (Some(reason), None) => hold(reason, open_period(candidate, ruling.known_at), Vec::new(), false),
        (None, Some(held)) => Decision::new(
            Action::Add,
            Reason::Occurred,
            Effect::Release { held: held.id, pieces: vec![period], cuts: Vec::new() },
        ),
        (None, None) => Decision::new(
            Action::Add,
            Reason::Occurred,
            Effect::Write { pieces: vec![period], cuts: Vec::new(), supports: Vec::new() },
        ),
    }
}

/// Returns when an event happened: over the period named, else for the one
/// microsecond from its start.
fn event_period(candidate: &Candidate, known_at: Timestamp) -> Period {
    let from = candidate.start(known_at);
    let until = candidate.valid_until.unwrap_or_else(|| from.next());
    // The last instant of all has no next; the period that ends there begins
    // one microsecond earlier.
    Period::new(from, until)
        .or_else(|_| Period::new(from.saturating_add_micros(-1), until))
        .expect("a candidate's stated ends are checked when it is read")
}

fn change_of_state(
    state: SlotState<'_>,
    candidate: &Candidate,
    claim: &Claim,
    ruling: Ruling<'_>,
) -> Option<Decision> {
    let slot = ruling.slot.filter(|slot| !slot.multi && slot.kind != Some(SlotKind::Event))?;
    let slotted = Slotted::new(state, candidate, ruling, LineKind::Attribute);
    let at = candidate.start(ruling.known_at);
    let holds_another = slotted.in_scope().any(|fact| {
        fact.standing == Standing::Claim
            && fact.coverage.contains(at, ruling.known_at)
            && fact.claim.value() != claim.value()
    });
    if !holds_another {
        return None;
    }
    let claim = Claim::Attribute { key: slot.name.as_str().into(), value: claim.value()?.clone() };
    let as_state = Candidate { says: Says::Holds(claim.clone()), ..candidate.clone() };
    let mut decision = holds(state, &as_state, &claim, ruling);
    decision.as_state = true;
    Some(decision)
}

/// Rules 3 to 12 and 14 for a claim that a value or a relation holds.
fn holds(state: SlotState<'_>, candidate: &Candidate, claim: &Claim, ruling: Ruling<'_>) -> Decision {
    let slotted = Slotted::new(state, candidate, ruling, claim.kind());
    if candidate.proposal == Some(Action::Retract) {
        return ending::decide(state, candidate, &candidate.says.as_ending(), ruling);
    }
    if let Some(decision) = removal_in_other_words(state, &slotted, candidate, claim, ruling) {
        return decision;
    }
    if let Some(decision) = past(&slotted, candidate, claim, ruling) {
        return decision;
    }
    if let Some(decision) = future(&slotted, candidate, claim, ruling) {
        return decision;
    }
    current(&slotted, candidate, claim, ruling)
}

/// Rule 5: definite removal language about this very value is a removal,
/// whatever the label, and never an assertion of what it says is gone.
fn removal_in_other_words(
    state: SlotState<'_>,
    slotted: &Slotted<'_>,
    candidate: &Candidate,
    claim: &Claim,
    ruling: Ruling<'_>,
) -> Option<Decision> {
    let mislabelled = !matches!(candidate.proposal, Some(Action::Skip | Action::Flag | Action::Dedup));
    let raw = candidate.raw.as_deref()?;
    if candidate.pillar() == Pillar::Authoritative || !mislabelled || !definite_removal(raw, &claim.plain()) {
        return None;
    }
    let at = candidate.start(ruling.known_at);
    let is_held = slotted.rivals().any(|fact| {
        fact.coverage.contains(at, ruling.known_at) && slotted.same_value_or_item(fact, &candidate.says)
    });
    Some(if is_held {
        ending::decide(state, candidate, &candidate.says.as_ending(), ruling)
    } else {
        Decision::skip(Reason::NothingToRemove)
    })
}

/// Rule 3: a past value without a period is history and retires nothing.
fn past(slotted: &Slotted<'_>, candidate: &Candidate, claim: &Claim, ruling: Ruling<'_>) -> Option<Decision> {
    if candidate.time_ref != TimeRef::Past || candidate.has_period() {
        return None;
    }
    let archived =
        slotted.in_scope().find(|fact| fact.standing == Standing::Archive && fact.claim.says_the_same(claim));
    Some(match archived {
        Some(fact) => Decision::support(Reason::AlreadyArchived, vec![fact.id]),
        None => Decision::new(
            Action::Archive,
            Reason::Past,
            Effect::Archive { period: open_period(candidate, ruling.known_at) },
        ),
    })
}

/// Rule 4: a plan without a date is not true yet.
fn future(
    slotted: &Slotted<'_>,
    candidate: &Candidate,
    claim: &Claim,
    ruling: Ruling<'_>,
) -> Option<Decision> {
    if candidate.time_ref != TimeRef::Future || candidate.has_period() {
        return None;
    }
    let at = candidate.start(ruling.known_at);
    let holds = slotted
        .rivals()
        .find(|fact| fact.claim.says_the_same(claim) && fact.coverage.contains(at, ruling.known_at));
    if let Some(fact) = holds {
        return Some(Decision::support(Reason::Restated, vec![fact.id]));
    }
    Some(hold_or_support(slotted, candidate, claim, Reason::NotTrueYet, ruling))
}

/// Rules 6 to 12: what the claim would do to the slot over its period.
fn current(slotted: &Slotted<'_>, candidate: &Candidate, claim: &Claim, ruling: Ruling<'_>) -> Decision {
    let pillar = candidate.pillar();
    let (target, target_ignored) = match slotted.target() {
        Ok(target) => (target, false),
        Err(()) => (None, true),
    };
    let refined = refined(slotted, candidate, claim, target, ruling);
    let pieces = match refined {
        Some(fact) if !candidate.has_period() => fact.coverage.believed_latest().iter().copied().collect(),
        _ => vec![period(slotted, candidate, ruling)],
    };

    // Rule 6, restatement: only what is not believed yet is left to write.
    let same: Vec<&Fact> = slotted
        .rivals()
        .filter(|fact| fact.is_believed() && fact.claim.says_the_same(claim))
        .filter(|fact| fact.pillar == pillar || fact.pillar == Pillar::Authoritative)
        .filter(|fact| meets_any(&fact.coverage.believed_latest(), &pieces))
        .collect();
    let covered = effect::believed(same.iter().copied());
    let pieces: Vec<Period> = pieces.iter().flat_map(|piece| covered.gaps_in(*piece)).collect();
    if pieces.is_empty() {
        return Decision::support(Reason::Restated, ids(&same));
    }
    if candidate.proposal == Some(Action::Flag) {
        return hold_or_support(slotted, candidate, claim, Reason::Ambiguous, ruling);
    }

    // The effect, before any gate.
    let rivals = slotted.believed(pillar).filter(|fact| !fact.claim.says_the_same(claim));
    let mut retires = cuts(rivals, &pieces);
    if let Some(other) = other_item(slotted, candidate, target) {
        retires.extend(cuts(std::iter::once(other), &pieces));
    }
    let retired = victims(slotted, &retires);
    let higher = match pillar {
        Pillar::Experiential => differing(slotted, claim, Pillar::Authoritative, &pieces),
        Pillar::Authoritative => Vec::new(),
    };

    // Rules 7 to 11: the strictest gate holds the whole, the first gives the reason.
    let gates =
        Gates::judge(&retired, candidate, ruling).against_rivals_of_the_turn(&retired, candidate, ruling);
    if gates.hold() {
        let reason = if higher.is_empty() { gates.first() } else { None };
        let reason = reason.unwrap_or(Reason::AuthorityConflict);
        return hold_or_support(slotted, candidate, claim, reason, ruling);
    }

    let mut decision =
        passed(slotted, candidate, claim, Passing { pieces, retires, same: &same, refined, higher: &higher });
    // A held claim that is said again and passes is the one that is believed.
    if let Some(held) =
        slotted.held(Standing::Claim).find(|fact| fact.pillar == pillar && fact.claim.says_the_same(claim))
        && let Effect::Write { pieces, cuts, .. } = decision.effect
    {
        decision.effect = Effect::Release { held: held.id, pieces, cuts };
    }
    decision.noting_ignored_target(target_ignored)
}

/// What a claim that passed every gate does.
struct Passing<'a> {
    pieces: Vec<Period>,
    retires: Vec<Cut>,
    same: &'a [&'a Fact],
    refined: Option<&'a Fact>,
    higher: &'a [&'a Fact],
}

/// Rules 7, 11 and 12: the action that names the effect.
fn passed(slotted: &Slotted<'_>, candidate: &Candidate, claim: &Claim, passing: Passing<'_>) -> Decision {
    let Passing { pieces, retires, same, refined, higher } = passing;
    let lower: Vec<&Fact> = match candidate.pillar() {
        Pillar::Authoritative => differing(slotted, claim, Pillar::Experiential, &pieces),
        Pillar::Experiential => Vec::new(),
    };
    let clash = !higher.is_empty() || !lower.is_empty();
    let confirms = candidate.pillar() == Pillar::Authoritative
        && slotted.believed(Pillar::Experiential).any(|fact| {
            fact.claim.says_the_same(claim) && meets_any(&fact.coverage.believed_latest(), &pieces)
        });
    let (action, reason) = if !higher.is_empty() {
        (Action::Flag, Reason::AuthorityConflict)
    } else if refined.is_some() {
        (Action::Refine, Reason::MoreDetail)
    } else if !retires.is_empty() {
        (Action::Supersede, Reason::NewerValue)
    } else if slotted.differs_elsewhere(claim, &pieces) {
        (Action::Coexist, Reason::OtherScope)
    } else if same.iter().any(|fact| fact.pillar == candidate.pillar()) {
        (Action::Add, Reason::Extends)
    } else if confirms {
        (Action::Add, Reason::Confirmed)
    } else if !same.is_empty() {
        (Action::Add, Reason::Extends)
    } else {
        (Action::Add, Reason::NewValue)
    };
    let effect = Effect::Write { pieces, cuts: retires, supports: ids(same) };
    let mut decision = Decision::new(action, reason, effect);
    if clash {
        decision.reason = Reason::AuthorityConflict;
        decision.opens = Some(Reason::AuthorityConflict);
        decision.against = ids(if higher.is_empty() { &lower } else { higher });
    }
    decision
}

/// Rule 12: the fact that a REFINE refines, where the new value keeps every
/// distinctive token of the old.
fn refined<'a>(
    slotted: &Slotted<'a>,
    candidate: &Candidate,
    claim: &Claim,
    target: Option<&'a Fact>,
    ruling: Ruling<'_>,
) -> Option<&'a Fact> {
    if candidate.proposal != Some(Action::Refine) {
        return None;
    }
    let at = candidate.start(ruling.known_at);
    let refined = target.or_else(|| {
        slotted.believed(candidate.pillar()).find(|fact| fact.coverage.contains(at, ruling.known_at))
    })?;
    let same_pillar = refined.pillar == candidate.pillar();
    let says_more = !refined.claim.says_the_same(claim) && refines(&refined.claim.plain(), &claim.plain());
    (same_pillar && says_more).then_some(refined)
}

/// The item of a list that a SUPERSEDE with a target replaces although the new
/// one is another item.
fn other_item<'a>(
    slotted: &Slotted<'a>,
    candidate: &Candidate,
    target: Option<&'a Fact>,
) -> Option<&'a Fact> {
    let replaces = candidate.proposal == Some(Action::Supersede) && slotted.is_list();
    target.filter(|fact| {
        replaces && fact.pillar == candidate.pillar() && !slotted.same_item(fact, &candidate.says)
    })
}

/// Rule 14: a claim that would be held is held once, and counted after that.
fn hold_or_support(
    slotted: &Slotted<'_>,
    candidate: &Candidate,
    claim: &Claim,
    reason: Reason,
    ruling: Ruling<'_>,
) -> Decision {
    let held = slotted
        .held(Standing::Claim)
        .find(|fact| fact.pillar == candidate.pillar() && fact.claim.says_the_same(claim));
    if let Some(fact) = held {
        return Decision::support(Reason::AlreadyHeld, vec![fact.id]);
    }
    let period = open_period(candidate, ruling.known_at);
    let against: Vec<&Fact> = slotted
        .rivals()
        .filter(|fact| fact.is_believed() && !fact.claim.says_the_same(claim))
        .filter(|fact| fact.coverage.believed_latest().intersects(period))
        .collect();
    hold(reason, period, ids(&against), false)
}

/// Returns the decision to hold a claim or a removal for a person.
pub(super) fn hold(
    reason: Reason,
    period: Period,
    targets: Vec<crate::facts::FactId>,
    removal: bool,
) -> Decision {
    let proposal = reason == Reason::Confirmation;
    let mut decision =
        Decision::new(Action::Flag, reason, Effect::Hold { period, targets, removal, proposal });
    // Proposals wait in a queue of their own and open no uncertainty.
    decision.opens = (!proposal).then_some(reason);
    decision
}
