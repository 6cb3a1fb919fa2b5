//! Fetching for one read: the facts that a question needs, and no more.

use std::sync::{Arc, Mutex, PoisonError};

use super::as_of::{Competition, Coordinate};
use crate::facts::{Claim, Fact, Line, LineKind};
use crate::identity::{EntityId, EntityType, Name};
use crate::policy::{Policies, Slot, Slots};
use crate::store::{EntityUnit, Era, Reader, StoreError};
use crate::time::Timestamp;

/// The policies and slots in force, and the transaction that declared them.
#[derive(Clone, Debug, Default)]
pub struct Rulebook {
    /// The transaction; nought before the first turn.
    pub version: u64,
    /// The policies.
    pub policies: Policies,
    /// The slots.
    pub slots: Slots,
}

/// What a reference without a type stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// One entity, with its name as first written where it is known.
    Known(EntityId, Option<Arc<str>>),
    /// Several typed entities bear the name.
    Several(Vec<EntityId>),
    /// Nobody bears it.
    Nobody,
}

/// One read: a coordinate, the rules in force there, and the store.
pub(crate) struct Snapshot<'a> {
    /// The store.
    pub(crate) reader: &'a Reader,
    /// The point that is asked about.
    pub(crate) at: Coordinate,
    /// The rules by which keys are folded.
    pub(crate) rules: Arc<Rulebook>,
    /// The names, as first written, of entities that were looked at.
    names: Mutex<Vec<(EntityId, Arc<str>)>>,
}

impl<'a> Snapshot<'a> {
    /// Returns a read of the store from a point.
    #[must_use]
    pub(crate) fn new(reader: &'a Reader, at: Coordinate, rules: Arc<Rulebook>) -> Self {
        Self { reader, at, rules, names: Mutex::default() }
    }

    /// Returns the names, as first written, of entities that were looked at.
    #[must_use]
    pub(crate) fn into_names(self) -> Vec<(EntityId, Arc<str>)> {
        self.names.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads an entity and remembers its name.
    pub(super) async fn unit(&self, entity: &EntityId) -> Result<Arc<EntityUnit>, StoreError> {
        let unit = self.reader.entity(entity).await?;
        self.remember(entity, &unit);
        Ok(unit)
    }

    pub(super) fn remember(&self, entity: &EntityId, unit: &EntityUnit) {
        if let Some(display) = &unit.display {
            let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
            names.push((entity.clone(), Arc::clone(display)));
        }
    }
}

impl Snapshot<'_> {
    /// Returns the lines on which the facts of a key lie, every spelling of it.
    pub(super) fn lines(&self, kind: LineKind, key: &str) -> Vec<Line> {
        if kind == LineKind::Relation {
            return vec![Line::new(kind, key)];
        }
        self.rules.slots.spellings(key).iter().map(|key| Line::new(kind, key)).collect()
    }

    /// Returns the declared slot of a key.
    pub(super) fn slot(&self, kind: LineKind, key: &str) -> Option<&Slot> {
        if kind == LineKind::Relation { None } else { self.rules.slots.declared(key) }
    }

    /// Returns how the facts of a key compete.
    pub(super) fn competition<'s>(&'s self, kind: LineKind, slot: Option<&'s Slot>) -> Competition<'s> {
        match kind {
            LineKind::Relation => Competition::Objects(&self.rules.policies),
            LineKind::Attribute => match slot {
                Some(slot) if slot.multi => Competition::Items(slot),
                _ => Competition::Single,
            },
            LineKind::Event | LineKind::Note => Competition::Apart,
        }
    }

    /// Whether the head of an entity answers for the point.
    pub(super) fn head_suffices(&self, unit: &EntityUnit) -> bool {
        self.at.known_at >= unit.seen && self.at.valid_at >= unit.horizon
    }

    /// Reads the facts of a key: its head, and its past where `deep` asks for
    /// it or the point needs it.
    pub(super) async fn facts(
        &self,
        entity: &EntityId,
        unit: &EntityUnit,
        kind: LineKind,
        key: &str,
        deep: bool,
    ) -> Result<Vec<Arc<Fact>>, StoreError> {
        let slot = self.slot(kind, key);
        let mut facts = Vec::new();
        for line in self.lines(kind, key) {
            if kind == LineKind::Event {
                let events = self.reader.events(entity, unit).await?;
                facts.extend(events.iter().filter(|fact| fact.line == line).cloned());
            } else if deep || !self.head_suffices(unit) {
                facts.extend(self.reader.past(entity, unit, Some(&line)).await?.iter().cloned());
            }
            facts.extend(unit.line(&line).iter().cloned());
        }
        facts.retain(|fact| is_of(fact, key, slot));
        // A fact that moved between two reads is there twice.
        facts.sort_by_key(|fact| fact.id);
        facts.dedup_by_key(|fact| fact.id);
        Ok(facts)
    }

