//! What callers hand in and get back: turns and their outcomes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::facts::{Action, FactId, Reason, Scope, Source, Status, Tier, UncertaintyId, Value};
use crate::identity::{EntityId, EntityType, Name};
use crate::maintenance::{Counts, SweepReport};
use crate::query::Content;
use crate::reconcile::{Target, TimeRef};
use crate::time::Timestamp;

/// An entity as a caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its type; none where it is to be found by its name.
    pub kind: Option<EntityType>,
    /// Its normalised name.
    pub name: Name,
    /// Its name as written.
    pub written: Arc<str>,
    /// The word that was given for its type, where the vocabulary has none such.
    pub unlisted: Option<Arc<str>>,
}

/// What a caller says.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// That a key has a value.
    Attribute {
        /// The key.
        key: Arc<str>,
        /// The value.
        value: Value,
        /// Whether it happened rather than holds, where the caller says so.
        event: Option<bool>,
    },
    /// That two entities are related.
    Relation {
        /// The label.
        label: Arc<str>,
        /// The other end.
        object: Reference,
    },
    /// A free sentence.
    Note {
        /// The sentence.
        text: Arc<str>,
        /// The tier.
        tier: Tier,
    },
    /// That a value ends.
    ValueEnds {
        /// The key.
        key: Arc<str>,
        /// The value, if one is named.
        value: Option<Value>,
    },
    /// That a relation ends.
    RelationEnds {
        /// The label.
        label: Arc<str>,
        /// The object, if one is named.
        object: Option<Reference>,
    },
}

/// A candidate as a caller hands it in: its names not yet resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Whom it is about.
    pub subject: Reference,
    /// What it says.
    pub says: Statement,
    /// In which scope.
    pub scope: Scope,
    /// When it begins to hold.
    pub valid_from: Option<Timestamp>,
    /// When it ceases to hold.
    pub valid_until: Option<Timestamp>,
    /// Which time its words speak of.
    pub time_ref: TimeRef,
    /// The action that the caller proposes.
    pub action: Option<Action>,
    /// The fact it is about.
    pub target: Option<Target>,
    /// How sure the source is; its kind's default where absent.
    pub confidence: Option<f64>,
    /// Who says so.
    pub source: Arc<Source>,
    /// The sentence it was read from.
    pub raw: Option<Arc<str>>,
    /// What the caller attaches.
    pub metadata: Option<Value>,
}

/// How an answer is kept for a request that is sent again.
pub type Render = Arc<dyn Fn(&Answer) -> String + Send + Sync>;

/// An idempotency key with the request that it stands for.
#[derive(Clone)]
pub struct Key {
    /// The key.
    pub key: Arc<str>,
    /// A hash of the request.
    pub body: Arc<str>,
    /// How the answer is kept; not at all, and for good, for an import.
    pub render: Option<Render>,
}

/// What is asked of the sequencer besides the request itself.
#[derive(Clone, Default)]
pub struct WriteOptions {
    /// The known time, where the caller names it.
    pub known_at: Option<Timestamp>,
    /// Who writes.
    pub actor: Option<Arc<str>>,
    /// What makes a second sending of the request harmless.
    pub key: Option<Key>,
    /// Whether to work everything out and store nothing.
    pub dry_run: bool,
    /// The chain that the request is a link of, if any.
    pub chain: Option<Chain>,
}

/// Requests that stand or fall in order: once one of them fails, those behind
/// it are refused.
///
/// ```
/// assert!(!hitherto::Chain::default().is_broken());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Chain(Arc<AtomicBool>);

impl Chain {
    /// Whether a link has failed.
    ///
    /// ```
    /// assert!(!hitherto::Chain::default().is_broken());
    /// ```
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    pub(super) fn snap(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// One atomic batch of candidates.
#[derive(Clone, Default)]
pub struct Turn {
    /// The candidates, in order.
    pub candidates: Vec<Proposal>,
    /// The message they were read from.
    pub message: Option<Arc<str>>,
    /// Everything else.
    pub options: WriteOptions,
}

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its place in the turn.
    pub index: usize,
    /// The action.
    pub action: Action,
    /// The reason.
    pub reason: Reason,
    /// The fact that was written or supported.
    pub fact: Option<FactId>,
    /// What the candidate said.
    pub content: Option<Content>,
    /// How the fact stands.
    pub status: Option<Status>,
    /// The facts that it retired.
    pub superseded: Vec<FactId>,
    /// The uncertainty that it opened or kept open.
    pub uncertainty: Option<UncertaintyId>,
    /// Whom it was about, and the name as first written.
    pub entity: (EntityId, Arc<str>),
    /// The word given for the type, where it became `other`.
    pub unlisted: Option<Arc<str>>,
    /// The transaction that declared the policy which judged it.
    pub policy: u64,
}

/// The answer to a write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The transaction, where one was written.
    pub tx: Option<u64>,
    /// Its known time; the named or the newest one where none was written.
    pub known_at: Option<Timestamp>,
    /// What became of each candidate.
    pub outcomes: Vec<Outcome>,
    /// Whether it had been decided before, the same way.
    pub already: bool,
    /// What an erasure took.
    pub counts: Option<Counts>,
    /// Whether the erasure was a purge.
    pub purged: bool,
    /// What a sweep did.
    pub sweep: Option<SweepReport>,
}

/// An answer that is new, or the kept text of an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub enum Replied<T> {
    /// A new answer.
    New(T),
    /// The answer that was given when the key was first used.
    Kept(Arc<str>),
    /// The key was used, and what it answered is kept no more.
    Gone(Option<u64>),
}
