//! The stores that the reads are measured on, all with the same facts in them.

use std::path::Path;
use std::sync::Arc;

use hitherto::Graph;
use hitherto::time::Timestamp;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::corpus::{Corpus, Point};
use crate::peers::bare::Bare;
use crate::peers::minigraf::Graf;
use crate::peers::sqlite::Sqlite;
use crate::size::Sizes;
use crate::{subject, table};

/// Everything that reads are asked of.
pub(crate) struct Stand<'r> {
    pub(crate) runtime: &'r Runtime,
    pub(crate) corpus: Corpus,
    /// With its cache, as it is by default.
    pub(crate) warm: Graph,
    /// On a copy of the same files, without a cache.
    pub(crate) cold: Graph,
    /// The engine alone, on a copy of the same files: the same rows to the byte.
    pub(crate) bare: Bare,
    pub(crate) sqlite: Sqlite,
    /// The same again, with a lock that it never lets go of.
    pub(crate) sqlite_exclusive: Sqlite,
    pub(crate) graf: Graf,
    /// The newest point, well after everything that was written.
    pub(crate) now: Point,
    /// How many facts there are, as the table says it.
    pub(crate) size: String,
    _directory: TempDir,
}

impl<'r> Stand<'r> {
    pub(crate) fn build(runtime: &'r Runtime, sizes: &Sizes) -> Outcome<Self> {
        let directory = tempfile::tempdir()?;
        let place = |name: &str| directory.path().join(name);
        let corpus = Corpus::new(sizes)?;
        table::say(&format!("loading {} facts into five stores", corpus.facts));
        let (warm, cold, bare) = runtime.block_on(async {
            let graph = subject::open(&place("warm"), None).await?;
            subject::load(&graph, &corpus).await?;
            graph.close().await?;
            copy(&place("warm"), &place("cold"))?;
            copy(&place("warm").join("data"), &place("bare"))?;
            let warm = subject::open(&place("warm"), None).await?;
            let cold = subject::open(&place("cold"), Some(0)).await?;
            let bare = Bare::open(&place("bare")).await?;
            Outcome::Ok((warm, cold, bare))
        })?;
        let sqlite = Sqlite::open(&place("sqlite.db"))?;
        sqlite.load(&corpus)?;
        let sqlite_exclusive = Sqlite::open_exclusive(&place("exclusive.db"))?;
        sqlite_exclusive.load(&corpus)?;
        let graf = Graf::open(&place("minigraf.graph"), &corpus)?;
        let known_at = corpus.turns.last().map(|turn| turn.known_at).ok_or("there are no turns")?;
        let now = Point { valid_at: Timestamp::parse("2026-01-01")?, known_at };
        let size = format!("{} k facts", (corpus.facts + 500) / 1_000);
        Ok(Self {
            runtime,
            corpus,
            warm,
            cold,
            bare,
            sqlite,
            sqlite_exclusive,
            graf,
            now,
            size,
            _directory: directory,
        })
    }

    /// Closes the stores in order.
    pub(crate) fn close(self) -> Outcome<()> {
        self.runtime.block_on(async {
            self.warm.close().await?;
            self.cold.close().await?;
            Ok(())
        })
    }

    /// Returns the name of an entity, shared.
    pub(crate) fn name(&self, entity: usize) -> Arc<str> {
        self.corpus.names[entity].as_str().into()
    }
}

/// Copies a directory with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) -> Outcome<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Fails unless two contestants gave the same answer.
pub(crate) fn agree<T: PartialEq + std::fmt::Debug>(
    question: &str,
    ours: &T,
    peer: &str,
    theirs: &T,
) -> Outcome<()> {
    if ours == theirs {
        return Ok(());
    }
    Err(format!(
        "the answers differ, nothing was timed: {question}\n hitherto: {ours:?}\n {peer}: {theirs:?}"
    )
    .into())
}
