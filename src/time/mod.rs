//! Instants, half-open periods, and the plane of two time axes.
//!
//! Every fact lives on two axes: *valid* time, when it holds in the world, and
//! *known* time, when the store believed it. A period is half-open on either,
//! so that two periods which meet share no instant and leave no gap. One period
//! of each spans a [`Rectangle`], and what is believed of a claim over its
//! whole life is a [`Coverage`]: a set of rectangles that never overlap.
//!
//! ```text
//!  known
//!    ^           ......................... until OPEN: still believed
//!    |           |         |
//!    |           |  Zurich |   Geneva
//!    |           |         |
//!    |   +-------+---------+ <- the turn that learned of the move
//!    |   |   Zurich
//!    |   +------------------------------> the turn that first said so
//!    +-----------------------------------> valid
//! ```
//!
//! Everything here is pure: no clock, no input or output, nothing else of the
//! crate. Instants are never added up or measured, only ordered, but for
//! [`Timestamp::next`] and [`Timestamp::saturating_add_micros`].
//!
//! ```
//! use hitherto::time::{Coverage, Period, Rectangle, TimeError, Timestamp};
//!
//! // Believed since January: she lives in Zurich, from 2020 on.
//! let first_said = Timestamp::parse("2024-01-10")?;
//! let mut zurich = Coverage::of(Rectangle {
//!     valid: Period::parse("2020-01-01", "open")?,
//!     known: Period::since(first_said)?,
//! });
//!
//! // Learned in March: she had moved away in February.
//! let learned = Timestamp::parse("2024-03-05")?;
//! zurich.end(Period::parse("2024-02-01", "open")?, learned);
//!
//! let february = Timestamp::parse("2024-02-15")?;
//! assert!(zurich.contains(february, first_said));
//! assert!(!zurich.contains(february, learned));
//! # Ok::<(), TimeError>(())
//! ```

mod allen;
mod coverage;
mod error;
mod period;
mod period_set;
mod rectangle;
mod rfc3339;
mod timestamp;

#[cfg(test)]
mod small_world;

pub use allen::Allen;
pub use coverage::Coverage;
pub use error::TimeError;
pub use period::Period;
pub use period_set::PeriodSet;
pub use rectangle::Rectangle;
pub use timestamp::Timestamp;
