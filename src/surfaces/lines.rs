//! Files of JSON Lines, plain or compressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::json::LINE_LIMIT;
use crate::error::{Error, ErrorKind};

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Counts the bytes that pass.
struct Counted<R> {
    inner: R,
    passed: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.passed.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// The lines of a file, with where each stands.
pub(super) struct Lines {
    reader: Box<dyn BufRead + Send>,
    passed: Arc<AtomicU64>,
    total: u64,
    number: u64,
    shown: String,
}

impl Lines {
    /// Opens a file, compressed or not.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let shown = path.display().to_string();
        let trouble = |error: io::Error| unreadable(&shown, &error);
        let mut file = File::open(path).map_err(trouble)?;
        let total = file.metadata().map_err(trouble)?.len();
        let mut head = [0; 2];
        let compressed = file.read(&mut head).map_err(trouble)? == 2 && head == GZIP;
        io::Seek::rewind(&mut file).map_err(trouble)?;
        let passed = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: file, passed: Arc::clone(&passed) };
        let reader: Box<dyn BufRead + Send> = if compressed {
            Box::new(BufReader::new(MultiGzDecoder::new(counted)))
        } else {
            Box::new(BufReader::new(counted))
        };
        Ok(Self { reader, passed, total, number: 0, shown })
    }

    /// Returns how many bytes of the file have been read, and of how many.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.passed.load(Ordering::Relaxed), self.total)
    }

    /// Returns the next line that is not blank, with its number.
    pub(super) fn next(&mut self) -> Result<Option<(u64, String)>, Error> {
        loop {
            let mut bytes = Vec::new();
            let limit = LINE_LIMIT as u64 + 2;
            let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut bytes);
            if read.map_err(|error| unreadable(&self.shown, &error))? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let at = |code, says: String| {
                Err(Error::invalid(code, format!("line {} of {}: {says}", self.number, self.shown)))
            };
            if bytes.len() > LINE_LIMIT {
                return at("line_too_long", format!("it has more than {LINE_LIMIT} bytes"));
            }
            let Ok(line) = String::from_utf8(bytes) else {
                return at("json_invalid", "it is no UTF-8".to_owned());
            };
            let line = line.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
            if !line.is_empty() {
                return Ok(Some((self.number, line.to_owned())));
            }
        }
    }

    /// Returns an error that names the line it is about.
    pub(super) fn about(&self, number: u64, error: &Error) -> Error {
        let message = format!("line {number} of {}: {error}", self.shown);
        let named = Error::new(error.kind(), error.code(), message);
        match error.field() {
            Some(field) => named.at_field(field),
            None => named,
        }
    }
}

fn unreadable(shown: &str, error: &io::Error) -> Error {
    let kind =
        if error.kind() == io::ErrorKind::NotFound { ErrorKind::NotFound } else { ErrorKind::Unavailable };
    Error::new(kind, "file_unreadable", format!("{shown} cannot be read: {error}"))
}

/// Returns the hash of a file.
pub(super) fn hash(path: &Path) -> Result<String, Error> {
    let shown = path.display().to_string();
    let mut hasher = blake3::Hasher::new();
    let mut file = File::open(path).map_err(|error| unreadable(&shown, &error))?;
    io::copy(&mut file, &mut hasher).map_err(|error| unreadable(&shown, &error))?;
    Ok(hasher.finalize().to_hex().to_string())
}
