//! The reconciler: what each new claim does to what is held.
//!
//! One pure function decides, [`decide`]: the state of a slot, a
//! [`Candidate`] and a [`Ruling`] in, a [`Decision`] out. It works out the
//! effect first and applies the gates to the effect, not to the caller's label.
//! [`plan`] then turns the decision into new versions of facts. Neither reads
//! a clock, opens a file or logs.

mod candidate;
mod competes;
mod decide;
mod decision;
mod effect;
mod ending;
mod note;
mod plan;
pub mod removal;
mod settle;
mod state;
#[cfg(test)]
mod tests;
pub mod tokens;

pub use candidate::{Candidate, Says, Target, TimeRef};
pub(crate) use competes::competes;
pub use decide::decide;
pub use decision::{Cut, Decision, Effect};
pub(crate) use effect::is_change;
pub(crate) use plan::never_visible;
pub use plan::{Ids, Plan, plan};
pub use settle::settle;
pub use state::{Ruling, SlotState};
