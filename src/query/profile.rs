//! Everything about one entity at one point.

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use super::as_of::{Competition, ScopeView, Sight, SlotView};
use super::snapshot::Snapshot;
use crate::facts::{Fact, LineKind, Scope, Uncertainty};
use crate::identity::EntityId;
use crate::store::StoreError;

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
        let past;
        let facts: &[Arc<Fact>] = if self.head_suffices(&unit) {
            &unit.head
        } else {
            past = self.all_facts(entity, &unit, false).await?;
            &past
        };
        let mut profile = Profile { display: unit.display.clone(), ..Profile::default() };
        for (kind, key, facts) in self.slots(facts) {
            let slot = self.slot(kind, key);
            let competition = self.competition(kind, slot);
            let mut view = SlotView::new(facts.into_iter(), self.at, scope, competition);
            if scope.is_some() && matches!(competition, Competition::Single) {
                let nearest = view.scopes.iter().rposition(|view| !view.current.is_empty()).unwrap_or(0);
                let farther = view.scopes[..nearest].iter().flat_map(|view| &view.current);
                profile.shadowed.extend(farther.map(|sight| sight.fact.id));
            }
            for ScopeView { current, contested, .. } in &mut view.scopes {
                let list = match kind {
                    LineKind::Attribute => &mut profile.attributes,
                    LineKind::Relation => &mut profile.relations,
                    LineKind::Note => &mut profile.notes,
                    LineKind::Event => &mut profile.events,
                };
                list.append(current);
                profile.contested.append(contested);
            }
        }
        let shown =
            |fact: &&Arc<Fact>| self.at.counts(fact) && scope.is_none_or(|scope| scope.sees(&fact.scope));
        for fact in self.reader.events(entity, &unit).await?.iter().filter(shown) {
            profile.events.extend(self.happened(fact));
        }
        profile.attributes.sort_by(by_key);
        profile.relations.sort_by(by_key);
        profile.contested.sort_by(by_key);
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

    /// Groups facts into the slots that they compete for, by kind and name.
    pub(super) fn slots<'f>(
        &'f self,
        facts: &'f [Arc<Fact>],
    ) -> Vec<(LineKind, &'f str, Vec<&'f Arc<Fact>>)> {
        let mut named: Vec<(LineKind, &'f str, &'f Arc<Fact>)> = facts
            .iter()
            .map(|fact| {
                let (kind, key) = (fact.claim.kind(), fact.claim.key());
                (kind, self.slot(kind, key).map_or(key, |slot| slot.name.as_str()), fact)
            })
            .collect();
        // Facts come line by line, so that this has little to do.
        named.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        named
            .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
            .map(|slot| (slot[0].0, slot[0].1, slot.iter().map(|(_, _, fact)| *fact).collect()))
            .collect()
    }
}

/// The order of a profile's lists: by key, scope, object, then as written.
fn by_key(a: &Sight, b: &Sight) -> Ordering {
    let (a, b) = (&a.fact, &b.fact);
    let keys = a.claim.key().cmp(b.claim.key());
    keys.then_with(|| a.scope.cmp(&b.scope))
        .then_with(|| a.claim.object().cmp(&b.claim.object()))
        .then_with(|| a.id.cmp(&b.id))
}
