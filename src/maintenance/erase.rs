//! Which facts an erasure takes, and how many of each kind.

use std::sync::Arc;

use crate::facts::{Claim, Fact, FactId, LineKind, Scope, Value};
use crate::identity::{EntityId, fold_slot};

/// Which facts are to be erased.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Whose; everybody's where only a scope is named.
    pub subject: Option<EntityId>,
    /// The spellings of the key, folded.
    pub keys: Option<Vec<Arc<str>>>,
    /// The key as given, where it is not declared: only facts of this very spelling.
    pub exact_key: Option<Arc<str>>,
    /// The label.
    pub label: Option<Arc<str>>,
    /// The object.
    pub object: Option<EntityId>,
    /// This one fact.
    pub fact: Option<FactId>,
    /// The scope, with all beneath it.
    pub scope: Option<Scope>,
    /// The value.
    pub value: Option<Value>,
}

impl Selection {
    /// Whether relations that end at the subject go with its own facts: where
    /// nothing narrower than a scope is named.
    #[must_use]
    pub fn takes_inbound(&self) -> bool {
        self.subject.is_some()
            && self.keys.is_none()
            && self.label.is_none()
            && self.fact.is_none()
            && self.value.is_none()
    }

    /// Whether a fact of the subject is taken.
    #[must_use]
    pub fn takes(&self, fact: &Fact) -> bool {
        if self.scope.as_ref().is_some_and(|scope| !fact.scope.is_within(scope)) {
            return false;
        }
        if let Some(id) = self.fact {
            return fact.id == id;
        }
        if let Some(keys) = &self.keys {
            let is_keyed = matches!(fact.claim.kind(), LineKind::Attribute | LineKind::Event);
            let folded = fold_slot(fact.claim.key());
            let spelled = self.exact_key.as_ref().is_none_or(|key| **key == *fact.claim.key());
            if !is_keyed || !spelled || !keys.iter().any(|key| **key == *folded) {
                return false;
            }
        }
        if let Some(label) = &self.label {
            let object = || self.object.as_ref().is_none_or(|object| fact.claim.object() == Some(object));
            if fact.claim.kind() != LineKind::Relation || fact.claim.key() != &**label || !object() {
                return false;
            }
        }
        self.value.as_ref().is_none_or(|value| fact.claim.value() == Some(value))
    }
}

/// How much an erasure takes, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Distinct facts.
    pub matched: usize,
    /// Attributes among them.
    pub attributes: usize,
    /// Relations among them.
    pub relations: usize,
    /// Events among them.
    pub events: usize,
    /// Notes among them.
    pub notes: usize,
    /// Sources that stood behind them.
    pub evidence: usize,
    /// Uncertainties about them.
    pub uncertainties: usize,
    /// Proposals that waited for confirmation.
    pub proposals: usize,
    /// Placeholders that go with the last relation to them.
    pub placeholders: usize,
}

impl Counts {
    /// Counts a fact in.
    pub fn add(&mut self, fact: &Fact) {
        self.matched += 1;
        self.evidence += fact.evidence.len();
        self.proposals += usize::from(fact.held.as_ref().is_some_and(|held| held.proposal && held.is_open()));
        *match fact.claim {
            Claim::Attribute { .. } => &mut self.attributes,
            Claim::Relation { .. } => &mut self.relations,
            Claim::Event { .. } => &mut self.events,
            Claim::Note { .. } => &mut self.notes,
        } += 1;
    }

    /// Returns the counts by their names on the wire, but for the total.
    #[must_use]
    pub fn by_name(&self) -> [(&'static str, usize); 8] {
        [
            ("attributes", self.attributes),
            ("relations", self.relations),
            ("events", self.events),
            ("notes", self.notes),
            ("evidence", self.evidence),
            ("uncertainties", self.uncertainties),
            ("proposals", self.proposals),
            ("placeholders", self.placeholders),
        ]
    }
}
