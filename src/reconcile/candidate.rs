//! A claim before reconciliation.

use std::sync::Arc;

use crate::facts::words;
use crate::facts::{Action, Claim, FactId, Line, LineKind, Pillar, Scope, Source, Value};
use crate::identity::{EntityId, fold_slot};
use crate::time::Timestamp;

words! {
    /// Which time the words of a claim speak of.
    ///
    /// ```
    /// use hitherto::reconcile::TimeRef;
    ///
    /// assert_eq!(TimeRef::parse("past"), Some(TimeRef::Past));
    /// ```
    TimeRef {
        /// Something that is over.
        Past = "past",
        /// Something that holds.
        Current = "current",
        /// A plan.
        Future = "future",
        /// The words do not say.
        Unknown = "unknown",
    }
}

/// What a candidate says.
#[derive(Clone, PartialEq, Debug)]
pub enum Says {
    /// That something holds, happened or was noted.
    Holds(Claim),
    /// That a value of this key, or whichever it has, ends.
    ValueEnds {
        /// The key.
        key: Arc<str>,
        /// The value that ends, if one is named.
        value: Option<Value>,
    },
    /// That a relation of this label ends.
    RelationEnds {
        /// The label.
        label: Arc<str>,
        /// The object at which it ends, if one is named, and its name as written.
        object: Option<(EntityId, Arc<str>)>,
    },
}

impl Says {
    /// Returns what the candidate says when it is read as a removal.
    #[must_use]
    pub fn as_ending(&self) -> Self {
        match self {
            Self::Holds(Claim::Attribute { key, value } | Claim::Event { key, value }) => {
                Self::ValueEnds { key: Arc::clone(key), value: Some(value.clone()) }
            }
            Self::Holds(Claim::Relation { label, object, object_name }) => Self::RelationEnds {
                label: Arc::clone(label),
                object: Some((object.clone(), Arc::clone(object_name))),
            },
            other => other.clone(),
        }
    }

    /// Returns the key, the label, or the empty text of a note.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Holds(claim) => claim.key(),
            Self::ValueEnds { key, .. } => key,
            Self::RelationEnds { label, .. } => label,
        }
    }

    /// Returns the line whose facts it may touch.
    #[must_use]
    pub fn line(&self) -> Line {
        match self {
            Self::Holds(claim) => claim.line(),
            Self::ValueEnds { key, .. } => Line::new(LineKind::Attribute, &fold_slot(key)),
            Self::RelationEnds { label, .. } => Line::new(LineKind::Relation, label),
        }
    }
}

/// The fact that a caller says its candidate is about.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// By id.
    Fact(FactId),
    /// By the value it holds.
    Value(Value),
}

/// A claim before reconciliation, its names resolved and its key folded.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// Whom it is about.
    pub subject: EntityId,
    /// What it says.
    pub says: Says,
    /// In which scope.
    pub scope: Scope,
    /// When it begins to hold, if stated.
    pub valid_from: Option<Timestamp>,
    /// When it ceases to hold, if stated; [`Timestamp::OPEN`] when said to be open.
    pub valid_until: Option<Timestamp>,
    /// Which time its words speak of.
    pub time_ref: TimeRef,
    /// The action that the caller proposes.
    pub proposal: Option<Action>,
    /// The fact that the caller says it is about.
    pub target: Option<Target>,
    /// How sure the source is, in `[0, 1]`.
    pub confidence: f64,
    /// Who says so.
    pub source: Arc<Source>,
    /// Who wrote it down.
    pub actor: Option<Arc<str>>,
    /// The sentence it was read from.
    pub raw: Option<Arc<str>>,
    /// What the caller attached.
    pub metadata: Option<Value>,
}

impl Candidate {
    /// Returns the pillar that the claim belongs to.
    #[must_use]
    pub fn pillar(&self) -> Pillar {
        self.source.kind.pillar()
    }

    /// Whether it names a start or an end.
    #[must_use]
    pub fn has_period(&self) -> bool {
        self.valid_from.is_some() || self.valid_until.is_some()
    }

    /// Whether it gives no hint at all when it holds.
    #[must_use]
    pub fn is_undated(&self) -> bool {
        !self.has_period() && self.source.observed_at.is_none()
    }

    /// Returns when it begins to hold: as stated; the beginning, where only an
    /// end is stated; else when it was observed, else the turn's known time.
    #[must_use]
    pub fn start(&self, known_at: Timestamp) -> Timestamp {
        // An end said to be open is no end, so it leaves the start alone.
        let ends = self.valid_until.is_some_and(|until| until != Timestamp::OPEN);
        match self.valid_from {
            Some(from) => from,
            None if ends => Timestamp::BEGINNING,
            None => self.source.observed_at.unwrap_or(known_at),
        }
    }
}
