//! What the store holds once a claim has been reconciled.
//!
//! A [`Fact`] is a [`Claim`] with its rectangles (where on the valid × known
//! plane it is believed), its provenance and its standing. Everything in here
//! is plain data with its laws; nothing decides and nothing touches the world.

mod action;
mod claim;
mod fact;
mod line;
mod provenance;
mod scope;
mod uncertainty;
mod value;

pub(crate) use action::words;
pub use action::{Action, Reason};
pub use claim::{Claim, Tier};
pub use fact::{Fact, Held, Link, Standing, Status};
pub use line::{FactId, FactIdError, Line, LineKind};
pub use provenance::{Evidence, Pillar, Source, SourceKind};
pub use scope::{Scope, ScopeError};
pub use uncertainty::{Closing, Resolution, Uncertainty, UncertaintyId};
pub use value::{Value, ValueError};
