//! Lists over the whole store: entities, uncertainties, proposals.

use std::sync::Arc;

use super::Graph;
use super::reading::{Opening, Page, Read, ReadOptions};
use crate::error::Error;
use crate::facts::{Fact, Uncertainty, UncertaintyId};
use crate::identity::{EntityId, EntityType};

impl Graph {
    /// Lists the entities that are there, by type, then name.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn entities(
        &self,
        kind: Option<EntityType>,
        prefix: &str,
        after: Option<&EntityId>,
        limit: usize,
        options: &ReadOptions,
    ) -> Result<Read<Page<(EntityId, Arc<str>)>>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let mut entries = Vec::new();
        let valid_at =
            options.valid_at.or(options.basis.filter(|_| options.valid_at.is_some()).map(|b| b.valid_at));
        let kinds = EntityType::ALL.into_iter().filter(|k| kind.is_none_or(|kind| kind == *k));
        for kind in kinds.filter(|k| after.is_none_or(|after| *k >= after.kind)) {
            let last = after.filter(|after| after.kind == kind).map(|after| after.name.as_str());
            for row in self.inner.store.reader.roll(kind, prefix, last).await? {
                if snapshot.exists_when(&row.entity, valid_at).await? {
                    if entries.len() == limit {
                        return Ok(Read {
                            basis: opening.basis,
                            at: opening.at,
                            names: Vec::new(),
                            result: Page { entries, more: true },
                        });
                    }
                    entries.push((row.entity, row.display));
                }
            }
        }
        Ok(Read {
            basis: opening.basis,
            at: opening.at,
            names: Vec::new(),
            result: Page { entries, more: false },
        })
    }

    /// Lists uncertainties, oldest first, each with the facts on its sides.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn uncertainties(
        &self,
        open: Option<bool>,
        options: &ReadOptions,
    ) -> Result<Read<Vec<(Arc<Uncertainty>, Vec<Arc<Fact>>)>>, Error> {
        let opening = self.opening(options).await?;
        let latest = opening.at.known_at == opening.newest.known_at;
        let mut result = Vec::new();
        for (id, entity) in self.inner.store.reader.doubtful(open == Some(true) && latest).await? {
            if let Some((doubt, sides)) = self.doubt(&opening, &entity, id).await?
                && open.is_none_or(|open| doubt.is_open_at(opening.at.known_at) == open)
                && doubt.opened_at <= opening.at.known_at
                && options.scope.as_ref().is_none_or(|scope| scope.sees(&doubt.scope))
            {
                result.push((doubt, sides));
            }
        }
        Ok(Read { basis: opening.basis, at: opening.at, names: Vec::new(), result })
    }

    /// Reads an uncertainty with the facts on its sides.
    async fn doubt(
        &self,
        opening: &Opening,
        entity: &EntityId,
        id: UncertaintyId,
    ) -> Result<Option<(Arc<Uncertainty>, Vec<Arc<Fact>>)>, Error> {
        let reader = &self.inner.store.reader;
        let unit = reader.entity(entity).await?;
        let doubts = reader.doubts(entity, &unit).await?;
        let Some(doubt) = doubts.iter().find(|doubt| doubt.id == id).cloned() else { return Ok(None) };
        let snapshot = self.snapshot(opening);
        let mut sides = Vec::new();
        for (side, since) in &doubt.sides {
            if *since > opening.at.known_at {
                continue;
            }
            // Almost always a fact of the same entity, which is at hand.
            let at_hand = unit.head.iter().find(|fact| fact.id == *side).cloned();
            let found = match at_hand {
                Some(fact) => Some(fact),
                None => snapshot.find(*side).await?.map(|(fact, _, _)| fact),
            };
            sides.extend(found.filter(|fact| opening.at.shows(fact)));
        }
        Ok(Some((doubt, sides)))
    }

    /// Reads the facts on the sides of uncertainties that are at hand.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn sides(
        &self,
        doubts: &[Arc<Uncertainty>],
        options: &ReadOptions,
    ) -> Result<Vec<(Arc<Uncertainty>, Vec<Arc<Fact>>)>, Error> {
        let opening = self.opening(options).await?;
        let mut all = Vec::with_capacity(doubts.len());
        for doubt in doubts {
            all.extend(self.doubt(&opening, &doubt.subject, doubt.id).await?);
        }
        Ok(all)
    }

    /// Lists the proposals that wait for confirmation, oldest first.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn pending(&self, options: &ReadOptions) -> Result<Read<Vec<Arc<Fact>>>, Error> {
        let opening = self.opening(options).await?;
        let mut waiting = Vec::new();
        let open = |fact: &&Arc<Fact>| {
            fact.held.as_ref().is_some_and(|held| held.proposal && held.is_open_at(opening.at.known_at))
                && opening.at.counts(fact)
                && options.scope.as_ref().is_none_or(|scope| scope.sees(&fact.scope))
        };
        let latest = opening.at.known_at == opening.newest.known_at;
        let proposing =
            if latest { self.inner.store.reader.proposing().await? } else { self.everybody().await? };
        for entity in proposing {
            let unit = self.inner.store.reader.entity(&entity).await?;
            waiting.extend(unit.head.iter().filter(open).cloned());
            if !latest {
                let past = self.inner.store.reader.past(&entity, &unit, None).await?;
                waiting.extend(past.iter().filter(open).cloned());
            }
        }
        waiting.sort_by_key(|fact| fact.id);
        Ok(Read { basis: opening.basis, at: opening.at, names: Vec::new(), result: waiting })
    }
}
