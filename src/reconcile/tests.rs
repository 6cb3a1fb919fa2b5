//! The small world, exhausted: every held fact × candidate × label × pillar ×
//! confidence, decided and planned, and the outcome held against the laws.

use std::sync::Arc;

use super::{Candidate, Ids, Ruling, Says, SlotState, TimeRef, decide, plan};
use crate::facts::{
    Action, Claim, Evidence, Fact, FactId, Pillar, Reason, Scope, Source, SourceKind, Standing, Value,
};
use crate::identity::{EntityId, EntityType};
use crate::policy::{Mode, Policy, Slot};
use crate::time::{Coverage, Period, Rectangle, Timestamp};

const KNOWN: i64 = 100;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

/// Every period with ends in 0..=5, and those that are open at either end.
fn periods() -> Vec<Period> {
    let ends: Vec<Timestamp> =
        [Timestamp::BEGINNING].into_iter().chain((0..=5).map(at)).chain([Timestamp::OPEN]).collect();
    let mut all = Vec::new();
    for from in &ends {
        for until in &ends {
            all.extend(Period::new(*from, *until));
        }
    }
    all
}

/// Instants at, between and beyond the ends.
fn instants() -> impl Iterator<Item = Timestamp> {
    (-1..=6).map(at)
}

fn source(pillar: Pillar) -> Arc<Source> {
    let kind = match pillar {
        Pillar::Authoritative => SourceKind::Document,
        Pillar::Experiential => SourceKind::Turn,
    };
    Arc::new(Source { name: Some("s".into()), ..Source::of(kind) })
}

fn subject() -> EntityId {
    EntityId::new(EntityType::Person, "mara").unwrap()
}

fn claim(value: i64) -> Claim {
    Claim::Attribute { key: "k".into(), value: Value::Int(value) }
}

fn held(value: i64, valid: Period, pillar: Pillar, confidence: f64) -> Arc<Fact> {
    let known = Period::since(at(10)).unwrap();
    let evidence =
        Evidence { source: source(pillar), confidence, known_from: at(10), actor: None, raw: None };
    Arc::new(Fact {
        id: FactId { tx: 1, place: 0 },
        subject: subject(),
        line: claim(value).line(),
        claim: claim(value),
        standing: Standing::Claim,
        scope: Scope::root(),
        pillar,
        claimed: valid,
        coverage: Coverage::of(Rectangle { valid, known }),
        held: None,
        action: Action::Add,
        reason: Reason::NewValue,
        supersedes: Vec::new(),
        superseded_by: Vec::new(),
        evidence: vec![evidence],
        metadata: None,
        forgotten_at: None,
    })
}

fn candidate(
    value: i64,
    valid: Option<Period>,
    pillar: Pillar,
    confidence: f64,
    label: Option<Action>,
) -> Candidate {
    Candidate {
        subject: subject(),
        says: Says::Holds(claim(value)),
        scope: Scope::root(),
        valid_from: valid.map(Period::from),
        valid_until: valid.map(Period::until),
        time_ref: TimeRef::Current,
        proposal: label,
        target: None,
        confidence,
        source: source(pillar),
        actor: None,
        raw: None,
        metadata: None,
    }
}

/// The facts as a plan leaves them.
fn after(facts: &[Arc<Fact>], planned: &super::Plan) -> Vec<Fact> {
    let mut all: Vec<Fact> = facts
        .iter()
        .map(|fact| planned.facts.get(&fact.id).cloned().unwrap_or_else(|| Fact::clone(fact)))
        .collect();
    all.extend(planned.facts.values().filter(|fact| fact.id.tx == 2).cloned());
    all
}

fn believed(facts: &[Fact], pillar: Pillar, valid_at: Timestamp) -> Vec<&Fact> {
    let latest = at(KNOWN);
    facts
        .iter()
        .filter(|f| {
            f.pillar == pillar && f.standing == Standing::Claim && f.coverage.contains(valid_at, latest)
        })
        .collect()
}

