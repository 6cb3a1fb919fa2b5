//! Who has a value.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::as_of::Sight;
use super::get::{What, united};
use super::snapshot::Snapshot;
use crate::facts::{LineKind, Scope, Value};
use crate::identity::EntityId;
use crate::store::{EntityUnit, StoreError};
use crate::time::Timestamp;

/// That a key has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The key.
    pub key: Arc<str>,
    /// The value.
    pub value: Value,
}

impl Snapshot<'_> {
    /// Finds who meets every condition at the point, by type, then name.
    ///
    /// The index leads to whoever has, or ever had, the value of the rarest
    /// condition; each is then asked as `get` would ask. `settled` is the latest
    /// instant by which a writer has told what had ended: at it and later the
    /// head of the index says who holds something.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn holders(
        &self,
        conditions: &[Condition],
        scope: Option<&Scope>,
        newest: Timestamp,
        settled: Timestamp,
    ) -> Result<Vec<EntityId>, StoreError> {
        let mut candidates: Option<BTreeSet<EntityId>> = None;
        for condition in conditions {
            let mut holding = BTreeSet::new();
            for folded in self.rules.slots.spellings(&condition.key) {
                let list = self.reader.holders(&folded, &condition.value).await?;
                let needed = list.iter().filter(|(era, _)| self.needs(*era, newest, settled));
                holding.extend(needed.map(|(_, entity)| entity.clone()));
            }
            candidates = Some(match candidates {
                None => holding,
                Some(found) => found.intersection(&holding).cloned().collect(),
            });
            if candidates.as_ref().is_some_and(BTreeSet::is_empty) {
                return Ok(Vec::new());
            }
        }
        let entities: Vec<EntityId> = candidates.unwrap_or_default().into_iter().collect();
        let units = self.reader.entities(&entities).await?;
        let mut holding: Vec<(EntityId, Arc<EntityUnit>)> = entities.into_iter().zip(units).collect();
        for condition in conditions {
            let shown = self.shows(&holding, condition, scope).await?;
            let mut shown = shown.into_iter();
            holding.retain(|_| shown.next().unwrap_or(false));
        }
        for (entity, unit) in &holding {
            self.remember(entity, unit);
        }
        Ok(holding.into_iter().map(|(entity, _)| entity).collect())
    }

    /// Says of each entity whether `get` would show it with the value: of a
    /// list, each item from the nearest scope; of a single value, the nearest,
    /// or every scope's where the read names none.
    async fn shows(
        &self,
        entities: &[(EntityId, Arc<EntityUnit>)],
        condition: &Condition,
        scope: Option<&Scope>,
    ) -> Result<Vec<bool>, StoreError> {
        let what = What { kind: LineKind::Attribute, key: Arc::clone(&condition.key), object: None };
        let lines = self.lines(what.kind, &what.key);
        let reaching: Vec<(EntityId, Arc<EntityUnit>)> =
            entities.iter().filter(|(_, unit)| !self.head_suffices(unit)).cloned().collect();
        let mut pasts = vec![Vec::new(); reaching.len()];
        for line in &lines {
            for (past, read) in pasts.iter_mut().zip(self.reader.pasts(&reaching, line).await?) {
                past.push(read);
            }
        }
        let mut pasts = pasts.into_iter();
        let slot = self.slot(what.kind, &what.key);
        let holds = |sight: &Sight| sight.fact.claim.value() == Some(&condition.value);
        let shows = |(_, unit): &(EntityId, Arc<EntityUnit>)| {
            let past = if self.head_suffices(unit) { Vec::new() } else { pasts.next().unwrap_or_default() };
            let view = self.view_of(unit, &lines, &past, &what, scope);
            match scope {
                _ if slot.is_some_and(|slot| slot.multi) => {
                    united(&view, self.competition(what.kind, slot)).iter().any(holds)
                }
                Some(_) => {
                    let nearest = view.scopes.iter().rev().find(|view| !view.current.is_empty());
                    nearest.is_some_and(|view| view.current.iter().any(holds))
                }
                None => view.current().any(holds),
            }
        };
        Ok(entities.iter().map(shows).collect())
    }
}
