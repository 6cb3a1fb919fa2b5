//! Every period and every telling instant of a world small enough to exhaust.

use super::{Period, Timestamp};

/// Returns the instant of a tick.
///
/// A tick is two microseconds, so that one instant lies between any two.
pub(super) fn tick(number: i64) -> Timestamp {
    Timestamp::from_micros(number * 2).expect("ticks are small")
}

/// Returns `beginning`, the ticks from 0 to `last`, and `open`.
pub(super) fn ends(last: i64) -> Vec<Timestamp> {
    let mut ends = vec![Timestamp::BEGINNING];
    ends.extend((0..=last).map(tick));
    ends.push(Timestamp::OPEN);
    ends
}

/// Returns every period between two of those ends.
pub(super) fn periods(last: i64) -> Vec<Period> {
    let ends = ends(last);
    let pairs = ends.iter().flat_map(|from| ends.iter().map(|until| (*from, *until)));
    pairs.filter_map(|(from, until)| Period::new(from, until).ok()).collect()
}

/// Returns instants that tell any two sets of those periods apart, in order:
/// each tick, one between any two, and two beyond either end.
pub(super) fn samples(last: i64) -> Vec<Timestamp> {
    let mut samples = vec![Timestamp::BEGINNING, Timestamp::MIN];
    samples
        .extend((-1..=last * 2 + 1).map(|micros| Timestamp::from_micros(micros).expect("samples are small")));
    samples.push(Timestamp::MAX);
    samples
}

/// Returns the maximal periods of the samples that `held` says are held.
pub(super) fn runs(samples: &[Timestamp], held: impl Fn(usize) -> bool) -> Vec<Period> {
    let mut runs = Vec::new();
    let mut start = None;
    for (index, sample) in samples.iter().copied().chain([Timestamp::OPEN]).enumerate() {
        let is_held = index < samples.len() && held(index);
        match start {
            None if is_held => start = Some(sample),
            Some(from) if !is_held => {
                runs.push(Period::new(from, sample).expect("samples are in order"));
                start = None;
            }
            _ => {}
        }
    }
    runs
}