#[test]
fn every_small_slot_and_candidate_keeps_the_laws() {
    let pillars = [Pillar::Authoritative, Pillar::Experiential];
    let labels: Vec<Option<Action>> =
        [None].into_iter().chain(Action::ALL.iter().copied().map(Some)).collect();
    let policies: Vec<Policy> = [Mode::Recency, Mode::Authority, Mode::Review]
        .into_iter()
        .flat_map(|mode| [true, false].map(|not_weaker| Policy { not_weaker, mode, ..Policy::default() }))
        .collect();
    let guarded = Slot { confirm: true, ..Slot::new("k") };
    let mut worlds = 0_usize;
    for old in periods() {
        for new in periods().into_iter().map(Some).chain([None]) {
            for (held_by, said_by) in pillars.into_iter().flat_map(|a| pillars.map(|b| (a, b))) {
                for value in [1, 2] {
                    for confidence in [0.5, 0.7, 0.9] {
                        for label in &labels {
                            // Policies and guards take turns: all of them meet all the rest many times over.
                            let policy = &policies[worlds % policies.len()];
                            let slot = worlds.is_multiple_of(5).then_some(&guarded);
                            let facts = [held(1, old, held_by, 0.8)];
                            let candidate = candidate(value, new, said_by, confidence, *label);
                            check(&facts, &candidate, policy, slot);
                            worlds += 1;
                        }
                    }
                }
            }
        }
    }
    // 28 periods × 29 periods or none × 4 pairs of pillars × 2 values × 3 confidences × 10 labels.
    assert_eq!(worlds, 194_880);
}

/// Decides, plans, and holds the outcome against the laws.
fn check(facts: &[Arc<Fact>], candidate: &Candidate, policy: &Policy, slot: Option<&Slot>) {
    let ruling = Ruling { policy, slot, known_at: at(KNOWN), undated: &[] };
    let decision = decide(SlotState::new(facts), candidate, ruling);
    assert_eq!(decision, decide(SlotState::new(facts), candidate, ruling), "a decision is a function");
    let planned = plan(&decision, candidate, facts, &[], at(KNOWN), &mut Ids::new(2));
    let now = after(facts, &planned);
    let said = candidate.pillar();
    let what = || format!("{candidate:?}\non {facts:?}\n-> {decision:?}");
    for valid_at in instants() {
        for pillar in [Pillar::Authoritative, Pillar::Experiential] {
            let is = believed(&now, pillar, valid_at);
            assert!(is.len() <= 1, "one value at a time: {}", what());
            let before: Vec<Fact> = facts.iter().map(|fact| Fact::clone(fact)).collect();
            let was = believed(&before, pillar, valid_at);
            let same = was.iter().map(|f| f.id).eq(is.iter().map(|f| f.id));
            let ends_both = said == Pillar::Authoritative && decision.action == Action::Retract;
            if pillar != said && !ends_both {
                assert!(same, "a pillar never cuts the other: {}", what());
            }
            let changes_nothing = matches!(decision.action, Action::Dedup | Action::Skip | Action::Archive)
                || decision.action == Action::Flag && decision.reason != Reason::AuthorityConflict;
            if changes_nothing {
                assert!(same, "{} changes nothing that is current: {}", decision.action, what());
            }
            for fact in &is {
                let known_from = fact.coverage.known_from_at(valid_at, at(KNOWN));
                let expected = if fact.id.tx == 1 { at(10) } else { at(KNOWN) };
                assert_eq!(known_from, Some(expected), "what is left keeps its known time: {}", what());
            }
        }
        // The past is never rewritten.
        for (fact, earlier) in now.iter().filter(|f| f.id.tx == 1).zip(facts) {
            let (is, was) =
                (fact.coverage.contains(valid_at, at(50)), earlier.coverage.contains(valid_at, at(50)));
            assert_eq!(is, was, "{}", what());
        }
    }
    if let super::Effect::Write { pieces, .. } = &decision.effect {
        for valid_at in instants().filter(|t| pieces.iter().any(|p| p.contains(*t))) {
            let is = believed(&now, said, valid_at);
            assert!(is.iter().any(|f| f.id.tx == 2), "what is written is believed: {}", what());
        }
    }
    if candidate.proposal == Some(Action::Skip) {
        assert_eq!(decision.action, Action::Skip);
    }
    let names_effect = match decision.action {
        Action::Supersede | Action::Refine => !planned.superseded.is_empty(),
        Action::Add | Action::Coexist => planned.superseded.is_empty(),
        _ => true,
    };
    assert!(names_effect, "the action names the effect: {}", what());
}
