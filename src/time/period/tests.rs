use std::collections::HashSet;

use super::super::small_world::{ends, periods, runs, samples, tick};
use super::super::{Allen, Rectangle};
use super::*;

/// The last tick of the world in which pairs of periods are exhausted.
const LAST: i64 = 5;

fn pairs() -> impl Iterator<Item = (Period, Period)> {
    let all = periods(LAST);
    all.clone().into_iter().flat_map(move |a| all.clone().into_iter().map(move |b| (a, b)))
}

/// Returns the samples that `holds` says are held, as periods.
fn sampled(holds: impl Fn(Timestamp) -> bool) -> Vec<Period> {
    let samples = samples(LAST);
    runs(&samples, |index| holds(samples[index]))
}

#[test]
fn a_period_is_refused_unless_it_starts_before_it_ends() {
    for from in ends(LAST) {
        for until in ends(LAST) {
            match Period::new(from, until) {
                Ok(period) => {
                    assert!(from < until);
                    assert_eq!((period.from(), period.until()), (from, until));
                }
                Err(error) => {
                    assert!(until <= from);
                    assert_eq!(error, TimeError::PeriodInverted { from, until });
                }
            }
        }
    }
    assert!(Period::since(Timestamp::OPEN).is_err());
    let error = Period::parse("2025-02-01", "2024-01-01").expect_err("inverted");
    let message = "valid_from 2025-02-01T00:00:00Z is not before valid_until 2024-01-01T00:00:00Z";
    assert_eq!(error.to_string(), message);
}

#[test]
fn every_period_is_the_instants_between_its_ends() {
    for period in periods(LAST) {
        assert_eq!(sampled(|instant| period.contains(instant)), [period]);
        assert!(!period.contains(Timestamp::OPEN));
        assert_eq!(Period::parse(&period.from().to_string(), &period.until().to_string()), Ok(period));
    }
    assert_eq!(periods(LAST).len(), 28);
    assert_eq!(
        Period::new(tick(0), tick(1)).map(|p| p.to_string()).as_deref(),
        Ok("[1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000002Z)")
    );
}

#[test]
fn every_operation_on_a_pair_agrees_with_point_sampling() {
    for (a, b) in pairs() {
        let shared = sampled(|t| a.contains(t) && b.contains(t));
        assert_eq!(a.intersection(b).into_iter().collect::<Vec<_>>(), shared, "{a} {b}");
        assert_eq!(a.intersects(b), !shared.is_empty(), "{a} {b}");
        assert_eq!(a.covers(b), shared == [b], "{a} {b}");

        let rest = sampled(|t| a.contains(t) && !b.contains(t));
        assert_eq!(a.minus(b).collect::<Vec<_>>(), rest, "{a} {b}");

        let both = sampled(|t| a.contains(t) || b.contains(t));
        assert_eq!(a.touches(b), both.len() == 1, "{a} {b}");
        let hull = a.hull(b);
        assert_eq!(hull.from(), both[0].from(), "{a} {b}");
        assert_eq!(hull.until(), both[both.len() - 1].until(), "{a} {b}");
    }
}

#[test]
fn the_laws_of_sets_hold_for_every_pair() {
    for (a, b) in pairs() {
        assert_eq!(a.intersection(b), b.intersection(a));
        assert_eq!(a.intersects(b), b.intersects(a));
        assert_eq!(a.touches(b), b.touches(a));
        assert_eq!(a.hull(b), b.hull(a));
        assert_eq!(a.covers(b), a.hull(b) == a);
        assert_eq!(a.covers(b), b.minus(a).next().is_none());
        assert_eq!(a.covers(b) && b.covers(a), a == b);
        assert!(a.minus(b).all(|piece| a.covers(piece) && !piece.intersects(b)));
        assert_eq!(a.touches(b), a.intersects(b) || a.meets(b) || a.met_by(b));
    }
}

type Predicate = fn(Period, Period) -> bool;

const PREDICATES: [(Allen, Predicate); 13] = [
    (Allen::Before, Period::before),
    (Allen::Meets, Period::meets),
    (Allen::Overlaps, Period::overlaps),
    (Allen::Starts, Period::starts),
    (Allen::During, Period::during),
    (Allen::Finishes, Period::finishes),
    (Allen::Equals, Period::equals),
    (Allen::FinishedBy, Period::finished_by),
    (Allen::Contains, Period::contains_period),
    (Allen::StartedBy, Period::started_by),
    (Allen::OverlappedBy, Period::overlapped_by),
    (Allen::MetBy, Period::met_by),
    (Allen::After, Period::after),
];

