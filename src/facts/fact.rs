//! A fact: a claim after reconciliation.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::action::{Action, Reason, words};
use super::claim::Claim;
use super::line::{FactId, Line};
use super::provenance::{Evidence, Pillar};
use super::scope::Scope;
use super::uncertainty::UncertaintyId;
use super::value::Value;
use crate::identity::EntityId;
use crate::time::{Coverage, Period, Timestamp};

words! {
    /// How a fact stands, as of a known instant.
    ///
    /// ```
    /// use hitherto::facts::Status;
    ///
    /// assert_eq!(Status::Flagged.as_str(), "FLAGGED_CONFLICT");
    /// ```
    Status {
        /// Believed at its end.
        Active = "ACTIVE",
        /// Held for a person, never current.
        Flagged = "FLAGGED_CONFLICT",
        /// A successor or a retraction has taken its end.
        Superseded = "SUPERSEDED",
        /// Archived past, retraction tombstone, rejected proposal.
        Historical = "HISTORICAL",
    }
}

words! {
    /// What kind of record a fact is.
    ///
    /// ```
    /// use hitherto::facts::Standing;
    ///
    /// assert_eq!(Standing::parse("removal"), Some(Standing::Removal));
    /// ```
    Standing {
        /// A claim that something holds.
        Claim = "claim",
        /// A past value without a period: history only.
        Archive = "archive",
        /// That something ended: a tombstone, or a removal that is held.
        Removal = "removal",
    }
}

/// A claim that is held for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// Over which period it is contested.
    pub valid: Period,
    /// Since when it has been held.
    pub from: Timestamp,
    /// When it was let through, turned down or withdrawn.
    pub until: Option<Timestamp>,
    /// Whether it is a proposal that waits for confirmation.
    pub proposal: bool,
    /// What the caller asked for, were it let through.
    pub asks: Action,
    /// The facts it would retire.
    pub targets: Vec<FactId>,
    /// The uncertainty that was opened for it.
    pub uncertainty: Option<UncertaintyId>,
}

impl Held {
    /// Whether it was held at a known instant.
    #[must_use]
    pub fn is_open_at(&self, known_at: Timestamp) -> bool {
        self.from <= known_at && self.until.is_none_or(|until| until > known_at)
    }

    /// Whether it is held still.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.until.is_none()
    }
}

/// A link to a fact that replaced this one, and since when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The successor.
    pub fact: FactId,
    /// When it took over.
    pub since: Timestamp,
}

/// A claim after reconciliation: a value, its rectangles, its provenance.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// Its id, never used twice.
    pub id: FactId,
    /// Whom it is about.
    pub subject: EntityId,
    /// What it says.
    pub claim: Claim,
    /// The line on which it lies; follows from the claim and is kept because
    /// every look-up compares it.
    pub line: Line,
    /// What kind of record it is.
    pub standing: Standing,
    /// In which scope it holds.
    pub scope: Scope,
    /// Which body of facts it belongs to.
    pub pillar: Pillar,
    /// The period as claimed.
    pub claimed: Period,
    /// Where it is believed.
    pub coverage: Coverage,
    /// Whether and since when it is held for a person.
    pub held: Option<Held>,
    /// What reconciliation did with the candidate that wrote it.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// The facts it replaced.
    pub supersedes: Vec<FactId>,
    /// The facts that replaced it.
    pub superseded_by: Vec<Link>,
    /// The sources behind it, the one that wrote it first.
    pub evidence: Vec<Evidence>,
    /// What the caller attached to it.
    pub metadata: Option<Value>,
    /// When it was forgotten.
    pub forgotten_at: Option<Timestamp>,
}

impl Fact {
    /// Returns when the store first knew of it.
    ///
    /// # Panics
    ///
    /// Never: a fact is written with the evidence that made it.
    #[must_use]
    pub fn recorded_at(&self) -> Timestamp {
        self.origin().known_from
    }

    /// Returns the evidence that made it.
    ///
    /// # Panics
    ///
    /// Never: a fact is written with the evidence that made it.
    #[must_use]
    pub fn origin(&self) -> &Evidence {
        self.evidence.first().expect("a fact is written with the evidence that made it")
    }

    /// Whether it has been forgotten, whenever that was.
    #[must_use]
    pub fn is_forgotten(&self) -> bool {
        self.forgotten_at.is_some()
    }

