//! Batches, warmed up and timed in turns, so that whatever else the machine
//! does meets every contestant.

use std::time::{Duration, Instant};

/// Does so many operations.
pub(crate) type Work<'a> = Box<dyn FnMut(usize) + 'a>;

/// How long and how often contestants are timed.
pub(crate) struct Contest {
    /// The least that a timed batch takes.
    pub(crate) floor: Duration,
    /// How many rounds the median is taken of.
    pub(crate) rounds: usize,
}

impl Contest {
    /// Returns the median seconds of one operation of each contestant.
    pub(crate) fn race<const N: usize>(&self, mut works: [Work<'_>; N]) -> [f64; N] {
        let batches: Vec<usize> = works.iter_mut().map(|work| self.warm_up(work)).collect();
        let mut rounds: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(self.rounds));
        for _ in 0..self.rounds {
            for (place, work) in works.iter_mut().enumerate() {
                rounds[place].push(timed(work, batches[place]) / float(batches[place]));
            }
        }
        rounds.map(median)
    }

    /// Runs a contestant until it is warm and returns how many operations fill a batch.
    fn warm_up(&self, work: &mut Work<'_>) -> usize {
        let mut batch = 1;
        loop {
            let seconds = timed(work, batch);
            if seconds >= self.floor.as_secs_f64() {
                return batch;
            }
            batch *= 2;
        }
    }
}

fn timed(work: &mut Work<'_>, batch: usize) -> f64 {
    let started = Instant::now();
    work(batch);
    started.elapsed().as_secs_f64()
}

/// Returns a count as a figure.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
pub(crate) fn float(count: usize) -> f64 {
    count as f64
}

/// Returns the median of some figures.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
