//! Resolving placeholders: what a sweep moves where.

use std::sync::Arc;

use crate::facts::{Claim, Evidence, Fact, FactId, Line, LineKind, Source, UncertaintyId};
use crate::identity::EntityId;
use crate::time::{Coverage, Period, Rectangle, Timestamp};

/// A placeholder that was resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swept {
    /// The placeholder, and its name as written.
    pub placeholder: (EntityId, Arc<str>),
    /// The entity it stood for, and its name as written.
    pub entity: (EntityId, Arc<str>),
    /// How many relations moved.
    pub relations: usize,
}

/// An entity and its name as written.
pub type Named = (EntityId, Arc<str>);

/// What a sweep did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepReport {
    /// Placeholders that were resolved.
    pub resolved: Vec<Swept>,
    /// Placeholders that several entities bear the name of.
    pub ambiguous: Vec<(Named, Vec<Named>, Option<UncertaintyId>)>,
    /// Placeholders that nobody bears the name of.
    pub unresolved: Vec<(EntityId, Arc<str>)>,
    /// Entities of a similar name, for a person to look at.
    pub suggestions: Vec<(Named, Named, f64)>,
}

/// Returns a relation as it moves from a placeholder to the entity it stood
/// for: believed over the same valid time from the sweep's known time on, with
/// the old source, confidence and pillar.
///
/// `subject` and `object` are the ends as they are to be.
#[must_use]
pub fn moved(
    old: &Fact,
    id: FactId,
    subject: EntityId,
    object: (EntityId, Arc<str>),
    known_at: Timestamp,
) -> Fact {
    let label = Arc::from(old.claim.key());
    let known = Period::since(known_at).ok();
    let mut coverage = Coverage::new();
    for valid in &old.coverage.believed_latest() {
        if let Some(known) = known {
            coverage.insert(Rectangle { valid: *valid, known });
        }
    }
    let evidence = old
        .evidence
        .iter()
        .map(|e| {
            let mut derived_from = e.source.derived_from.clone();
            derived_from.push(old.id);
            Evidence {
                source: Arc::new(Source { derived_from, ..Source::clone(&e.source) }),
                known_from: known_at,
                ..e.clone()
            }
        })
        .collect();
    Fact {
        id,
        subject,
        line: Line::new(LineKind::Relation, &label),
        claim: Claim::Relation { label, object: object.0, object_name: object.1 },
        coverage,
        evidence,
        supersedes: vec![old.id],
        superseded_by: Vec::new(),
        reason: crate::facts::Reason::Resolved,
        ..old.clone()
    }
}