    /// Reads every fact of an entity but its events, its past where the point
    /// needs it.
    pub(super) async fn all_facts(
        &self,
        entity: &EntityId,
        unit: &EntityUnit,
        deep: bool,
    ) -> Result<Vec<Arc<Fact>>, StoreError> {
        let mut facts = unit.head.clone();
        if deep || !self.head_suffices(unit) {
            facts.extend(self.reader.past(entity, unit, None).await?.iter().cloned());
            facts.sort_by_key(|fact| fact.id);
            facts.dedup_by_key(|fact| fact.id);
        }
        Ok(facts)
    }

    /// Finds what a reference stands for: the entity named, or the one typed
    /// entity of that name that there is at the known instant, or the placeholder.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn resolve(
        &self,
        kind: Option<EntityType>,
        name: &Name,
    ) -> Result<Resolution, StoreError> {
        if let Some(kind) = kind {
            return Ok(Resolution::Known(EntityId { kind, name: name.clone() }, None));
        }
        let bearers = self.reader.bearers(name).await?;
        let mut typed = Vec::new();
        for kind in bearers.iter().filter(|kind| **kind != EntityType::Unknown) {
            let entity = EntityId { kind: *kind, name: name.clone() };
            if self.exists(&entity).await? {
                typed.push(entity);
            }
        }
        Ok(match (typed.len(), bearers.contains(&EntityType::Unknown)) {
            (1, _) => Resolution::Known(typed.remove(0), None),
            (0, true) => Resolution::Known(EntityId { kind: EntityType::Unknown, name: name.clone() }, None),
            (0, false) => Resolution::Nobody,
            _ => Resolution::Several(typed),
        })
    }

    /// Whether an entity is subject or object of a fact that is believed, and
    /// not forgotten, at the known instant.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn exists(&self, entity: &EntityId) -> Result<bool, StoreError> {
        self.exists_when(entity, None).await
    }

    /// As [`exists`](Self::exists), and at a valid instant where one is given.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn exists_when(
        &self,
        entity: &EntityId,
        valid_at: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let believed = |fact: &Arc<Fact>| {
            self.at.counts(fact)
                && match valid_at {
                    Some(valid_at) => fact.coverage.contains(valid_at, self.at.known_at),
                    None => !fact.coverage.believed_at(self.at.known_at).is_empty(),
                }
        };
        let unit = self.reader.entity(entity).await?;
        if unit.head.iter().any(believed)
            || self.reader.past(entity, &unit, None).await?.iter().any(believed)
            || self.reader.events(entity, &unit).await?.iter().any(believed)
        {
            return Ok(true);
        }
        for (_, label, subject) in self.reader.inbound(entity).await?.iter() {
            let unit = self.reader.entity(subject).await?;
            let line = Line::new(LineKind::Relation, label);
            let ends_here = |fact: &Arc<Fact>| {
                believed(fact) && matches!(&fact.claim, Claim::Relation { object, .. } if object == entity)
            };
            if unit.line(&line).iter().any(ends_here)
                || self.reader.past(subject, &unit, Some(&line)).await?.iter().any(ends_here)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the relations that end at an entity, seen from their subjects.
    pub(super) async fn inbound(
        &self,
        entity: &EntityId,
        labels: Option<&[Arc<str>]>,
    ) -> Result<Vec<(EntityId, Arc<str>)>, StoreError> {
        let list = self.reader.inbound(entity).await?;
        let mut pairs: Vec<(EntityId, Arc<str>)> = list
            .iter()
            .filter(|(_, label, _)| labels.is_none_or(|labels| labels.contains(label)))
            .map(|(_, label, subject)| (subject.clone(), Arc::clone(label)))
            .collect();
        pairs.sort();
        pairs.dedup();
        Ok(pairs)
    }

    /// Returns the eras of an index that the point needs: whoever holds
    /// something now is among those of the head.
    pub(super) fn needs(&self, era: Era, newest: Timestamp, settled: Timestamp) -> bool {
        era == Era::Head || self.at.known_at < newest || self.at.valid_at < settled
    }
}

/// Whether a fact is one of a key: the same to the letter, or a spelling of
/// the same declared slot.
pub(super) fn is_of(fact: &Fact, key: &str, slot: Option<&Slot>) -> bool {
    slot.is_some() || fact.claim.key() == key
}
