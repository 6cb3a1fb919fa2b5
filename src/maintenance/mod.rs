//! Care of what is stored: forgetting, sweeping, checking, moving.
//!
//! Each has a pure half, facts in and findings or a plan out, and leaves the
//! fetching and the writing to the ranks around it.

mod duplicates;
mod erase;
mod fsck;
mod sweep;

pub use duplicates::{Bearer, FLOOR, Likeness, Pair, duplicates};
pub use erase::{Counts, Selection};
pub use fsck::{Finding, check_entity};
pub use sweep::{Named, SweepReport, Swept, moved};
