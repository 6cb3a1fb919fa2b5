//! Who has a value.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::as_of::Sight;
use super::get::{What, united};
use super::snapshot::Snapshot;
use crate::facts::{LineKind, Scope, Value};
use crate::identity::{EntityId, fold_slot};
use crate::store::StoreError;
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
            for folded in self.spellings(&condition.key) {
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
        let candidates: Vec<EntityId> = candidates.unwrap_or_default().into_iter().collect();
        // Brings the cold ones in together.
        self.reader.entities(&candidates).await?;
        let mut subjects = Vec::new();
        for entity in candidates {
            if self.meets(&entity, conditions, scope).await? {
                subjects.push(entity);
            }
        }
        Ok(subjects)
    }

    async fn meets(
        &self,
        entity: &EntityId,
        conditions: &[Condition],
        scope: Option<&Scope>,
    ) -> Result<bool, StoreError> {
        for condition in conditions {
            let what = What { kind: LineKind::Attribute, key: Arc::clone(&condition.key), object: None };
            let unit = self.unit(entity).await?;
            let view = self.view(entity, &unit, &what, scope).await?;
            let holds = |sight: &Sight| sight.fact.claim.value() == Some(&condition.value);
            // What counts is what `get` would show: of a list, each item from the
            // nearest scope; of a single value, the nearest, or every scope's where
            // the read names none.
            let slot = self.slot(LineKind::Attribute, &condition.key);
            let shown = match scope {
                _ if slot.is_some_and(|slot| slot.multi) => {
                    united(&view, self.competition(LineKind::Attribute, slot)).iter().any(holds)
                }
                Some(_) => {
                    let nearest = view.scopes.iter().rev().find(|view| !view.current.is_empty());
                    nearest.is_some_and(|view| view.current.iter().any(holds))
                }
                None => view.current().any(holds),
            };
            if !shown {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the folded spellings of a key.
    fn spellings(&self, key: &str) -> Vec<String> {
        let mut folded = vec![fold_slot(key)];
        if let Some(slot) = self.rules.slots.declared(key) {
            folded.extend(std::iter::once(&slot.name).chain(&slot.aliases).map(|name| fold_slot(name)));
        }
        folded.sort();
        folded.dedup();
        folded
    }
}
