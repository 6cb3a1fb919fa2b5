//! What changed in belief between two known instants.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::as_of::{Competition, Coordinate};
use super::get::What;
use super::snapshot::Snapshot;
use super::timeline::{Content, Segment, segments};
use crate::facts::{Fact, Line, LineKind, Scope, words};
use crate::identity::EntityId;
use crate::store::StoreError;
use crate::time::{Period, Timestamp};

words! {
    /// What kind of change it is.
    ///
    /// ```
    /// use hitherto::query::ChangeClass;
    ///
    /// assert_eq!(ChangeClass::Late.as_str(), "late");
    /// ```
    ChangeClass {
        /// Something became known of a stretch that had not begun, or of a new slot.
        New = "new",
        /// Something became known of a stretch of the past.
        Late = "late",
        /// The world moved on.
        Changed = "changed",
        /// What had been believed of the past was put right.
        Corrected = "corrected",
        /// Belief ended with no successor.
        Retracted = "retracted",
        /// It was forgotten.
        Forgotten = "forgotten",
    }
}

/// One maximal stretch of valid time whose content differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What kind of change.
    pub class: ChangeClass,
    /// Whom it is about.
    pub subject: EntityId,
    /// Attribute or relation.
    pub kind: LineKind,
    /// The key or the label.
    pub key: Arc<str>,
    /// In which scope.
    pub scope: Scope,
    /// What was believed before.
    pub before: Option<Content>,
    /// What is believed after.
    pub after: Option<Content>,
    /// Over which valid time.
    pub valid: Period,
}

/// Compares what two timelines of one slot say, stretch by stretch.
fn compare(
    before: &[Segment],
    after: &[Segment],
    known_a: Timestamp,
    forgotten: impl Fn(&Segment) -> bool,
) -> Vec<(ChangeClass, Option<Content>, Option<Content>, Period)> {
    let mut ends: BTreeSet<Timestamp> = BTreeSet::new();
    for segment in before.iter().chain(after) {
        ends.extend([segment.valid.from(), segment.valid.until()]);
    }
    let ends: Vec<Timestamp> = ends.into_iter().collect();
    let at = |segments: &[Segment], stretch: Period| segments.iter().position(|s| s.valid.covers(stretch));
    let mut stretches: Vec<(Option<Content>, Option<Content>, Period, bool)> = Vec::new();
    for pair in ends.windows(2) {
        let Ok(stretch) = Period::new(pair[0], pair[1]) else { continue };
        let was = at(before, stretch).map(|i| &before[i]);
        let is = at(after, stretch).map(|i| &after[i]);
        let (was_content, is_content) = (was.map(|s| s.content.clone()), is.map(|s| s.content.clone()));
        if was_content == is_content {
            continue;
        }
        let hidden = is.is_none() && was.is_some_and(&forgotten);
        match stretches.last_mut() {
            Some((w, i, valid, h))
                if *w == was_content
                    && *i == is_content
                    && *h == hidden
                    && valid.until() == stretch.from() =>
            {
                *valid = valid.hull(stretch);
            }
            _ => stretches.push((was_content, is_content, stretch, hidden)),
        }
    }
    stretches
        .into_iter()
        .map(|(was, is, stretch, hidden)| {
            let past = stretch.from() < known_a;
            let class = match (&was, &is) {
                (None, _) if past && !before.is_empty() => ChangeClass::Late,
                (None, _) => ChangeClass::New,
                (Some(_), None) if hidden => ChangeClass::Forgotten,
                (Some(_), None) => ChangeClass::Retracted,
                (Some(_), Some(_)) if past => ChangeClass::Corrected,
                (Some(_), Some(_)) => ChangeClass::Changed,
            };
            (class, was, is, stretch)
        })
        .collect()
}

