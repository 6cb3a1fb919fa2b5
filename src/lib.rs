//! Hitherto.
pub mod time;
pub mod identity;
pub mod facts;
pub mod policy;
pub mod reconcile;
pub mod store;
pub mod query;
pub mod maintenance;
mod clock;
mod error;
mod graph;
pub use clock::{Clock, SystemClock};
pub use error::{Error, ErrorKind};
pub use graph::*;
pub mod surfaces;
pub use surfaces::{answer, respond};