    /// Whether it is held for a person now.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.held.as_ref().is_some_and(Held::is_open)
    }

    /// Whether some of it is believed now.
    #[must_use]
    pub fn is_believed(&self) -> bool {
        self.coverage.rectangles().iter().any(|r| r.known.until() == Timestamp::OPEN)
    }

    /// Whether a read of (`now`, latest) or later may need it: believed with an
    /// end after `now`, or held.
    #[must_use]
    pub fn matters_at(&self, now: Timestamp) -> bool {
        self.is_held() || self.believed_until().is_some_and(|until| until > now)
    }

    /// Returns the end of what is still believed.
    #[must_use]
    pub fn believed_until(&self) -> Option<Timestamp> {
        self.coverage
            .rectangles()
            .iter()
            .filter(|r| r.known.until() == Timestamp::OPEN)
            .map(|r| r.valid.until())
            .max()
    }

    /// Returns how it stood at a known instant.
    #[must_use]
    pub fn status_at(&self, known_at: Timestamp) -> Status {
        if self.held.as_ref().is_some_and(|held| held.is_open_at(known_at)) {
            return Status::Flagged;
        }
        if self.standing != Standing::Claim {
            return Status::Historical;
        }
        let known = || self.coverage.rectangles().iter().filter(|r| r.known.from() <= known_at);
        let Some(end) = known().map(|r| r.valid.until()).max() else {
            return Status::Historical;
        };
        if known().any(|r| r.valid.until() == end && r.known.contains(known_at)) {
            Status::Active
        } else {
            Status::Superseded
        }
    }

    /// Returns how many distinct sources stood behind it at a known instant.
    #[must_use]
    pub fn evidence_at(&self, known_at: Timestamp) -> usize {
        let seen: BTreeSet<_> = self
            .evidence
            .iter()
            .filter(|e| e.known_from <= known_at)
            .map(|e| (e.source.kind, e.source.name.as_deref(), e.source.reference.as_deref()))
            .collect();
        seen.len()
    }

    /// Returns its confidence as of a known instant: the most that any claimant
    /// stated when first speaking of it.
    #[must_use]
    pub fn confidence_at(&self, known_at: Timestamp) -> f64 {
        let mut spoken: Vec<&Evidence> = Vec::new();
        let mut most = 0.0_f64;
        for evidence in self.evidence.iter().filter(|e| e.known_from <= known_at) {
            let derived = evidence.source.derived_from.contains(&self.id);
            // A held claim that was said again and passed is judged by what passed.
            let passed = self.held.as_ref().is_some_and(|held| held.until == Some(evidence.known_from));
            if passed {
                most = most.max(evidence.confidence);
                continue;
            }
            if derived || spoken.iter().any(|e| e.source.same_claimant(&evidence.source)) {
                continue;
            }
            most = most.max(evidence.confidence);
            spoken.push(evidence);
        }
        most
    }

    /// Returns the names of the sources behind it, the first being its own.
    pub fn source_names(&self) -> impl Iterator<Item = Option<&str>> {
        self.evidence.iter().map(|e| e.source.name.as_deref())
    }

    /// Returns the facts that had replaced it at a known instant.
    pub fn superseded_by_at(&self, known_at: Timestamp) -> impl Iterator<Item = FactId> {
        self.superseded_by.iter().filter(move |l| l.since <= known_at).map(|l| l.fact)
    }

    /// Returns a lower bound of the memory that the fact takes, in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        let text = |t: &Option<Arc<str>>| t.as_ref().map_or(0, |t| t.len());
        let claim = match &self.claim {
            Claim::Attribute { key, value } | Claim::Event { key, value } => key.len() + value.weight(),
            Claim::Relation { label, object_name, .. } => label.len() + 2 * object_name.len(),
            Claim::Note { text, .. } => text.len(),
        };
        let evidence: usize = self
            .evidence
            .iter()
            .map(|e| {
                size_of::<Evidence>() + 128 + text(&e.source.name) + text(&e.source.reference) + text(&e.raw)
            })
            .sum();
        size_of::<Self>()
            + claim
            + evidence
            + size_of_val(self.coverage.rectangles())
            + self.metadata.as_ref().map_or(0, Value::weight)
    }
}
