//! The supersession chain of a slot: every fact written, with what it replaced
//! and what replaced it.

use std::sync::Arc;

use super::get::What;
use super::snapshot::Snapshot;
use crate::facts::{Fact, FactId, LineKind, Scope, Status};
use crate::identity::EntityId;
use crate::store::StoreError;
use crate::time::{Period, Timestamp};

/// A fact in the history of its slot, as it stood at the known instant.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The fact.
    pub fact: Arc<Fact>,
    /// What of it is still believed; once nothing is, the claim's own period.
    pub valid: Period,
    /// When the first part of it stopped being believed.
    pub known_until: Option<Timestamp>,
    /// How it stands.
    pub status: Status,
    /// What replaced it.
    pub superseded_by: Vec<FactId>,
}

impl Entry {
    /// Returns a fact as it stands in its history at a known instant.
    #[must_use]
    pub fn new(fact: &Arc<Fact>, known_at: Timestamp) -> Self {
        let believed = fact.coverage.believed_at(known_at);
        let hull = believed.iter().copied().reduce(Period::hull);
        let held = fact.held.as_ref().filter(|_| fact.coverage.is_empty()).map(|held| held.valid);
        Self {
            valid: hull.or(held).unwrap_or(fact.claimed),
            known_until: fact.coverage.first_end().filter(|end| *end <= known_at),
            status: fact.status_at(known_at),
            superseded_by: fact.superseded_by_at(known_at).collect(),
            fact: Arc::clone(fact),
        }
    }
}

impl Snapshot<'_> {
    /// Reads the history of a key, events of it included, in known order.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn history(
        &self,
        entity: &EntityId,
        what: &What,
        scope: Option<&Scope>,
    ) -> Result<Vec<Entry>, StoreError> {
        let unit = self.unit(entity).await?;
        let mut facts = self.facts(entity, &unit, what.kind, &what.key, true).await?;
        if what.kind == LineKind::Attribute {
            facts.extend(self.facts(entity, &unit, LineKind::Event, &what.key, true).await?);
            facts.sort_by_key(|fact| fact.id);
        }
        Ok(facts
            .iter()
            .filter(|fact| self.at.counts(fact))
            .filter(|fact| scope.is_none_or(|scope| scope.sees(&fact.scope)))
            .filter(|fact| what.object.as_ref().is_none_or(|object| fact.claim.object() == Some(object)))
            .map(|fact| Entry::new(fact, self.at.known_at))
            .collect())
    }
}
