//! What is claimed about a subject.

use std::sync::Arc;

use super::action::words;
use super::line::{Line, LineKind};
use super::value::Value;
use crate::identity::{EntityId, fold_slot};

words! {
    /// How present a note is kept.
    ///
    /// ```
    /// use hitherto::facts::Tier;
    ///
    /// assert!(Tier::L1 < Tier::L3);
    /// ```
    Tier {
        /// Hot: where a new note lands.
        L1 = "l1",
        /// Warm.
        L2 = "l2",
        /// Cold.
        L3 = "l3",
    }
}

/// One of the four things that can be said about a subject.
///
/// ```
/// use hitherto::facts::{Claim, LineKind, Value};
///
/// let claim = Claim::Attribute { key: "plan".into(), value: Value::text("Seed") };
/// assert_eq!(claim.kind(), LineKind::Attribute);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The subject's `key` is `value`.
    Attribute {
        /// The declared name of the slot, or the key as given.
        key: Arc<str>,
        /// What it is.
        value: Value,
    },
    /// The subject stands in relation `label` to `object`.
    Relation {
        /// The label as given.
        label: Arc<str>,
        /// The other end.
        object: EntityId,
        /// The name of the other end as first written.
        object_name: Arc<str>,
    },
    /// Something happened to the subject.
    Event {
        /// What kind of thing.
        key: Arc<str>,
        /// What of it.
        value: Value,
    },
    /// A free sentence about the subject.
    Note {
        /// The sentence as written.
        text: Arc<str>,
        /// How present it is kept.
        tier: Tier,
    },
}

impl Claim {
    /// Returns which of the four it is.
    ///
    /// ```
    /// # use hitherto::facts::{Claim, LineKind, Tier};
    /// let note = Claim::Note { text: "likes rain".into(), tier: Tier::L1 };
    /// assert_eq!(note.kind(), LineKind::Note);
    /// ```
    #[must_use]
    pub fn kind(&self) -> LineKind {
        match self {
            Self::Attribute { .. } => LineKind::Attribute,
            Self::Relation { .. } => LineKind::Relation,
            Self::Event { .. } => LineKind::Event,
            Self::Note { .. } => LineKind::Note,
        }
    }

    /// Returns the key, the label, or the empty text of a note.
    ///
    /// ```
    /// # use hitherto::facts::{Claim, Value};
    /// let claim = Claim::Event { key: "visit".into(), value: Value::Bool(true) };
    /// assert_eq!(claim.key(), "visit");
    /// ```
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Attribute { key, .. } | Self::Event { key, .. } => key,
            Self::Relation { label, .. } => label,
            Self::Note { .. } => "",
        }
    }

    /// Returns the line on which facts of this claim lie.
    ///
    /// ```
    /// # use hitherto::facts::{Claim, Value};
    /// let key = |key: &str| Claim::Attribute { key: key.into(), value: Value::Int(1) }.line();
    /// assert_eq!(key("Seat-Limit"), key("seat_limit"));
    /// ```
    #[must_use]
    pub fn line(&self) -> Line {
        match self {
            Self::Attribute { key, .. } | Self::Event { key, .. } => Line::new(self.kind(), &fold_slot(key)),
            Self::Relation { label, .. } => Line { kind: LineKind::Relation, key: Arc::clone(label) },
            Self::Note { .. } => Line::new(LineKind::Note, ""),
        }
    }

    /// Returns the value of an attribute or an event.
    ///
    /// ```
    /// # use hitherto::facts::{Claim, Tier};
    /// let note = Claim::Note { text: "likes rain".into(), tier: Tier::L1 };
    /// assert_eq!(note.value(), None);
    /// ```
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Attribute { value, .. } | Self::Event { value, .. } => Some(value),
            Self::Relation { .. } | Self::Note { .. } => None,
        }
    }

    /// Returns the object of a relation.
    ///
    /// ```
    /// # use hitherto::facts::{Claim, Value};
    /// let claim = Claim::Event { key: "visit".into(), value: Value::Bool(true) };
    /// assert_eq!(claim.object(), None);
    /// ```
    #[must_use]
    pub fn object(&self) -> Option<&EntityId> {
        match self {
            Self::Relation { object, .. } => Some(object),
            _ => None,
        }
    }

    /// Returns the tier of a note.
    ///
    /// ```
    /// # use hitherto::facts::{Claim, Tier};
    /// let note = Claim::Note { text: "likes rain".into(), tier: Tier::L2 };
    /// assert_eq!(note.tier(), Some(Tier::L2));
    /// ```
    #[must_use]
    pub fn tier(&self) -> Option<Tier> {
        match self {
            Self::Note { tier, .. } => Some(*tier),
            _ => None,
        }
    }

    /// Whether both claims say the same thing in the same words: equal values,
    /// the same object, the same sentence.
    ///
    /// Keys are not compared: that two claims share a slot is for the caller.
    ///
    /// ```
    /// # use hitherto::facts::{Claim, Value};
    /// let plan = |key: &str, n| Claim::Attribute { key: key.into(), value: Value::Int(n) };
    /// assert!(plan("plan", 2).says_the_same(&plan("Plan", 2)));
    /// assert!(!plan("plan", 2).says_the_same(&plan("plan", 3)));
    /// ```
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Attribute { value: a, .. }, Self::Attribute { value: b, .. })
            | (Self::Event { value: a, .. }, Self::Event { value: b, .. }) => a == b,
            (Self::Relation { object: a, .. }, Self::Relation { object: b, .. }) => a == b,
            (Self::Note { text: a, .. }, Self::Note { text: b, .. }) => a == b,
            _ => false,
        }
    }

    /// Returns what is claimed as a person would read it.
    ///
    /// ```
    /// # use hitherto::facts::{Claim, Value};
    /// let claim = Claim::Attribute { key: "seats".into(), value: Value::Int(5) };
    /// assert_eq!(claim.plain(), "5");
    /// ```
    #[must_use]
    pub fn plain(&self) -> String {
        match self {
            Self::Attribute { value, .. } | Self::Event { value, .. } => value.plain(),
            Self::Relation { object_name, .. } => object_name.to_string(),
            Self::Note { text, .. } => text.to_string(),
        }
    }
}
