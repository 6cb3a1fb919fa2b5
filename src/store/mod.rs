//! The only module that knows the engine: tables, rows, reads and writes.
//!
//! **Invariant:** nothing of the engine appears in a signature that leaves this
//! module, so every rank above could stand on another one.

mod cache;
mod directory;
mod dump;
mod engine;
mod ledger;
mod migrate;
mod reader;
mod record;
mod row;
mod rows;
mod writer;

pub(crate) use cache::{EntityUnit, Era};
pub use dump::Row;
pub(crate) use dump::{Dump, TABLES};
pub(crate) use engine::{StoreError, StoreErrorKind};
pub(crate) use reader::{Reader, value_key};
pub(crate) use rows::{DecisionRow, IMPORT_KEY, MessageRow, PolicyRow, ReplayRow};
pub use rows::{OutcomeRow, TurnRow};
pub(crate) use writer::{Batch, EntityChange, Writer, is_indexed};

use std::sync::Arc;

use engine::Engine;

/// An open store: its engine, its cache and whatever keeps its directory.
pub(crate) struct Store {
    pub(crate) reader: Reader,
    pub(crate) writer: Writer,
    pub(crate) dump: Dump,
    cache: Arc<cache::Cache>,
    engine: Arc<Engine>,
}

impl Store {
    /// Opens the store at a URL, making it when it is not there and `create` says so.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] that says why it cannot be opened: another process
    /// holds it, the directory is something else, a newer version wrote it.
    pub(crate) async fn open(
        url: &str,
        create: bool,
        cache_bytes: usize,
        durable: bool,
    ) -> Result<Self, StoreError> {
        let engine = Arc::new(Engine::open(url, create, durable).await?);
        migrate::migrate(&engine).await?;
        engine.settle_in()?;
        let dump = Dump::new(Arc::clone(&engine));
        dump.refuse_half().await?;
        let cache = Arc::new(cache::Cache::new(cache_bytes));
        Ok(Self {
            reader: Reader::new(Arc::clone(&engine), Arc::clone(&cache)),
            writer: Writer::new(Arc::clone(&engine), Arc::clone(&cache)),
            dump,
            cache,
            engine,
        })
    }

    /// Returns how many times the engine has been called.
    #[must_use]
    pub(crate) fn engine_calls(&self) -> u64 {
        self.engine.calls()
    }

    /// Whether turns are bounded because the engine keeps everything in memory.
    #[must_use]
    pub(crate) fn is_in_memory(&self) -> bool {
        self.engine.is_in_memory()
    }

    /// Forgets everything that was read: the rows have changed behind the cache.
    pub(crate) fn forget_reads(&self) {
        self.cache.clear();
    }

    /// Gives up the engine and its lock.
    pub(crate) async fn close(&self) {
        self.engine.close().await;
    }
}
