//! Where a fact stands among the facts of its subject, and its id.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use super::action::words;

words! {
    /// The four kinds of claim.
    ///
    /// ```
    /// use hitherto::facts::LineKind;
    ///
    /// assert_eq!(LineKind::Relation.as_str(), "relation");
    /// ```
    LineKind {
        /// Subject, key and value.
        Attribute = "attribute",
        /// Subject, label and object.
        Relation = "relation",
        /// Something that happened.
        Event = "event",
        /// A free sentence.
        Note = "note",
    }
}

/// The facts of one subject that may bear on each other: one kind and one key.
///
/// The key is the folded key of attributes and events, the label of relations
/// and empty for notes, so that every spelling of a slot lies together.
///
/// ```
/// use hitherto::facts::{Line, LineKind};
///
/// let line = Line::new(LineKind::Attribute, "plan");
/// assert_eq!(&*line.key, "plan");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line {
    /// The kind of claim.
    pub kind: LineKind,
    /// The key under which the facts lie together.
    pub key: Arc<str>,
}

impl Line {
    /// Returns the line of a kind and a key.
    ///
    /// ```
    /// # use hitherto::facts::{Line, LineKind};
    /// assert_eq!(Line::new(LineKind::Note, "").kind, LineKind::Note);
    /// ```
    #[must_use]
    pub fn new(kind: LineKind, key: &str) -> Self {
        Self { kind, key: Arc::from(key) }
    }
}

/// The id of a fact: the turn that wrote it and its place in that turn.
///
/// Ids order facts by known time, then by the order in which they were written;
/// none is used twice.
///
/// ```
/// use hitherto::facts::FactId;
///
/// let id = FactId { tx: 7, place: 0 };
/// assert_eq!(id.to_string(), "F7.0");
/// assert_eq!("F7.0".parse::<FactId>(), Ok(id));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FactId {
    /// The transaction that wrote the fact.
    pub tx: u64,
    /// Its place among the facts of that transaction.
    pub place: u32,
}

/// A text that is no id of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not the id of a fact")]
pub struct FactIdError(String);

impl fmt::Display for FactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F{}.{}", self.tx, self.place)
    }
}

impl FromStr for FactId {
    type Err = FactIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.strip_prefix('F').and_then(|rest| rest.split_once('.'));
        let id =
            parts.and_then(|(tx, place)| Some(Self { tx: tx.parse().ok()?, place: place.parse().ok()? }));
        id.filter(|id| id.to_string() == text).ok_or_else(|| FactIdError(text.chars().take(80).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_and_nothing_else_reads_as_one() {
        let id = FactId { tx: 12, place: 3 };
        assert_eq!(id.to_string().parse(), Ok(id));
        for text in ["", "F", "F1", "F1.", "F01.0", "f1.0", "F1.0 ", "F-1.0", "U1.0"] {
            assert!(text.parse::<FactId>().is_err(), "{text:?}");
        }
    }
}
