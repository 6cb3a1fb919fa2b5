//! Everything about one entity at one point.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::as_of::{Competition, ScopeView, Sight, SlotView};
use super::snapshot::Snapshot;
use crate::facts::{Fact, LineKind, Scope, Uncertainty};
use crate::identity::EntityId;
use crate::store::StoreError;

/// Facts by the slot they compete for, each with a spelling of its key.
type Grouped<'f> = BTreeMap<(LineKind, String), (&'f str, Vec<&'f Arc<Fact>>)>;

/// The profile of an entity.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The entity's name as first written, if there is such an entity.
    pub display: Option<Arc<str>>,
    /// What holds, by key, then scope.
    pub attributes: Vec<Sight>,
    /// What it relates to, by label, then scope, then object.
    pub relations: Vec<Sight>,
    /// What was noted, oldest first.
    pub notes: Vec<Sight>,
    /// What had happened, newest first.
    pub events: Vec<Sight>,
    /// What is contested, by key, then scope.
    pub contested: Vec<Sight>,
    /// The uncertainties that were open.
    pub uncertainties: Vec<Arc<Uncertainty>>,
    /// The facts that a nearer scope covers.
    pub shadowed: Vec<crate::facts::FactId>,
}

impl Snapshot<'_> {
    /// Reads the profile of an entity: no engine call when its head is warm.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn profile(
        &self,
        entity: &EntityId,
        scope: Option<&Scope>,
    ) -> Result<Profile, StoreError> {
        let unit = self.unit(entity).await?;
        let facts = self.all_facts(entity, &unit, false).await?;
        let mut profile = Profile { display: unit.display.clone(), ..Profile::default() };
        for (kind, key, facts) in self.slots(&facts) {
            let slot = self.slot(kind, key);
            let competition = self.competition(kind, key, slot);
            let view = SlotView::new(facts.into_iter(), self.at, scope, competition);
            let single = matches!(competition, Competition::Single);
            for (place, ScopeView { current, contested, .. }) in view.scopes.iter().enumerate() {
                if single && scope.is_some() && view.scopes[place + 1..].iter().any(|v| !v.current.is_empty())
                {
                    profile.shadowed.extend(current.iter().map(|sight| sight.fact.id));
                }
                let list = match kind {
                    LineKind::Attribute => &mut profile.attributes,
                    LineKind::Relation => &mut profile.relations,
                    LineKind::Note => &mut profile.notes,
                    LineKind::Event => &mut profile.events,
                };
                list.extend(current.iter().cloned());
                profile.contested.extend(contested.iter().cloned());
            }
        }
        let shown =
            |fact: &&Arc<Fact>| self.at.counts(fact) && scope.is_none_or(|scope| scope.sees(&fact.scope));
        for fact in self.reader.events(entity, &unit).await?.iter().filter(shown) {
            profile.events.extend(self.happened(fact));
        }
        let by_key = |sight: &Sight| {
            let fact = &sight.fact;
            (fact.claim.key().to_owned(), fact.scope.clone(), fact.claim.object().cloned(), fact.id)
        };
        profile.attributes.sort_by_key(by_key);
        profile.relations.sort_by_key(by_key);
        profile.contested.sort_by_key(by_key);
        profile.notes.sort_by_key(|sight| sight.fact.id);
        profile.events.sort_by_key(|sight| Reverse((sight.valid.from(), sight.fact.id)));
        let doubts = self.reader.doubts(entity, &unit).await?;
        let open =
            |u: &&Arc<Uncertainty>| u.is_open_at(self.at.known_at) && scope.is_none_or(|s| s.sees(&u.scope));
        profile.uncertainties = doubts.iter().filter(open).cloned().collect();
        Ok(profile)
    }

    /// Returns an event as seen from the point, if it had begun.
    fn happened(&self, fact: &Arc<Fact>) -> Option<Sight> {
        let at = super::as_of::Coordinate { valid_at: fact.claimed.from(), ..self.at };
        let begun = fact.claimed.from() <= self.at.valid_at;
        // An event from the beginning of time is believed at every instant before its end.
        let from = fact.coverage.believed_at(self.at.known_at).iter().next().copied();
        if begun { Sight::believed(fact, at).or_else(|| self.unbounded(fact, from?)) } else { None }
    }

    fn unbounded(&self, fact: &Arc<Fact>, valid: crate::time::Period) -> Option<Sight> {
        let rectangle = fact.coverage.rectangles().first()?;
        Some(Sight {
            fact: Arc::clone(fact),
            valid,
            known_from: rectangle.known.from(),
            known_until: None,
            status: fact.status_at(self.at.known_at),
        })
    }

    /// Groups facts into the slots that they compete for.
    pub(super) fn slots<'f>(&self, facts: &'f [Arc<Fact>]) -> Vec<(LineKind, &'f str, Vec<&'f Arc<Fact>>)> {
        let mut slots: Grouped<'f> = BTreeMap::new();
        for fact in facts {
            let kind = fact.claim.kind();
            let key = fact.claim.key();
            let name = self.slot(kind, key).map_or_else(|| key.to_owned(), |slot| slot.name.clone());
            slots.entry((kind, name)).or_insert_with(|| (key, Vec::new())).1.push(fact);
        }
        slots.into_iter().map(|((kind, _), (key, facts))| (kind, key, facts)).collect()
    }
}
