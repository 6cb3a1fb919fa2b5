//! The directory of an embedded store.
//!
//! ```text
//! DIR/HITHERTO   what this is: one line, and whether the store was made whole
//! DIR/HOLDER     the process that has it open, for the message to the next one
//! DIR/data/      the engine's own files
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::engine::{StoreError, StoreErrorKind};

const MARK: &str = "HITHERTO";
const HOLDER: &str = "HOLDER";
const DATA: &str = "data";
/// The first line of the mark.
const TITLE: &str = "A Hitherto store. Its files belong together.";
/// The second line, once the store has its tables.
const WHOLE: &str = "whole";

/// A directory that is, or is about to be, a store.
pub(super) struct Directory {
    path: PathBuf,
}

impl Directory {
    /// Takes a directory for a store: one that is one already, or an empty or
    /// absent one where `create` says that it may become one.
    pub(super) fn claim(path: &str, create: bool) -> Result<Self, StoreError> {
        let directory = Self { path: PathBuf::from(path) };
        let shown = directory.path.display();
        let not_a_store = |says: &str| StoreError::new(StoreErrorKind::NotAStore, format!("{shown} {says}"));
        if path.is_empty() {
            return Err(StoreError::new(StoreErrorKind::NotAStore, "the URL names no directory"));
        }
        if path.contains('?') {
            return Err(not_a_store("cannot hold a store: its name has a question mark"));
        }
        match fs::read_to_string(directory.path.join(MARK)) {
            Ok(mark) if mark.starts_with(TITLE) => {
                if mark.lines().any(|line| line == WHOLE) {
                    directory.check_whole()?;
                }
                return Ok(directory);
            }
            Ok(_) => {
                return Err(not_a_store("is not a Hitherto store: its HITHERTO file says something else"));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(not_a_store("is a file, not the directory of a store"));
            }
            Err(error) => return Err(directory.trouble("read", &error)),
        }
        match fs::read_dir(&directory.path).map(|mut entries| entries.next().is_some()) {
            Ok(true) => return Err(not_a_store("is not a Hitherto store: it holds other files")),
            Ok(false) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(not_a_store("is a file, not the directory of a store"));
            }
            Err(error) => return Err(directory.trouble("read", &error)),
        }
        if !create {
            return Err(StoreError::new(StoreErrorKind::Missing, format!("there is no store at {shown}")));
        }
        fs::create_dir_all(&directory.path)
            .and_then(|()| fs::write(directory.path.join(MARK), format!("{TITLE}\n")))
            .map_err(|error| directory.trouble("make", &error))?;
        Ok(directory)
    }

    /// A store that was whole must still have the engine's manifest: without
    /// it the engine would silently start an empty one.
    fn check_whole(&self) -> Result<(), StoreError> {
        let manifests = self.data().join("manifest");
        let usable = fs::read_dir(&manifests).is_ok_and(|entries| {
            entries
                .filter_map(Result::ok)
                .any(|entry| entry.metadata().is_ok_and(|meta| meta.is_file() && meta.len() > 0))
        });
        if usable || !self.data().join("sstables").exists() && self.data().join("CURRENT").exists() {
            Ok(())
        } else {
            Err(StoreError::corrupt(format!(
                "{} is missing or empty: the store is damaged",
                manifests.display()
            )))
        }
    }

    pub(super) fn data(&self) -> PathBuf {
        self.path.join(DATA)
    }

    /// Writes down that the store has its tables.
    pub(super) fn settle_in(&self) -> Result<(), StoreError> {
        let mark = self.path.join(MARK);
        let text = format!("{TITLE}\n{WHOLE}\n");
        if fs::read_to_string(&mark).is_ok_and(|held| held == text) {
            return Ok(());
        }
        // A new file in the place of the old: never half a mark.
        let fresh = self.path.join("HITHERTO.new");
        fs::write(&fresh, text)
            .and_then(|()| fs::File::open(&fresh)?.sync_all())
            .and_then(|()| fs::rename(&fresh, &mark))
            .map_err(|error| self.trouble("write to", &error))
    }

    /// Leaves a note of who holds the store, for the message to the next one.
    /// Only a courtesy: the lock is the engine's.
    pub(super) fn note_holder(&self) {
        let _ = fs::write(self.path.join(HOLDER), format!("{}\n", std::process::id()));
    }

    /// Returns the error of a store that somebody else has open.
    pub(super) fn held(&self) -> StoreError {
        let who = fs::read_to_string(self.path.join(HOLDER)).unwrap_or_default();
        let who = match who.trim() {
            "" => "another process".to_owned(),
            pid if pid == std::process::id().to_string() => "this process, through another handle".to_owned(),
            pid => format!("process {pid}"),
        };
        StoreError::new(
            StoreErrorKind::Held,
            format!("the store at {} is held by {who}", self.path.display()),
        )
    }

    /// Returns the error of a store that the engine could not open.
    pub(super) fn unopened(&self, says: &str) -> StoreError {
        let trouble = ["No space left", "Read-only", "Permission denied", "os error"];
        let kind = if trouble.iter().any(|sign| says.contains(sign)) {
            StoreErrorKind::Unavailable
        } else {
            StoreErrorKind::Corrupt
        };
        StoreError::new(kind, format!("the store at {} cannot be opened: {says}", self.path.display()))
    }

    fn trouble(&self, act: &str, error: &io::Error) -> StoreError {
        StoreError::new(
            StoreErrorKind::Unavailable,
            format!("cannot {act} the directory {}: {error}", self.path.display()),
        )
    }

    /// Waits until the engine has let go of its lock, a moment after its
    /// handle is dropped, so that the next open finds it free.
    pub(super) async fn wait_until_free(&self) {
        let lock = self.data().join("LOCK");
        for _ in 0..250 {
            if is_free(&lock) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(4)).await;
        }
    }
}

/// Whether nobody holds the engine's lock file.
fn is_free(lock: &Path) -> bool {
    match fs::File::open(lock) {
        // The probe's own lock goes with the file at the end of this function.
        Ok(file) => file.try_lock().is_ok(),
        Err(_) => true,
    }
}