#[test]
fn exactly_one_allen_relation_holds_for_every_pair() {
    let mut seen = HashSet::new();
    for (a, b) in pairs() {
        let holding: Vec<Allen> =
            PREDICATES.into_iter().filter_map(|(relation, holds)| holds(a, b).then_some(relation)).collect();
        assert_eq!(holding, [a.allen(b)], "{a} {b}");
        assert_eq!(b.allen(a), a.allen(b).inverse(), "{a} {b}");
        seen.insert(a.allen(b));
    }
    assert_eq!(seen.len(), 13);
    assert_eq!(Allen::ALL, PREDICATES.map(|(relation, _)| relation));
}

#[test]
fn the_inverse_is_the_mirror_place_and_its_own_inverse() {
    for (relation, mirrored) in Allen::ALL.into_iter().zip(Allen::ALL.into_iter().rev()) {
        assert_eq!(relation.inverse(), mirrored);
        assert_eq!(relation.inverse().inverse(), relation);
    }
}

#[test]
fn relations_compose_as_in_allens_table() {
    let all = periods(LAST);
    let mut table = HashSet::new();
    for a in &all {
        for b in &all {
            for c in &all {
                table.insert((a.allen(*b), b.allen(*c), a.allen(*c)));
            }
        }
    }
    // Allen's table of 13 × 13 compositions names 409 relations in all; six
    // distinct ends, which three periods may need, produce each of them.
    assert_eq!(table.len(), 409);
    for (first, second, whole) in &table {
        assert!(table.contains(&(second.inverse(), first.inverse(), whole.inverse())));
    }
    let only = |first, second| {
        let mut results = table.iter().filter(|row| (row.0, row.1) == (first, second));
        let result = results.next().map(|row| row.2);
        result.filter(|_| results.next().is_none())
    };
    for relation in Allen::ALL {
        assert_eq!(only(relation, Allen::Equals), Some(relation));
        assert_eq!(only(Allen::Equals, relation), Some(relation));
    }
    for relation in [Allen::Before, Allen::Starts, Allen::During, Allen::Finishes] {
        assert_eq!(only(relation, relation), Some(relation), "{relation:?} is transitive");
    }
    assert_eq!(only(Allen::Meets, Allen::Meets), Some(Allen::Before));
    assert_eq!(only(Allen::Starts, Allen::During), Some(Allen::During));
    assert_eq!(only(Allen::Starts, Allen::Finishes), Some(Allen::During));
    assert_eq!(only(Allen::During, Allen::Before), Some(Allen::Before));
    assert_eq!(only(Allen::Before, Allen::After), None);
}

#[test]
fn every_operation_on_rectangles_agrees_with_point_sampling() {
    let world = periods(2);
    let points = samples(2);
    let rectangles: Vec<Rectangle> = world
        .iter()
        .flat_map(|valid| world.iter().map(|known| Rectangle { valid: *valid, known: *known }))
        .collect();
    for a in &rectangles {
        for b in &rectangles {
            let shared = a.intersection(*b);
            let rest: Vec<Rectangle> = a.minus(*b).collect();
            let mut is_shared_anywhere = false;
            for valid_at in points.iter().copied() {
                for known_at in points.iter().copied() {
                    let in_a = a.contains(valid_at, known_at);
                    let in_b = b.contains(valid_at, known_at);
                    assert_eq!(in_a, a.valid.contains(valid_at) && a.known.contains(known_at));
                    let in_shared = shared.is_some_and(|r| r.contains(valid_at, known_at));
                    assert_eq!(in_shared, in_a && in_b, "{a} {b}");
                    is_shared_anywhere |= in_shared;
                    // Each point once: the pieces share none.
                    let times = rest.iter().filter(|r| r.contains(valid_at, known_at)).count();
                    assert_eq!(times, usize::from(in_a && !in_b), "{a} {b}");
                }
            }
            assert_eq!(a.intersects(*b), is_shared_anywhere, "{a} {b}");
            assert!(rest.is_sorted_by_key(|r| (r.valid.from(), r.known.from())), "{a} {b}");
            let beside = rest.iter().filter(|r| shared.is_some_and(|s| !s.valid.intersects(r.valid)));
            assert!(beside.into_iter().all(|r| r.known == a.known), "{a} {b}");
        }
    }
}
