use std::sync::Arc;

use super::check_entity;
use crate::facts::{
    Action, Claim, Evidence, Fact, FactId, Link, Pillar, Reason, Scope, Source, SourceKind, Standing, Value,
};
use crate::identity::{EntityId, EntityType};
use crate::policy::{Policies, SlotPatch, Slots};
use crate::time::{Coverage, Period, Rectangle, Timestamp};

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

fn period(from: i64, until: i64) -> Period {
    Period::new(at(from), at(until)).unwrap()
}

/// A fact of transaction `tx` with a rectangle over these valid and known times.
fn fact(tx: u64, key: &str, value: i64, valid: Period, known: Period) -> Fact {
    let claim = Claim::Attribute { key: key.into(), value: Value::Int(value) };
    let source = Arc::new(Source::of(SourceKind::Turn));
    Fact {
        id: FactId { tx, place: 0 },
        subject: EntityId::new(EntityType::Person, "mara").unwrap(),
        line: claim.line(),
        claim,
        standing: Standing::Claim,
        scope: Scope::root(),
        pillar: Pillar::Experiential,
        claimed: valid,
        coverage: Coverage::of(Rectangle { valid, known }),
        held: None,
        action: Action::Add,
        reason: Reason::NewValue,
        supersedes: Vec::new(),
        superseded_by: Vec::new(),
        evidence: vec![Evidence {
            source,
            confidence: 0.8,
            known_from: known.from(),
            actor: None,
            raw: None,
        }],
        metadata: None,
        forgotten_at: None,
    }
}

fn slots(multi: bool) -> Slots {
    let mut slots = Slots::default();
    let patch =
        SlotPatch { aliases: Some(vec!["account".into()]), multi: Some(multi), ..SlotPatch::new("iban") };
    slots.declare(vec![patch]).unwrap();
    slots
}

fn found(facts: Vec<Fact>, slots: &Slots) -> Vec<&'static str> {
    let facts: Vec<Arc<Fact>> = facts.into_iter().map(Arc::new).collect();
    let findings = check_entity(&facts, &[], at(100), &Policies::default(), slots);
    findings.into_iter().map(|finding| finding.check).collect()
}

#[test]
fn rivals_that_are_believed_over_the_same_time_are_found() {
    let since = |micros| Period::since(at(micros)).unwrap();
    let pair = |second: &str, valid, known| {
        vec![fact(1, "iban", 1, period(0, 5), since(10)), fact(2, second, 2, valid, known)]
    };
    let none = Slots::default();
    assert_eq!(found(pair("iban", period(4, 9), since(20)), &none), ["rectangles"]);
    assert!(found(pair("iban", period(5, 9), since(20)), &none).is_empty());
    // Two keys that nobody declared one slot are two places.
    assert!(found(pair("account", period(4, 9), since(20)), &none).is_empty());
    assert_eq!(found(pair("account", period(4, 9), since(20)), &slots(false)), ["rectangles"]);
    assert!(found(pair("account", period(4, 9), since(20)), &slots(true)).is_empty());
    // What two keys said before they were declared one slot is history.
    assert!(found(pair("account", period(4, 9), period(20, 30)), &slots(false)).is_empty());
    assert_eq!(found(pair("iban", period(4, 9), period(20, 30)), &slots(false)), ["rectangles"]);
}

#[test]
fn links_that_are_missing_or_one_sided_are_found() {
    let since = |micros| Period::since(at(micros)).unwrap();
    let linked = |back: bool| {
        let mut earlier = fact(1, "iban", 1, period(0, 5), since(10));
        let mut later = fact(2, "iban", 2, period(5, 9), since(20));
        later.supersedes.push(earlier.id);
        if back {
            earlier.superseded_by.push(Link { fact: later.id, since: at(20) });
        }
        vec![earlier, later]
    };
    let none = Slots::default();
    assert!(found(linked(true), &none).is_empty());
    assert_eq!(found(linked(false), &none), ["links"]);
    assert_eq!(found(linked(true).split_off(1), &none), ["links"]);
    assert_eq!(found(linked(true).drain(..1).collect(), &none), ["links"]);
}

#[test]
fn a_fact_that_lies_about_its_times_or_its_line_is_found() {
    let since = |micros| Period::since(at(micros)).unwrap();
    let none = Slots::default();
    assert_eq!(found(vec![fact(1, "iban", 1, period(0, 5), since(101))], &none), ["periods"]);
    let mut early = fact(1, "iban", 1, period(0, 5), since(10));
    early.coverage = Coverage::of(Rectangle { valid: period(0, 5), known: since(9) });
    assert_eq!(found(vec![early], &none), ["periods"]);
    let mut astray = fact(1, "iban", 1, period(0, 5), since(10));
    astray.line = fact(1, "account", 1, period(0, 5), since(10)).line;
    assert_eq!(found(vec![astray], &none), ["lines"]);
}
