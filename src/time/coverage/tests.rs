use proptest::prelude::*;

use super::super::small_world::{periods, runs, samples, tick};
use super::*;

/// The slow twin of [`Coverage`]: for every sampled point, since when it was believed.
struct Grid {
    samples: Vec<Timestamp>,
    /// By valid, then by known sample.
    cells: Vec<Vec<Option<Timestamp>>>,
}

impl Grid {
    fn new(last: i64) -> Self {
        let samples = samples(last);
        let cells = vec![vec![None; samples.len()]; samples.len()];
        Self { samples, cells }
    }

    fn insert(&mut self, rectangle: Rectangle) {
        for (valid_at, column) in self.samples.iter().zip(&mut self.cells) {
            for (known_at, cell) in self.samples.iter().zip(column) {
                if rectangle.contains(*valid_at, *known_at) {
                    assert_eq!(*cell, None, "{rectangle} is believed already");
                    *cell = Some(rectangle.known.from());
                }
            }
        }
    }

    fn end(&mut self, valid: Period, at: Timestamp) -> Vec<Period> {
        let mut is_ended = vec![false; self.samples.len()];
        for (index, column) in self.cells.iter_mut().enumerate() {
            let latest = column[self.samples.len() - 1];
            if latest.is_none() || !valid.contains(self.samples[index]) {
                continue;
            }
            is_ended[index] = true;
            for (known_at, cell) in self.samples.iter().zip(column) {
                if at <= *known_at && *cell == latest {
                    *cell = None;
                }
            }
        }
        runs(&self.samples, |index| is_ended[index])
    }

    fn believed(&self, known_index: usize) -> Vec<Period> {
        runs(&self.samples, |index| self.cells[index][known_index].is_some())
    }
}

/// One thing that a turn does to a claim.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Believes it over what of the period is not believed yet.
    Believe(Period),
    /// Ends belief over the period.
    End(Period),
}

fn apply(act: Act, at: Timestamp, coverage: &mut Coverage, grid: &mut Grid) {
    match act {
        Act::Believe(valid) => {
            for gap in coverage.believed_latest().gaps_in(valid) {
                let known = Period::since(at).expect("turns are dated");
                let rectangle = Rectangle { valid: gap, known };
                // Turns that go back in time, which only the random worlds
                // have, may find that belief in it is recorded for later.
                if coverage.rectangles().iter().any(|old| old.intersects(rectangle)) {
                    continue;
                }
                coverage.insert(rectangle);
                grid.insert(rectangle);
            }
        }
        Act::End(valid) => {
            let ended = coverage.end(valid, at);
            assert!(ended.is_sorted_by(|a, b| a.until() <= b.from()), "{ended:?}");
            let joined: Vec<Period> = PeriodSet::from_iter(ended).iter().copied().collect();
            assert_eq!(joined, grid.end(valid, at));
        }
    }
}

/// Asserts that every look-up of `coverage` answers as the grid does.
fn check(coverage: &Coverage, grid: &Grid) {
    let rectangles = coverage.rectangles();
    assert!(rectangles.is_sorted_by_key(order));
    let mut shuffled = rectangles.to_vec();
    shuffled.reverse();
    assert_eq!(Coverage::from_rectangles(shuffled).as_ref(), Ok(coverage));

    for (known_index, known_at) in grid.samples.iter().copied().enumerate() {
        let believed = grid.believed(known_index);
        assert!(coverage.believed_at(known_at).iter().eq(&believed), "at {known_at}");
        for (valid_index, valid_at) in grid.samples.iter().copied().enumerate() {
            let cell = grid.cells[valid_index][known_index];
            assert_eq!(coverage.contains(valid_at, known_at), cell.is_some());
            assert_eq!(coverage.known_from_at(valid_at, known_at), cell);
            let piece = believed.iter().copied().find(|piece| piece.contains(valid_at));
            assert_eq!(coverage.piece_at(valid_at, known_at), piece, "{valid_at} {known_at}");
        }
    }
    let latest = grid.believed(grid.samples.len() - 1);
    assert!(coverage.believed_latest().iter().eq(&latest));

    let ends = rectangles.iter().map(|piece| piece.known.until());
    assert_eq!(coverage.first_end(), ends.filter(|end| end.is_bounded()).min());
    assert_eq!(coverage.is_empty(), coverage.hull().is_none());
    if let Some(hull) = coverage.hull() {
        assert!(rectangles.iter().all(|r| hull.valid.covers(r.valid) && hull.known.covers(r.known)));
        for edge in [
            rectangles.iter().any(|r| r.valid.from() == hull.valid.from()),
            rectangles.iter().any(|r| r.valid.until() == hull.valid.until()),
            rectangles.iter().any(|r| r.known.from() == hull.known.from()),
            rectangles.iter().any(|r| r.known.until() == hull.known.until()),
        ] {
            assert!(edge, "{hull} is not the smallest");
        }
    }
}

#[test]
fn every_life_of_three_turns_in_a_small_world_agrees_with_the_grid() {
    let world = periods(1);
    let acts: Vec<Act> = world.iter().flat_map(|period| [Act::Believe(*period), Act::End(*period)]).collect();
    // Each later act comes in the turn of the one before, or in the next.
    for first in &acts {
        for (second, second_step) in acts.iter().flat_map(|act| [(act, 0), (act, 1)]) {
            for (third, third_step) in acts.iter().flat_map(|act| [(act, 0), (act, 1)]) {
                let mut coverage = Coverage::new();
                let mut grid = Grid::new(2);
                apply(*first, tick(0), &mut coverage, &mut grid);
                apply(*second, tick(second_step), &mut coverage, &mut grid);
                apply(*third, tick(second_step + third_step), &mut coverage, &mut grid);
                check(&coverage, &grid);
            }
        }
    }
}

