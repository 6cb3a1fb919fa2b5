//! Request lines, read on a thread of their own so that Ctrl-C is heard while
//! nobody types.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::thread;

use tokio::sync::mpsc::{Receiver, channel};

use super::failure::Failure;
use super::legible::legible;
use crate::Error;
use crate::surfaces::json::LINE_LIMIT;

/// How many lines are read ahead: with the limit of a line, at most 128 MiB.
const AHEAD: usize = 8;
/// What some editors put before the first line.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A line of requests.
#[derive(Debug)]
pub(super) enum Line {
    /// A line that may be a request.
    Request(String),
    /// A line that cannot be one; its answer.
    Refused(Error),
    /// No further line can be read: what was being done, and why not.
    Unreadable(String, io::Error),
}

/// Returns the lines of a file, or of standard input; those with nothing but
/// white space are left out.
pub(super) fn lines(file: Option<&Path>) -> Result<Receiver<Line>, Failure> {
    let name = file.map_or_else(|| "standard input".to_owned(), |file| legible(&file.display().to_string()));
    let act = format!("cannot read {name}");
    let input: Box<dyn Read + Send> = match file {
        Some(file) => Box::new(File::open(file).map_err(|error| Failure::io(&act, &error))?),
        None => Box::new(io::stdin()),
    };
    let (sender, receiver) = channel(AHEAD);
    thread::spawn(move || {
        let mut reader = Reader { input: BufReader::new(input), is_first: true };
        loop {
            let line = match reader.next() {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(error) => Line::Unreadable(act.clone(), error),
            };
            let is_last = matches!(line, Line::Unreadable(..));
            if sender.blocking_send(line).is_err() || is_last {
                return;
            }
        }
    });
    Ok(receiver)
}

struct Reader<R> {
    input: R,
    is_first: bool,
}

impl<R: BufRead> Reader<R> {
    /// Returns the next line that is not empty.
    fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            // One byte for the end of the line, one to know that there is too much.
            let most = LINE_LIMIT as u64 + 2;
            if (&mut self.input).take(most).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            let is_first = std::mem::take(&mut self.is_first);
            if bytes.last() == Some(&b'\n') {
                bytes.pop();
            } else if bytes.len() > LINE_LIMIT {
                let size = bytes.len() as u64 + self.skip()?;
                return Ok(Some(Line::Refused(too_long(size))));
            }
            if bytes.len() > LINE_LIMIT {
                return Ok(Some(Line::Refused(too_long(bytes.len() as u64))));
            }
            let line = match String::from_utf8(bytes) {
                Ok(line) => line,
                Err(error) => {
                    let place = error.utf8_error().valid_up_to();
                    let message = format!("the line is no UTF-8 from its byte {place} on");
                    return Ok(Some(Line::Refused(Error::invalid("json_invalid", message))));
                }
            };
            let line = match line.strip_prefix(BYTE_ORDER_MARK) {
                Some(rest) if is_first => rest.to_owned(),
                _ => line,
            };
            if !line.trim().is_empty() {
                return Ok(Some(Line::Request(line)));
            }
        }
    }

    /// Passes over the rest of a line without keeping it; returns its bytes.
    fn skip(&mut self) -> io::Result<u64> {
        let mut size = 0;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(size);
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let passed = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(passed);
            size += end.unwrap_or(passed) as u64;
            if end.is_some() {
                return Ok(size);
            }
        }
    }
}

fn too_long(size: u64) -> Error {
    Error::invalid("line_too_long", format!("the line has {size} bytes, the limit is {LINE_LIMIT}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Vec<Result<String, &'static str>> {
        let mut reader = Reader { input: BufReader::new(input), is_first: true };
        let mut found = Vec::new();
        while let Some(line) = reader.next().expect("memory can be read") {
            found.push(match line {
                Line::Request(line) => Ok(line),
                Line::Refused(error) => Err(error.code()),
                Line::Unreadable(_, error) => panic!("{error}"),
            });
        }
        found
    }

    #[test]
    fn empty_lines_are_passed_over_and_bad_ones_are_answered() {
        assert_eq!(
            read(b"\xef\xbb\xbfa\r\n\n  \nb\xff\nc"),
            [Ok("a\r".to_owned()), Err("json_invalid"), Ok("c".to_owned())]
        );
    }

    #[test]
    fn reading_goes_on_after_a_line_that_is_too_long() {
        for (size, is_refused) in
            [(LINE_LIMIT, false), (LINE_LIMIT + 1, true), (LINE_LIMIT + 2, true), (LINE_LIMIT + 70_000, true)]
        {
            let mut input = vec![b'x'; size];
            input.extend(b"\nnext");
            let found = read(&input);
            assert_eq!(found[0].is_err(), is_refused, "{size}");
            assert_eq!(found[1..], [Ok("next".to_owned())], "{size}");
        }
    }
}
