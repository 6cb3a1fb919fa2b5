//! What held when, as believed at one known instant.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::as_of::{Competition, Coordinate};
use super::get::What;
use super::snapshot::Snapshot;
use crate::facts::{Claim, Fact, FactId, Pillar, Scope, Standing, Value};
use crate::identity::EntityId;
use crate::store::StoreError;
use crate::time::{Period, PeriodSet, Timestamp};

/// What a segment holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A value.
    Value(Value),
    /// The object of a relation, and its name as first written.
    Object(EntityId, Arc<str>),
    /// A sentence.
    Text(Arc<str>),
}

impl Content {
    /// Returns what a claim holds.
    #[must_use]
    pub fn of(claim: &Claim) -> Self {
        match claim {
            Claim::Attribute { value, .. } | Claim::Event { value, .. } => Self::Value(value.clone()),
            Claim::Relation { object, object_name, .. } => {
                Self::Object(object.clone(), Arc::clone(object_name))
            }
            Claim::Note { text, .. } => Self::Text(Arc::clone(text)),
        }
    }
}

/// A stretch of valid time over which one thing held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What.
    pub content: Content,
    /// In which scope.
    pub scope: Scope,
    /// Which item of a list, or object of a relation, it is a version of.
    pub item: String,
    /// When.
    pub valid: Period,
    /// Since when all of it is known.
    pub known_from: Timestamp,
    /// The facts behind it, in order.
    pub facts: Vec<FactId>,
}

/// Works out the timeline of one slot: coalesced, in valid order.
///
/// A stretch that an authority speaks for is the authority's; what talk says
/// holds where no authority speaks.
#[must_use]
pub(super) fn segments(
    facts: &[Arc<Fact>],
    at: Coordinate,
    competition: Competition<'_>,
    counts: impl Fn(&Fact) -> bool,
) -> Vec<Segment> {
    let mut slots: BTreeMap<(Scope, String), Vec<&Fact>> = BTreeMap::new();
    for fact in facts.iter().filter(|fact| fact.standing == Standing::Claim && counts(fact)) {
        slots.entry((fact.scope.clone(), competition.item(fact))).or_default().push(fact);
    }
    let mut all = Vec::new();
    for ((scope, item), facts) in slots {
        let of = |pillar| facts.iter().filter(move |fact| fact.pillar == pillar);
        let ruled: PeriodSet = of(Pillar::Authoritative)
            .flat_map(|fact| fact.coverage.believed_at(at.known_at).iter().copied().collect::<Vec<_>>())
            .collect();
        let mut pieces: Vec<(Period, &Fact)> = Vec::new();
        for fact in of(Pillar::Authoritative) {
            pieces.extend(fact.coverage.believed_at(at.known_at).iter().map(|period| (*period, *fact)));
        }
        for fact in of(Pillar::Experiential) {
            for period in &fact.coverage.believed_at(at.known_at) {
                pieces.extend(ruled.gaps_in(*period).into_iter().map(|gap| (gap, *fact)));
            }
        }
        pieces.sort_by_key(|(period, fact)| (period.from(), fact.id));
        let mut joined: Vec<(Segment, &Fact)> = Vec::new();
        for (period, fact) in pieces {
            let known_from = fact
                .coverage
                .rectangles()
                .iter()
                .filter(|r| r.valid.intersects(period) && r.known.contains(at.known_at));
            let known_from = known_from.map(|r| r.known.from()).max().unwrap_or_else(|| fact.recorded_at());
            match joined.last_mut() {
                Some((last, earlier))
                    if last.valid.until() == period.from() && earlier.claim.says_the_same(&fact.claim) =>
                {
                    last.valid = last.valid.hull(period);
                    last.known_from = last.known_from.max(known_from);
                    if !last.facts.contains(&fact.id) {
                        last.facts.push(fact.id);
                    }
                }
                _ => joined.push((
                    Segment {
                        content: Content::of(&fact.claim),
                        scope: scope.clone(),
                        item: item.clone(),
                        valid: period,
                        known_from,
                        facts: vec![fact.id],
                    },
                    fact,
                )),
            }
        }
        all.extend(joined.into_iter().map(|(segment, _)| segment));
    }
    all.sort_by(|a, b| (a.valid, &a.scope, &a.item).cmp(&(b.valid, &b.scope, &b.item)));
    all
}

/// Clamps segments to a window; what lies outside is left out.
#[must_use]
fn timeline(segments: Vec<Segment>, window: Period) -> Vec<Segment> {
    segments
        .into_iter()
        .filter_map(|segment| Some(Segment { valid: segment.valid.intersection(window)?, ..segment }))
        .collect()
}

impl Snapshot<'_> {
    /// Reads the timeline of a slot, clamped to a window.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn timeline(
        &self,
        entity: &EntityId,
        what: &What,
        scope: Option<&Scope>,
        window: Period,
    ) -> Result<Vec<Segment>, StoreError> {
        let unit = self.unit(entity).await?;
        let facts = self.facts(entity, &unit, what.kind, &what.key, true).await?;
        let competition = self.competition(what.kind, self.slot(what.kind, &what.key));
        let shown = |fact: &Fact| {
            self.at.counts(fact)
                && scope.is_none_or(|scope| scope.sees(&fact.scope))
                && what.object.as_ref().is_none_or(|object| fact.claim.object() == Some(object))
        };
        Ok(timeline(segments(&facts, self.at, competition, shown), window))
    }
}