#[test]
fn every_end_of_every_rectangle_agrees_with_the_grid() {
    let world = periods(2);
    for valid in &world {
        for known in &world {
            for ended in &world {
                for at in [Timestamp::BEGINNING, tick(0), tick(1), tick(2), Timestamp::OPEN] {
                    let rectangle = Rectangle { valid: *valid, known: *known };
                    let mut coverage = Coverage::of(rectangle);
                    let pieces = coverage.end(*ended, at);
                    let inside = valid.intersection(*ended);
                    if known.until() == Timestamp::OPEN && at != Timestamp::OPEN {
                        assert_eq!(pieces, Vec::from_iter(inside));
                    } else {
                        assert_eq!(pieces, []);
                        assert_eq!(coverage, Coverage::of(rectangle));
                    }
                    for piece in coverage.rectangles() {
                        assert_eq!(piece.known.from(), known.from(), "nothing is newly known");
                    }
                }
            }
        }
    }
}

#[test]
fn rectangles_that_share_a_point_are_refused_in_any_order() {
    let world = periods(1);
    let all: Vec<Rectangle> = world
        .iter()
        .flat_map(|valid| world.iter().map(|known| Rectangle { valid: *valid, known: *known }))
        .collect();
    for a in &all {
        for b in &all {
            for given in [vec![*a, *b], vec![*b, *a]] {
                assert_eq!(Coverage::from_rectangles(given).is_err(), a.intersects(*b), "{a} {b}");
            }
        }
    }
}

#[test]
fn a_correction_in_the_middle_leaves_the_rest_as_it_was_known() {
    let mut coverage = Coverage::of(Rectangle {
        valid: Period::parse("2020-01-01", "open").expect("a period"),
        known: Period::parse("2024-01-01", "open").expect("a period"),
    });
    let corrected = Timestamp::parse("2025-01-01").expect("a date");
    coverage.end(Period::parse("2021-01-01", "2022-01-01").expect("a period"), corrected);
    let printed: Vec<String> = coverage.rectangles().iter().map(ToString::to_string).collect();
    assert_eq!(
        printed.join("\n").replace("T00:00:00Z", ""),
        "valid [2020-01-01, 2021-01-01) known [2024-01-01, open)\n\
         valid [2021-01-01, 2022-01-01) known [2024-01-01, 2025-01-01)\n\
         valid [2022-01-01, open) known [2024-01-01, open)",
    );
}

#[test]
fn every_set_of_three_periods_agrees_with_point_sampling() {
    let world = periods(3);
    let points = samples(3);
    for a in &world {
        for b in &world {
            let set = PeriodSet::from_iter([*a, *b]);
            for c in &world {
                let held = |t: Timestamp| a.contains(t) || b.contains(t);
                let expect = |holds: &dyn Fn(Timestamp) -> bool| runs(&points, |i| holds(points[i]));

                let inside = expect(&|t| held(t) && c.contains(t));
                assert_eq!(set.within(*c), inside);
                assert_eq!(set.intersects(*c), !inside.is_empty());
                assert_eq!(set.gaps_in(*c), expect(&|t| !held(t) && c.contains(t)));

                let mut more = set.clone();
                more.insert(*c);
                assert!(more.iter().eq(&expect(&|t| held(t) || c.contains(t))));
                assert_eq!(more, PeriodSet::from_iter([*c, *b, *a]));
                let mut less = set.clone();
                less.remove(*c);
                assert!(less.into_iter().eq(&expect(&|t| held(t) && !c.contains(t))));
            }
            for instant in points.iter().copied() {
                assert_eq!(set.contains(instant), a.contains(instant) || b.contains(instant));
                let piece = set.iter().copied().find(|piece| piece.contains(instant));
                assert_eq!(set.piece_at(instant), piece);
            }
        }
    }
}

/// The last tick of the random worlds.
const LAST: i64 = 8;

fn any_period() -> impl Strategy<Value = Period> {
    proptest::sample::select(periods(LAST))
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![any_period().prop_map(Act::Believe), any_period().prop_map(Act::End)]
}

proptest! {
    #[test]
    fn any_life_agrees_with_the_grid(acts in prop::collection::vec((any_act(), 0..=1_i64), 0..20)) {
        let mut coverage = Coverage::new();
        let mut grid = Grid::new(LAST);
        let mut now = 0;
        for (act, step) in acts {
            now = LAST.min(now + step);
            apply(act, tick(now), &mut coverage, &mut grid);
        }
        check(&coverage, &grid);
    }

    #[test]
    fn any_life_out_of_order_agrees_with_the_grid(
        acts in prop::collection::vec((any_act(), 0..=LAST), 0..20),
    ) {
        let mut coverage = Coverage::new();
        let mut grid = Grid::new(LAST);
        for (act, at) in acts {
            apply(act, tick(at), &mut coverage, &mut grid);
        }
        check(&coverage, &grid);
    }

    #[test]
    fn any_life_of_a_set_agrees_with_point_sampling(
        steps in prop::collection::vec((any_period(), any::<bool>()), 0..30),
    ) {
        let points = samples(LAST);
        let mut held = vec![false; points.len()];
        let mut set = PeriodSet::new();
        for (period, is_added) in steps {
            if is_added { set.insert(period) } else { set.remove(period) }
            for (point, held) in points.iter().zip(&mut held) {
                if period.contains(*point) {
                    *held = is_added;
                }
            }
            prop_assert!(set.iter().eq(&runs(&points, |index| held[index])));
        }
    }
}
