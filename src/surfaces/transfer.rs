//! Importing operations, and moving whole stores.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Graph;
use crate::error::Error;

/// What an import of operations did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// How many operations there were.
    pub ops: u64,
    /// How many turns they made.
    pub turns: u64,
    /// How many operations had been imported before.
    pub skipped: u64,
    /// How often each action was taken.
    pub actions: BTreeMap<&'static str, u64>,
}

/// What an import of a whole store brought in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// How many lines there were of each kind.
    pub counts: BTreeMap<String, u64>,
}
