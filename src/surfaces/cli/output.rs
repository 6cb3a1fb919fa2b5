//! The only place that prints.
//!
//! Nothing here panics when the other end of a pipe has gone: a reader that
//! has seen enough is no error.

use std::io::{self, BufWriter, IsTerminal, Write};

use super::failure::Failure;
use super::legible::legible;

/// Prints lines on standard output, as they are.
pub(super) fn line(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
        .map_err(|error| Failure::io("cannot write to standard output", &error))
}

/// Prints something for a person on standard error: `word: text`, made legible.
/// Standard error that has gone is nothing to complain about.
pub(super) fn complain(word: &str, text: &str) {
    let _ = writeln!(io::stderr().lock(), "{word}: {}", legible(text));
}

/// Returns standard output as a stream of bytes.
pub(super) fn stream() -> BufWriter<io::Stdout> {
    BufWriter::new(io::stdout())
}

/// Returns how wide a table may be; none where nobody says.
pub(super) fn width() -> Option<u16> {
    let columns = std::env::var("COLUMNS").ok()?.trim().parse().ok()?;
    (io::stdout().is_terminal() && columns >= 40).then_some(columns)
}
