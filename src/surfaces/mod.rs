//! What the outside sees: the shapes of the protocol, and ways to speak it.
//!
//! A surface turns a request into calls of [`Graph`](crate::Graph) and its
//! answer into a response. A rule found here is in the wrong place.

#[cfg(feature = "cli")]
pub mod cli;
mod cursor;
mod dispatch;
mod fields;
mod json;
mod lines;
mod list;
mod print;
mod read;
mod transfer;
mod wire;
mod write;

pub use dispatch::{answer, respond};
pub use transfer::{ImportReport, Progress, export, import_export, import_ops};
