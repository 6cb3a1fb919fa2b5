//! What a batch of turns has changed so far and has not yet written.
//!
//! Later candidates and later turns of the batch see what earlier ones did. A
//! turn that fails leaves no trace.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::facts::{Fact, FactId, Line, LineKind, Uncertainty, UncertaintyId};
use crate::identity::{EntityId, EntityType, Name};
use crate::query::{Coordinate, Rulebook, Snapshot};
use crate::reconcile::never_visible;
use crate::store::{Batch, EntityChange, EntityUnit, Era, Reader, StoreError};
use crate::time::Timestamp;

/// One entity as the batch leaves it.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) before: Arc<EntityUnit>,
    pub(super) display: Arc<str>,
    seen: Timestamp,
    lines: HashMap<Line, Vec<Arc<Fact>>>,
    deep: HashSet<Line>,
    eras: HashMap<FactId, Era>,
    dirty: BTreeSet<FactId>,
    pub(super) doubts: Vec<Arc<Uncertainty>>,
    dirty_doubts: BTreeSet<UncertaintyId>,
    /// Whether the batch makes it known although it writes no fact of it.
    named: bool,
}

impl Draft {
    fn new(before: Arc<EntityUnit>, doubts: Vec<Arc<Uncertainty>>, written: &Arc<str>) -> Self {
        Self {
            display: before.display.clone().unwrap_or_else(|| Arc::clone(written)),
            seen: before.seen,
            before,
            lines: HashMap::new(),
            deep: HashSet::new(),
            eras: HashMap::new(),
            dirty: BTreeSet::new(),
            doubts,
            dirty_doubts: BTreeSet::new(),
            named: false,
        }
    }

    /// Returns the facts of a line that has been brought in.
    pub(super) fn line(&self, line: &Line) -> &[Arc<Fact>] {
        self.lines.get(line).map_or(&[], Vec::as_slice)
    }

    fn bring_in(&mut self, line: &Line, facts: &[Arc<Fact>], era: Era) {
        let held = self.lines.entry(line.clone()).or_default();
        for fact in facts {
            if self.eras.insert(fact.id, era).is_none() {
                held.push(Arc::clone(fact));
            }
        }
        held.sort_by_key(|fact| fact.id);
    }

    /// Puts in a new version of a fact, or takes out one that was never visible.
    pub(super) fn put(&mut self, fact: Fact) {
        let id = fact.id;
        let line = self.lines.entry(fact.line.clone()).or_default();
        let place = line.binary_search_by_key(&id, |held| held.id);
        if never_visible(&fact) && !self.eras.contains_key(&id) {
            if let Ok(at) = place {
                line.remove(at);
            }
            self.dirty.remove(&id);
            return;
        }
        let fact = Arc::new(fact);
        match place {
            Ok(at) => line[at] = fact,
            Err(at) => line.insert(at, fact),
        }
        self.dirty.insert(id);
    }

    /// Puts in a new version of an uncertainty.
    pub(super) fn put_doubt(&mut self, doubt: Uncertainty) {
        let id = doubt.id;
        self.dirty_doubts.insert(id);
        match self.doubts.iter_mut().find(|held| held.id == id) {
            Some(held) => *held = Arc::new(doubt),
            None => self.doubts.push(Arc::new(doubt)),
        }
    }

    /// Whether any fact that has been brought in is believed and not forgotten.
    fn is_believed(&self) -> bool {
        self.lines.values().flatten().any(|fact| fact.is_believed() && !fact.is_forgotten())
    }

    fn is_changed(&self) -> bool {
        !self.dirty.is_empty()
            || !self.dirty_doubts.is_empty()
            || (self.named && self.before.display.is_none())
    }

    fn into_change(self, entity: EntityId) -> EntityChange {
        let facts = self
            .lines
            .into_values()
            .flatten()
            .filter(|fact| self.dirty.contains(&fact.id))
            .map(|fact| (self.eras.get(&fact.id).copied(), fact))
            .collect();
        let doubts = self.doubts.into_iter().filter(|doubt| self.dirty_doubts.contains(&doubt.id)).collect();
        EntityChange {
            entity,
            display: self.display,
            before: self.before,
            seen: self.seen,
            facts,
            purged: Vec::new(),
            doubts,
            purged_doubts: Vec::new(),
            gone: false,
        }
    }
}

/// The drafts of a batch, and what else it writes.
pub(super) struct Workspace<'a> {
    reader: &'a Reader,
    rules: Arc<Rulebook>,
    drafts: HashMap<EntityId, Draft>,
    /// Entities that a relation of this batch ends at.
    objects: HashSet<EntityId>,
    pub(super) batch: Batch,
    undo: Vec<(EntityId, Option<Draft>)>,
    undone_objects: Vec<EntityId>,
    undo_index: HashSet<EntityId>,
    changed: bool,
}

impl<'a> Workspace<'a> {
    pub(super) fn new(reader: &'a Reader, rules: Arc<Rulebook>) -> Self {
        Self {
            reader,
            rules,
            drafts: HashMap::new(),
            objects: HashSet::new(),
            batch: Batch::default(),
            undo: Vec::new(),
            undone_objects: Vec::new(),
            undo_index: HashSet::new(),
            changed: false,
        }
    }

    /// Says that from here on a turn may fail.
    pub(super) fn begin(&mut self) {
        self.undo.clear();
        self.undo_index.clear();
        self.undone_objects.clear();
        self.changed = false;
    }

