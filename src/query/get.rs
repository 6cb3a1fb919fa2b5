//! The value of one slot.

use std::sync::Arc;

use super::as_of::{Competition, Sight, SlotView, is_functional};
use super::because::Because;
use super::snapshot::{Snapshot, is_of};
use crate::facts::{Fact, Line, LineKind, Scope};
use crate::identity::EntityId;
use crate::store::{EntityUnit, StoreError};

/// Which slot is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct What {
    /// Attribute, relation or event.
    pub kind: LineKind,
    /// The key or the label.
    pub key: Arc<str>,
    /// The object, where one is named.
    pub object: Option<EntityId>,
}

impl What {
    /// Whether a fact ends at the object that is named, if one is.
    pub(super) fn names(&self, fact: &Fact) -> bool {
        self.object.as_ref().is_none_or(|object| fact.claim.object() == Some(object))
    }
}

/// The answer to a get.
#[derive(Clone, Debug, Default)]
pub struct Got {
    /// Whether the slot holds several values beside each other.
    pub is_list: bool,
    /// What is effective: at most one unless the slot is a list.
    pub current: Vec<Sight>,
    /// What holds the key too: in farther scopes, or one in each scope where
    /// several hold it and the read names none.
    pub others: Vec<Sight>,
    /// What is contested.
    pub contested: Vec<Sight>,
    /// Why there is no value.
    pub because: Option<Because>,
}

impl Snapshot<'_> {
    /// Reads the value of a slot: no engine call when its head is warm and holds one.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn get(
        &self,
        entity: &EntityId,
        what: &What,
        scope: Option<&Scope>,
    ) -> Result<Got, StoreError> {
        let unit = self.unit(entity).await?;
        let slot = self.slot(what.kind, &what.key);
        let view = self.view(entity, &unit, what, scope).await?;
        let is_list = match what.kind {
            LineKind::Relation => {
                what.object.is_none() && !is_functional(&self.rules.policies, &what.key, scope)
            }
            _ => slot.is_some_and(|slot| slot.multi),
        };
        let mut got = Got { is_list, contested: view.contested().cloned().collect(), ..Got::default() };
        if is_list {
            got.current = match (what.kind, scope) {
                (LineKind::Relation, None) => view.current().cloned().collect(),
                _ => united(&view, self.competition(what.kind, slot)),
            };
        } else {
            let holding: Vec<_> = view.scopes.iter().filter(|view| !view.current.is_empty()).collect();
            match (&holding[..], scope) {
                ([.., _, _], None) => {
                    got.others = holding.iter().flat_map(|view| view.current.clone()).collect();
                    got.because = Some(Because::SeveralScopes);
                    return Ok(got);
                }
                ([farther @ .., nearest], _) => {
                    got.current = nearest.current.clone();
                    got.others = farther.iter().flat_map(|view| view.current.clone()).collect();
                }
                ([], _) => {}
            }
        }
        if got.current.is_empty() {
            let facts = self.facts(entity, &unit, what.kind, &what.key, true).await?;
            let facts: Vec<_> = facts.into_iter().filter(|fact| what.names(fact)).collect();
            got.because = Some(Because::of(&facts, &view, self.at, scope));
        }
        Ok(got)
    }

    /// Works out what a slot shows: from the head alone where that suffices.
    pub(super) async fn view(
        &self,
        entity: &EntityId,
        unit: &EntityUnit,
        what: &What,
        scope: Option<&Scope>,
    ) -> Result<SlotView, StoreError> {
        if what.kind == LineKind::Event {
            let slot = self.slot(what.kind, &what.key);
            let facts = self.facts(entity, unit, what.kind, &what.key, false).await?;
            let facts = facts.iter().filter(|fact| what.names(fact));
            return Ok(SlotView::new(facts, self.at, scope, self.competition(what.kind, slot)));
        }
        let lines = self.lines(what.kind, &what.key);
        let mut past = Vec::new();
        if !self.head_suffices(unit) {
            for line in &lines {
                past.push(self.reader.past(entity, unit, Some(line)).await?);
            }
        }
        Ok(self.view_of(unit, &lines, &past, what, scope))
    }

    /// Works out what a slot shows from its head and what was read of its past.
    pub(super) fn view_of(
        &self,
        unit: &EntityUnit,
        lines: &[Line],
        past: &[Arc<Vec<Arc<Fact>>>],
        what: &What,
        scope: Option<&Scope>,
    ) -> SlotView {
        let slot = self.slot(what.kind, &what.key);
        // Nothing is copied but what is shown. The past of a line is in known
        // order, so that what was recorded later is not even looked at.
        let known_at = self.at.known_at;
        let past =
            past.iter().flat_map(|line| &line[..line.partition_point(|f| f.recorded_at() <= known_at)]);
        let head = lines.iter().flat_map(|line| unit.line(line));
        let facts = past.chain(head).filter(|fact| is_of(fact, &what.key, slot) && what.names(fact));
        SlotView::new(facts, self.at, scope, self.competition(what.kind, slot))
    }
}

/// Unites the items that several scopes hold: of each identity the nearest.
pub(super) fn united(view: &SlotView, competition: Competition<'_>) -> Vec<Sight> {
    let mut all: Vec<Sight> = Vec::new();
    // The nearest scope comes last and takes the place of a farther one.
    for sight in view.scopes.iter().rev().flat_map(|view| &view.current) {
        let item = competition.item(&sight.fact);
        let same =
            |other: &Sight| other.fact.scope != sight.fact.scope && competition.item(&other.fact) == item;
        if !all.iter().any(same) {
            all.push(sight.clone());
        }
    }
    all.sort_by_key(|sight| sight.fact.id);
    all
}
