//! How much there is to read and write.

use std::time::Duration;

/// The sizes of a run.
pub(crate) struct Sizes {
    /// How deep the chains are, from the shallowest.
    pub(crate) depths: Vec<usize>,
    /// How many facts the store of the reads holds.
    pub(crate) facts: usize,
    /// How many entities have a city; ten share each.
    pub(crate) residents: usize,
    /// How many entities the web of relations has.
    pub(crate) nodes: usize,
    /// How many facts are imported, one size after the other.
    pub(crate) imports: Vec<usize>,
    /// How many writes a round of single writes makes.
    pub(crate) writes: usize,
    /// The least that a timed batch takes.
    pub(crate) floor: Duration,
    /// How many rounds the median is taken of.
    pub(crate) rounds: usize,
}

impl Sizes {
    pub(crate) fn full() -> Self {
        Self {
            depths: vec![1, 10, 100, 1_000],
            facts: 20_000,
            residents: 1_000,
            nodes: 2_000,
            imports: vec![10_000, 100_000],
            writes: 400,
            floor: Duration::from_millis(100),
            rounds: 5,
        }
    }

    /// For a smoke test: every path is taken, no figure means anything.
    pub(crate) fn quick() -> Self {
        Self {
            depths: vec![1, 10, 100],
            facts: 2_000,
            residents: 100,
            nodes: 200,
            imports: vec![1_000, 4_000],
            writes: 40,
            floor: Duration::from_millis(5),
            rounds: 3,
        }
    }
}
