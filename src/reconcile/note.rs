//! Free sentences: merged only where nothing of either is lost.

use super::candidate::Candidate;
use super::decide::hold;
use super::decision::{Decision, Effect};
use super::effect::{Gates, cuts, open_period};
use super::state::{Ruling, SlotState, Slotted};
use super::tokens::{NoteMerge, note_merge};
use crate::facts::{Action, Claim, Fact, LineKind, Reason, Standing};

/// Decides what a note does to the notes of its subject and scope.
///
/// The test leans to keeping both: a needless duplicate is visible and cheap,
/// a lost qualifier is silent.
pub(super) fn decide(
    state: SlotState<'_>,
    candidate: &Candidate,
    text: &str,
    ruling: Ruling<'_>,
) -> Decision {
    let slotted = Slotted::new(state, candidate, ruling, LineKind::Note);
    let period = open_period(candidate, ruling.known_at);
    let held: Vec<(&Fact, NoteMerge)> = slotted
        .in_scope()
        .filter(|fact| fact.standing == Standing::Claim && fact.pillar == candidate.pillar())
        .filter_map(|fact| match &fact.claim {
            Claim::Note { text: old, .. } => Some((fact, note_merge(old, text))),
            _ => None,
        })
        .collect();
    let same = |fact: &Fact| fact.coverage.believed_latest().intersects(period) || fact.is_held();
    if let Some((fact, _)) = held.iter().find(|(fact, merge)| *merge == NoteMerge::Same && same(fact)) {
        return Decision::support(Reason::Restated, vec![fact.id]);
    }
    if candidate.proposal == Some(Action::Flag) {
        return hold(Reason::Ambiguous, period, Vec::new(), false);
    }
    for (fact, _) in held.iter().filter(|(_, merge)| *merge == NoteMerge::Refines) {
        let pieces: Vec<_> = fact.coverage.believed_latest().iter().copied().collect();
        if pieces.is_empty() || Gates::judge(&[fact], candidate, ruling).hold() {
            continue;
        }
        let effect =
            Effect::Write { cuts: cuts(std::iter::once(*fact), &pieces), pieces, supports: Vec::new() };
        return Decision::new(Action::Refine, Reason::MoreDetail, effect);
    }
    let effect = Effect::Write { pieces: vec![period], cuts: Vec::new(), supports: Vec::new() };
    Decision::new(Action::Add, Reason::Noted, effect)
}