    /// Takes back all that happened since [`begin`](Self::begin).
    pub(super) fn roll_back(&mut self) {
        for (entity, earlier) in std::mem::take(&mut self.undo).into_iter().rev() {
            match earlier {
                Some(draft) => {
                    self.drafts.insert(entity, draft);
                }
                None => {
                    self.drafts.remove(&entity);
                }
            }
        }
        for entity in std::mem::take(&mut self.undone_objects) {
            self.objects.remove(&entity);
        }
        self.begin();
    }

    /// Whether anything has changed since [`begin`](Self::begin).
    pub(super) fn has_changed(&self) -> bool {
        self.changed
    }

    /// Returns the draft of an entity, its name as `written` where it is new.
    pub(super) async fn draft(
        &mut self,
        entity: &EntityId,
        written: &Arc<str>,
    ) -> Result<&mut Draft, StoreError> {
        if !self.drafts.contains_key(entity) {
            let unit = self.reader.entity(entity).await?;
            let doubts = self.reader.doubts(entity, &unit).await?;
            let draft = Draft::new(unit, doubts.to_vec(), written);
            self.drafts.insert(entity.clone(), draft);
            self.undo.push((entity.clone(), None));
            self.undo_index.insert(entity.clone());
        } else if self.undo_index.insert(entity.clone()) {
            let earlier = self.drafts.get(entity).cloned();
            self.undo.push((entity.clone(), earlier));
        }
        Ok(self.drafts.get_mut(entity).expect("the draft was just made"))
    }

    /// Brings a line of an entity in; `deep` its past, or its events, as well.
    pub(super) async fn bring_in(
        &mut self,
        entity: &EntityId,
        line: &Line,
        deep: bool,
    ) -> Result<(), StoreError> {
        let reader = self.reader;
        let Some(draft) = self.drafts.get_mut(entity) else { return Ok(()) };
        if !draft.lines.contains_key(line) {
            let unit = Arc::clone(&draft.before);
            draft.bring_in(line, unit.line(line), Era::Head);
        }
        if deep && !draft.deep.contains(line) {
            let unit = Arc::clone(&draft.before);
            if line.kind == LineKind::Event {
                let events = reader.events(entity, &unit).await?;
                let on_line: Vec<_> = events.iter().filter(|fact| fact.line == *line).cloned().collect();
                draft.bring_in(line, &on_line, Era::Events);
            } else {
                let past = reader.past(entity, &unit, Some(line)).await?;
                draft.bring_in(line, &past, Era::Past);
            }
            draft.deep.insert(line.clone());
        }
        Ok(())
    }

    /// Returns the draft of an entity that is in the workspace.
    pub(super) fn get(&self, entity: &EntityId) -> Option<&Draft> {
        self.drafts.get(entity)
    }

    /// Puts new versions of facts and uncertainties of an entity in.
    pub(super) fn put(
        &mut self,
        entity: &EntityId,
        facts: impl IntoIterator<Item = Fact>,
        doubts: impl IntoIterator<Item = Uncertainty>,
        known_at: Timestamp,
    ) {
        let Some(draft) = self.drafts.get_mut(entity) else { return };
        for fact in facts {
            draft.put(fact);
            draft.seen = draft.seen.max(known_at);
            self.changed = true;
        }
        for doubt in doubts {
            draft.put_doubt(doubt);
            draft.seen = draft.seen.max(known_at);
            self.changed = true;
        }
    }

    /// Says that a relation ends at an entity, which is thereby known.
    pub(super) fn note_object(&mut self, entity: &EntityId) {
        if let Some(draft) = self.drafts.get_mut(entity) {
            draft.named = true;
        }
        if self.objects.insert(entity.clone()) {
            self.undone_objects.push(entity.clone());
        }
    }

    /// Finds the typed entities that bear a name and are there, the batch's own
    /// included, and whether there is a placeholder of it.
    pub(super) async fn bearers(
        &self,
        name: &Name,
        newest: Timestamp,
    ) -> Result<(Vec<EntityId>, bool), StoreError> {
        let mut kinds: BTreeSet<EntityType> = self.reader.bearers(name).await?.iter().copied().collect();
        let named = |entity: &&EntityId| entity.name == *name;
        kinds.extend(self.drafts.keys().filter(named).map(|entity| entity.kind));
        kinds.extend(self.objects.iter().filter(named).map(|entity| entity.kind));
        let mut typed = Vec::new();
        let mut placeholder = false;
        for kind in kinds {
            let entity = EntityId { kind, name: name.clone() };
            if self.exists(&entity, newest).await? {
                if kind == EntityType::Unknown {
                    placeholder = true;
                } else {
                    typed.push(entity);
                }
            }
        }
        Ok((typed, placeholder))
    }

    async fn exists(&self, entity: &EntityId, newest: Timestamp) -> Result<bool, StoreError> {
        if self.objects.contains(entity) || self.drafts.get(entity).is_some_and(Draft::is_believed) {
            return Ok(true);
        }
        let at = Coordinate { valid_at: newest, known_at: newest, bound: newest, include_forgotten: false };
        Snapshot::new(self.reader, at, Arc::clone(&self.rules)).exists(entity).await
    }

    /// Returns what the batch writes.
    pub(super) fn into_batch(self, now: Timestamp) -> Batch {
        let mut batch = self.batch;
        batch.now = Some(now);
        let mut changed: Vec<(EntityId, Draft)> =
            self.drafts.into_iter().filter(|(_, draft)| draft.is_changed()).collect();
        // Rows go in order, so that the engine's tables grow in order.
        changed.sort_by(|a, b| a.0.cmp(&b.0));
        batch.entities.extend(changed.into_iter().map(|(entity, draft)| draft.into_change(entity)));
        batch
    }
}
