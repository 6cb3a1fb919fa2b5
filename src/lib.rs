//! A bitemporal knowledge-graph store on embedded `SurrealDB`.
//!
//! Hitherto keeps, for each entity `[type, name]`, chains of facts with *valid
//! time* (when it holds in the world) and *known time* (when the store
//! believed it). A reconciler that minds authority decides, deterministically,
//! what each new claim does to what is held; what it cannot decide becomes an
//! uncertainty, never a silent choice. Every answer says what it rests on, and
//! handing that back repeats the answer.
//!
//! It is not a vector store, not a message queue and not a cluster: one process
//! holds an embedded store, and everything goes through its [`Graph`].
//!
//! ```
//! use hitherto::{Graph, Options, answer};
//!
//! # let runtime = tokio::runtime::Runtime::new()?;
//! # runtime.block_on(async {
//! let graph = Graph::open(Options::new("mem://")).await?;
//! let ask = async |request: &str| answer(&graph, request).await;
//!
//! let mara = r#""subject":{"type":"person","name":"Mara Quill"},"key":"role""#;
//! ask(&format!(r#"{{"op":"assert",{mara},"value":"diver","valid_from":"2019-01-01"}}"#)).await;
//! ask(&format!(r#"{{"op":"assert",{mara},"value":"captain","valid_from":"2021-06-01"}}"#)).await;
//!
//! let then = ask(&format!(r#"{{"op":"get",{mara},"valid_at":"2020-01-01"}}"#)).await;
//! assert!(then.contains(r#""value":"diver""#));
//! let now = ask(&format!(r#"{{"op":"get",{mara}}}"#)).await;
//! assert!(now.contains(r#""value":"captain""#));
//! graph.close().await
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod facts;
pub mod identity;
pub mod maintenance;
pub mod policy;
pub mod query;
pub mod reconcile;
pub mod surfaces;
pub mod time;

mod clock;
mod error;
mod graph;
mod store;

pub use clock::{Clock, SystemClock};
pub use error::{Error, ErrorKind};
pub use graph::{
    Answer, Basis, Chain, Choice, Erasure, Fate, Graph, Key, Manifest, Options, Outcome, Page, Proposal,
    Read, ReadOptions, Reference, Render, Replied, Restore, RestoreReport, Reviewed, Statement, Statistics,
    Turn, Waiting, WriteOptions,
};
pub use store::{OutcomeRow, Row, TurnRow};
pub use surfaces::{answer, respond};