/// Works out what changed in one slot between two known instants.
#[must_use]
pub(super) fn slot_changes(
    facts: &[Arc<Fact>],
    (kind, key): (LineKind, &str),
    competition: Competition<'_>,
    known: (Timestamp, Timestamp),
    at: Coordinate,
    shown: &dyn Fn(&Fact) -> bool,
) -> Vec<Change> {
    let believed = |known_at: Timestamp| {
        let there = |fact: &Fact| {
            shown(fact)
                && fact.recorded_at() <= known_at
                && fact.forgotten_at.is_none_or(|forgotten| forgotten > known_at)
        };
        segments(facts, Coordinate { known_at, ..at }, competition, there)
    };
    let (before, after) = (believed(known.0), believed(known.1));
    let mut slots: BTreeSet<(Scope, String)> = BTreeSet::new();
    slots.extend(before.iter().chain(&after).map(|s| (s.scope.clone(), s.item.clone())));
    let Some(subject) = facts.first().map(|fact| fact.subject.clone()) else {
        return Vec::new();
    };
    let forgotten = |segment: &Segment| {
        let is_forgotten =
            |id| facts.iter().any(|f| f.id == id && f.forgotten_at.is_some_and(|t| t <= known.1));
        segment.facts.iter().all(|id| is_forgotten(*id))
    };
    let mut changes = Vec::new();
    for (scope, item) in slots {
        let of = |segments: &[Segment]| -> Vec<Segment> {
            segments.iter().filter(|s| s.scope == scope && s.item == item).cloned().collect()
        };
        for (class, before, after, valid) in compare(&of(&before), &of(&after), known.0, forgotten) {
            let hide = class == ChangeClass::Forgotten && !at.include_forgotten;
            changes.push(Change {
                class,
                subject: subject.clone(),
                kind,
                key: key.into(),
                scope: scope.clone(),
                before: before.filter(|_| !hide),
                after,
                valid,
            });
        }
    }
    changes.sort_by(|a, b| (&a.scope, a.valid).cmp(&(&b.scope, b.valid)));
    changes
}

impl Snapshot<'_> {
    /// Reads what changed between two known instants, about one slot or about
    /// all of an entity.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn diff(
        &self,
        entity: &EntityId,
        what: Option<&What>,
        scope: Option<&Scope>,
        known: (Timestamp, Timestamp),
        valid_at: Option<Timestamp>,
    ) -> Result<Vec<Change>, StoreError> {
        let unit = self.unit(entity).await?;
        let facts = match what {
            Some(what) => self.facts(entity, &unit, what.kind, &what.key, true).await?,
            None => self.all_facts(entity, &unit, true).await?,
        };
        let shown = |fact: &Fact| {
            scope.is_none_or(|scope| scope.sees(&fact.scope)) && what.is_none_or(|what| what.names(fact))
        };
        let mut changes = Vec::new();
        for (kind, key, facts) in self.slots(&facts) {
            if !matches!(kind, LineKind::Attribute | LineKind::Relation) {
                continue;
            }
            let slot = self.slot(kind, key);
            let key = slot.map_or(key, |slot| slot.name.as_str());
            let facts: Vec<Arc<Fact>> = facts.into_iter().cloned().collect();
            let competition = self.competition(kind, slot);
            changes.extend(slot_changes(&facts, (kind, key), competition, known, self.at, &shown));
        }
        if let Some(valid_at) = valid_at {
            changes.retain(|change| change.valid.contains(valid_at));
        }
        Ok(changes)
    }

    /// Reads what changed between two known instants on one line, whatever the
    /// spellings of the keys on it.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn diff_line(
        &self,
        entity: &EntityId,
        line: &What,
        scope: Option<&Scope>,
        known: (Timestamp, Timestamp),
        valid_at: Option<Timestamp>,
    ) -> Result<Vec<Change>, StoreError> {
        let unit = self.unit(entity).await?;
        let on_line = Line { kind: line.kind, key: Arc::clone(&line.key) };
        let mut facts = unit.line(&on_line).to_vec();
        facts.extend(self.reader.past(entity, &unit, Some(&on_line)).await?.iter().cloned());
        let keys: BTreeSet<String> = facts.iter().map(|fact| fact.claim.key().to_owned()).collect();
        let mut changes = Vec::new();
        for key in keys {
            let what = What { kind: line.kind, key: key.into(), object: None };
            changes.extend(self.diff(entity, Some(&what), scope, known, valid_at).await?);
        }
        Ok(changes)
    }
}
