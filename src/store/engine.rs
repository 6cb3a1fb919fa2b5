//! The connection to the engine, and what can go wrong with it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use surrealdb::Surreal;
use surrealdb::engine::any::{self, Any};
use surrealdb::types::{Value as Cell, Variables};
use thiserror::Error;
use tokio::sync::RwLock;

use super::directory::Directory;

/// How long an open waits for a lock that a closing handle of this process
/// still holds: closing is asynchronous in the engine, seen to take a few
/// milliseconds.
const LOCK_PATIENCE: Duration = Duration::from_millis(900);

/// What kind of trouble a store is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StoreErrorKind {
    /// The URL or the directory is not one of a store.
    NotAStore,
    /// There is no store where one was to be read.
    Missing,
    /// Another process, or another handle, holds it.
    Held,
    /// A newer version wrote it.
    Newer,
    /// What is stored cannot be read.
    Corrupt,
    /// The engine could not carry out what was asked: disk full, read-only, gone.
    Unavailable,
    /// Another writer was first.
    Conflict,
}

/// Why the store could not do what was asked.
#[derive(Clone, Debug, Error)]
#[error("{message}")]
pub(crate) struct StoreError {
    kind: StoreErrorKind,
    message: String,
}

impl StoreError {
    pub(super) fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(super) fn corrupt(message: impl Into<String>) -> Self {
        Self::new(StoreErrorKind::Corrupt, message)
    }

    pub(super) fn missing(field: &str) -> Self {
        Self::corrupt(format!("a row has no {field}"))
    }

    /// Returns what kind of trouble it is.
    #[must_use]
    pub(crate) fn kind(&self) -> StoreErrorKind {
        self.kind
    }
}

/// The one open connection of a store.
pub(super) struct Engine {
    db: RwLock<Option<Surreal<Any>>>,
    directory: Option<Directory>,
    in_memory: bool,
    calls: AtomicU64,
}

impl Engine {
    /// Connects to the engine that a URL names.
    pub(super) async fn open(url: &str, create: bool, durable: bool) -> Result<Self, StoreError> {
        let Some((scheme, rest)) = url.split_once("://") else {
            return Err(StoreError::new(
                StoreErrorKind::NotAStore,
                format!("{url:?} is no URL of a store: mem://, surrealkv://DIRECTORY or ws://HOST"),
            ));
        };
        let in_memory = matches!(scheme, "mem" | "memory");
        let embedded = matches!(scheme, "surrealkv" | "rocksdb");
        let directory = if embedded { Some(Directory::claim(rest, create)?) } else { None };
        let address = match &directory {
            // `every` is the engine's default; it is said here so that a
            // change of its mind changes nothing.
            Some(directory) => format!(
                "{scheme}://{}?sync={}",
                directory.data().display(),
                if durable { "every" } else { "5s" }
            ),
            None => url.to_owned(),
        };
        let db = connect(&address, directory.as_ref()).await?;
        db.use_ns("hitherto").use_db("main").await.map_err(|e| failure(&e))?;
        if let Some(directory) = &directory {
            directory.note_holder();
        }
        Ok(Self { db: RwLock::new(Some(db)), directory, in_memory, calls: AtomicU64::new(0) })
    }

    /// Says that the store has all it needs to be one.
    pub(super) fn settle_in(&self) -> Result<(), StoreError> {
        self.directory.as_ref().map_or(Ok(()), Directory::settle_in)
    }

    pub(super) fn is_in_memory(&self) -> bool {
        self.in_memory
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Runs statements as they stand and returns the answer of each that asks
    /// for one, in order.
    pub(super) async fn query(&self, sql: &str, variables: Variables) -> Result<Vec<Cell>, StoreError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let guard = self.db.read().await;
        let db = guard
            .as_ref()
            .ok_or_else(|| StoreError::new(StoreErrorKind::Unavailable, "the store is closed"))?;
        let mut answer = db.query(sql).bind(variables).await.map_err(|e| failure(&e))?;
        let mut errors: Vec<_> = answer.take_errors().into_iter().collect();
        if !errors.is_empty() {
            errors.sort_by_key(|(statement, _)| *statement);
            // When one statement fails the engine says of all others that they
            // were not executed; the one that says anything else is the cause.
            let mut errors = errors.into_iter().map(|(_, error)| error);
            let first = errors.next();
            let cause =
                first.iter().cloned().chain(errors).find(|e| !e.to_string().contains("was not executed"));
            return Err(failure(&cause.or(first).expect("there is an error")));
        }
        (0..answer.num_statements())
            .map(|statement| answer.take::<Cell>(statement).map_err(|e| failure(&e)))
            .collect()
    }

    /// Lets go of the engine; the lock is free a moment later.
    pub(super) async fn close(&self) {
        let db = self.db.write().await.take();
        drop(db);
        if let Some(directory) = &self.directory {
            directory.wait_until_free().await;
        }
    }
}

async fn connect(address: &str, directory: Option<&Directory>) -> Result<Surreal<Any>, StoreError> {
    let started = std::time::Instant::now();
    loop {
        let error = match any::connect(address).await {
            Ok(db) => return Ok(db),
            Err(error) => error.to_string(),
        };
        let locked = error.contains("already locked");
        match directory {
            Some(_) if locked && started.elapsed() < LOCK_PATIENCE => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Some(directory) if locked => return Err(directory.held()),
            Some(directory) => return Err(directory.unopened(&error)),
            None => {
                return Err(StoreError::new(
                    StoreErrorKind::Unavailable,
                    format!("the engine at {address} does not answer: {error}"),
                ));
            }
        }
    }
}

/// Classes a failure of the engine.
fn failure(error: &surrealdb::Error) -> StoreError {
    let message = error.to_string();
    let retry = ["can be retried", "Transaction conflict", "field `rev`"];
    let kind = if retry.iter().any(|sign| message.contains(sign)) {
        StoreErrorKind::Conflict
    } else {
        StoreErrorKind::Unavailable
    };
    StoreError::new(kind, format!("the engine refused: {message}"))
}
