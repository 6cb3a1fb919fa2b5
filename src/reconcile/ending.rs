//! Rule 13: a claim that something ends.

use super::candidate::{Candidate, Says, TimeRef};
use super::decide::hold;
use super::decision::{Decision, Effect};
use super::effect::{Gates, cuts, ids, open_period, victims};
use super::state::{Ruling, SlotState, Slotted};
use crate::facts::{Action, Fact, LineKind, Pillar, Reason, Standing};

/// Decides what a removal does.
pub(super) fn decide(
    state: SlotState<'_>,
    candidate: &Candidate,
    ends: &Says,
    ruling: Ruling<'_>,
) -> Decision {
    let kind = match ends {
        Says::RelationEnds { .. } => LineKind::Relation,
        _ => LineKind::Attribute,
    };
    let candidate = &Candidate { says: ends.clone(), ..candidate.clone() };
    let slotted = Slotted::new(state, candidate, ruling, kind);
    let names_one = match ends {
        Says::ValueEnds { value, .. } => value.is_some(),
        Says::RelationEnds { object, .. } => object.is_some(),
        Says::Holds(_) => true,
    };
    if slotted.is_list() && !names_one {
        return Decision::skip(Reason::NothingToRemove);
    }
    let target = slotted.target().unwrap_or_default();
    let period = open_period(candidate, ruling.known_at);
    let named = |fact: &&Fact| {
        slotted.same_value_or_item(fact, ends) && target.is_none_or(|target| target.id == fact.id)
    };
    let believed: Vec<&Fact> = slotted
        .in_scope()
        .filter(|fact| fact.standing == Standing::Claim && fact.is_believed())
        .filter(named)
        .collect();
    // A document's removal ends what talk says too; talk ends only talk.
    let ended = cuts(believed.into_iter(), &[period]);
    let affected = victims(&slotted, &ended);

    if affected.is_empty() {
        let withdrawn: Vec<&Fact> = slotted
            .held(Standing::Claim)
            .filter(|_| names_one)
            .filter(named)
            .filter(|fact| candidate.pillar() == Pillar::Authoritative || fact.pillar == Pillar::Experiential)
            .collect();
        if withdrawn.is_empty() {
            return Decision::skip(Reason::NothingToRemove);
        }
        let effect = Effect::End { cuts: Vec::new(), withdrawn: ids(&withdrawn) };
        return Decision::new(Action::Retract, Reason::Ended, effect);
    }

    let plan = candidate.time_ref == TimeRef::Future && !candidate.has_period();
    let reaches_higher = candidate.pillar() == Pillar::Experiential
        && affected.iter().any(|fact| fact.pillar == Pillar::Authoritative);
    let gate = if plan {
        Some(Reason::NotTrueYet)
    } else if candidate.proposal == Some(Action::Flag) {
        Some(Reason::Ambiguous)
    } else if reaches_higher {
        Some(Reason::AuthorityConflict)
    } else {
        Gates::judge(&affected, candidate, ruling).first()
    };
    let Some(reason) = gate else {
        return Decision::new(
            Action::Retract,
            Reason::Ended,
            Effect::End { cuts: ended, withdrawn: Vec::new() },
        );
    };
    let held_already = slotted.held(Standing::Removal).find(|fact| {
        let held = fact.held.as_ref();
        held.is_some_and(|held| affected.iter().all(|a| held.targets.contains(&a.id)))
    });
    match held_already {
        Some(fact) => Decision::support(Reason::AlreadyHeld, vec![fact.id]),
        None => hold(reason, period, ids(&affected), true),
    }
}
