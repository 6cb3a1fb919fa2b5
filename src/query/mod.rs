//! Reading: what held when, as believed when.
//!
//! A read takes a [`Coordinate`] and sees facts as they stood there. The pure
//! half of each question works on facts; `Snapshot` fetches them, in as few
//! engine calls as their layout allows.

mod as_of;
mod because;
mod diff;
mod explain;
mod get;
mod history;
mod holders;
mod profile;
mod snapshot;
mod timeline;
mod traverse;

pub use as_of::{Coordinate, ScopeView, Sight, SlotView};
pub use because::Because;
pub use diff::{Change, ChangeClass};
pub use explain::Explained;
pub use get::{Got, What};
pub use history::Entry;
pub use holders::Condition;
pub use profile::Profile;
pub use snapshot::Rulebook;
pub(crate) use snapshot::{Resolution, Snapshot};
pub use timeline::{Content, Segment};
pub use traverse::{Direction, Neighbourhood, Route, Walk};
