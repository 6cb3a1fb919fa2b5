//! Where a list goes on: an opaque text that pins the basis.

use serde_json::{Value as Json, json};

use crate::Basis;
use crate::error::Error;
use crate::time::Timestamp;

/// The place after which a list goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    /// The basis of the first page.
    pub(super) basis: Basis,
    /// How many entries came before.
    pub(super) offset: usize,
    /// The last entry, where a list is read by its keys.
    pub(super) last: Option<(String, String)>,
}

impl Cursor {
    /// Prints the cursor.
    pub(super) fn print(&self) -> String {
        let basis = self.basis;
        let parts =
            json!([basis.tx, basis.known_at.as_micros(), basis.valid_at.as_micros(), self.offset, self.last]);
        parts.to_string().bytes().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads a cursor.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        read(text).ok_or_else(|| {
            let shown: String = text.chars().take(40).collect();
            Error::invalid("cursor_invalid", format!("cursor {shown:?} was not given out here"))
                .at_field("cursor")
        })
    }
}

fn read(text: &str) -> Option<Cursor> {
    let bytes: Vec<u8> = text
        .as_bytes()
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()))
        .collect::<Option<_>>()?;
    let parts: Json = serde_json::from_slice(&bytes).ok()?;
    let micros = |part: &Json| Timestamp::from_micros(part.as_i64()?).ok();
    let [tx, known_at, valid_at, offset, last] = parts.as_array()?.as_slice() else { return None };
    let last = match last {
        Json::Null => None,
        Json::Array(pair) => Some((pair.first()?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned())),
        _ => return None,
    };
    Some(Cursor {
        basis: Basis { tx: tx.as_u64()?, known_at: micros(known_at)?, valid_at: micros(valid_at)? },
        offset: usize::try_from(offset.as_u64()?).ok()?,
        last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_and_nothing_else_reads_as_one() {
        let at = Timestamp::parse("2025-01-01").expect("a date");
        let cursor = Cursor {
            basis: Basis { tx: 7, known_at: at, valid_at: at },
            offset: 3,
            last: Some(("person".into(), "mara \"quill\"".into())),
        };
        assert_eq!(Cursor::parse(&cursor.print()).ok(), Some(cursor));
        for text in ["", "zz", "5b5d", "é"] {
            assert!(Cursor::parse(text).is_err(), "{text:?}");
        }
    }
}
