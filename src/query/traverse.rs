//! Bounded walks over relations, at one point of the plane.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use petgraph::graphmap::DiGraphMap;

use super::as_of::{Sight, SlotView, is_functional};
use super::get::united;
use super::snapshot::Snapshot;
use crate::facts::{Fact, FactId, LineKind, Scope, words};
use crate::identity::EntityId;
use crate::store::StoreError;
use crate::time::Period;

words! {
    /// Which way a walk follows relations.
    ///
    /// ```
    /// use hitherto::query::Direction;
    ///
    /// assert_eq!(Direction::parse("both"), Some(Direction::Both));
    /// ```
    Direction {
        /// From subject to object.
        Out = "out",
        /// From object to subject.
        In = "in",
        /// Either way.
        Both = "both",
    }
}

/// How far and along what to walk.
#[derive(Clone, Debug)]
pub struct Walk {
    /// How many relations away, 1 to 5.
    pub depth: u32,
    /// Which way.
    pub direction: Direction,
    /// Along which labels; every one when absent.
    pub labels: Option<Vec<Arc<str>>>,
    /// In which scope.
    pub scope: Option<Scope>,
    /// When to stop and answer with what was found.
    pub deadline: Option<std::time::Instant>,
}

/// What a walk found.
#[derive(Clone, Debug, Default)]
pub struct Neighbourhood {
    /// The relations, in the order in which they were reached.
    pub edges: Vec<Sight>,
    /// The entities, with how far away each is and its name as written.
    pub entities: Vec<(EntityId, Option<Arc<str>>, u32)>,
    /// Whether the deadline cut it short.
    pub partial: bool,
}

/// A path from one entity to another.
#[derive(Clone, Debug)]
pub struct Route {
    /// Its relations, from the start; none where start and end are the same.
    pub edges: Vec<Sight>,
    /// The valid period, around the point, during which all of it held.
    pub valid: Period,
}

impl Snapshot<'_> {
    /// Reads the relations that leave an entity.
    async fn outgoing(&self, entity: &EntityId, walk: &Walk) -> Result<Vec<Sight>, StoreError> {
        let unit = self.unit(entity).await?;
        let facts = self.all_facts(entity, &unit, false).await?;
        let mut sights = Vec::new();
        for (kind, key, facts) in self.slots(&facts) {
            let wanted = walk.labels.as_ref().is_none_or(|labels| labels.iter().any(|label| **label == *key));
            if kind != LineKind::Relation || !wanted {
                continue;
            }
            sights.extend(self.effective(key, facts.into_iter(), walk.scope.as_ref()));
        }
        Ok(sights)
    }

    /// Reads the relations that reach an entity.
    async fn incoming(&self, entity: &EntityId, walk: &Walk) -> Result<Vec<Sight>, StoreError> {
        let pairs = self.inbound(entity, walk.labels.as_deref()).await?;
        let subjects: Vec<EntityId> =
            pairs.iter().map(|(subject, _)| subject.clone()).collect::<BTreeSet<_>>().into_iter().collect();
        let units: HashMap<EntityId, _> =
            subjects.iter().cloned().zip(self.reader.entities(&subjects).await?).collect();
        let mut sights = Vec::new();
        for (subject, label) in pairs {
            let Some(unit) = units.get(&subject) else { continue };
            self.remember(&subject, unit);
            let facts = self.facts(&subject, unit, LineKind::Relation, &label, false).await?;
            let reaching = self.effective(&label, facts.iter(), walk.scope.as_ref());
            sights.extend(reaching.into_iter().filter(|sight| sight.fact.claim.object() == Some(entity)));
        }
        Ok(sights)
    }

    /// Returns the relations of one label that are current at the point.
    fn effective<'f>(
        &self,
        label: &str,
        facts: impl Iterator<Item = &'f Arc<Fact>>,
        scope: Option<&Scope>,
    ) -> Vec<Sight> {
        let competition = self.competition(LineKind::Relation, None);
        let view = SlotView::new(facts, self.at, scope, competition);
        match (is_functional(&self.rules.policies, label, scope), scope) {
            // Of a functional label the nearest scope's is the effective one.
            (true, Some(_)) => {
                let nearest = view.scopes.iter().rev().find(|view| !view.current.is_empty());
                nearest.map(|view| view.current.clone()).unwrap_or_default()
            }
            // Without a scope every scope's relations are shown beside each other.
            (_, None) => view.current().cloned().collect(),
            (false, Some(_)) => united(&view, competition),
        }
    }

    /// Walks from an entity, breadth first.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn neighbours(
        &self,
        entity: &EntityId,
        walk: &Walk,
    ) -> Result<Neighbourhood, StoreError> {
        let mut found = Neighbourhood::default();
        let mut distance: BTreeMap<EntityId, u32> = BTreeMap::from([(entity.clone(), 0)]);
        let mut names: HashMap<EntityId, Arc<str>> = HashMap::new();
        let mut taken: BTreeSet<FactId> = BTreeSet::new();
        let mut frontier = vec![entity.clone()];
        for step in 1..=walk.depth {
            let mut reached = Vec::new();
            for here in &frontier {
                if walk.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline) {
                    found.partial = true;
                    break;
                }
                let mut sights = Vec::new();
                if walk.direction != Direction::In {
                    sights.extend(self.outgoing(here, walk).await?);
                }
                if walk.direction != Direction::Out {
                    sights.extend(self.incoming(here, walk).await?);
                }
                sights.sort_by_key(by_label_and_ends);
                for sight in sights {
                    if !taken.insert(sight.fact.id) {
                        continue;
                    }
                    let Some(object) = sight.fact.claim.object() else { continue };
                    let subject = &sight.fact.subject;
                    names.insert(object.clone(), sight.fact.claim.plain().into());
                    let other = if subject == here { object } else { subject };
                    if !distance.contains_key(other) {
                        distance.insert(other.clone(), step);
                        reached.push(other.clone());
                    }
                    found.edges.push(sight.clone());
                }
            }
            frontier = reached;
        }
        distance.remove(entity);
        let mut entities: Vec<(EntityId, u32)> = distance.into_iter().collect();
        entities.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
        for (entity, distance) in entities {
            let name = match names.get(&entity) {
                Some(name) => Some(Arc::clone(name)),
                None => self.unit(&entity).await?.display.clone(),
            };
            found.entities.push((entity, name, distance));
        }
        Ok(found)
    }

    /// Finds the shortest path along relations, subject to object; of several,
    /// the first by label, then type and name.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn path(
        &self,
        from: &EntityId,
        to: &EntityId,
        walk: &Walk,
    ) -> Result<(Option<Route>, bool), StoreError> {
        if from == to {
            return Ok((Some(Route { edges: Vec::new(), valid: Period::ALL }), false));
        }
        // Brings in, layer by layer, what lies within reach; the first edge to
        // reach an entity is the one a shortest path of least labels takes.
        let mut entities: Vec<EntityId> = vec![from.clone()];
        let mut places: HashMap<EntityId, usize> = HashMap::from([(from.clone(), 0)]);
        let mut edges: Vec<Sight> = Vec::new();
        let mut tree: DiGraphMap<usize, usize> = DiGraphMap::new();
        let mut frontier = vec![0];
        for _ in 0..walk.depth {
            let mut reached = Vec::new();
            for here in frontier {
                if walk.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline) {
                    return Ok((None, true));
                }
                let mut sights = self.outgoing(&entities[here].clone(), walk).await?;
                sights.sort_by_key(by_label_and_ends);
                for sight in sights {
                    let Some(object) = sight.fact.claim.object().cloned() else { continue };
                    if places.contains_key(&object) {
                        continue;
                    }
                    let place = entities.len();
                    entities.push(object.clone());
                    places.insert(object, place);
                    // Edges point back to where an entity was reached from.
                    tree.add_edge(place, here, edges.len());
                    edges.push(sight);
                    reached.push(place);
                }
            }
            if let Some(end) = places.get(to) {
                return Ok((Some(trace(&tree, &edges, *end)), false));
            }
            frontier = reached;
        }
        Ok((None, false))
    }
}

/// Follows the edges back from the end of a path to its start.
fn trace(tree: &DiGraphMap<usize, usize>, edges: &[Sight], end: usize) -> Route {
    let mut route: Vec<Sight> = Vec::new();
    let mut place = end;
    while let Some((_, earlier, edge)) = tree.edges(place).next() {
        route.push(edges[*edge].clone());
        place = earlier;
    }
    route.reverse();
    // All of them hold at the point, so the periods share at least that.
    let valid = route.iter().map(|sight| sight.valid).reduce(|a, b| a.intersection(b).unwrap_or(a));
    Route { edges: route, valid: valid.unwrap_or(Period::ALL) }
}

fn by_label_and_ends(sight: &Sight) -> (String, Option<EntityId>, EntityId, FactId) {
    let fact = &sight.fact;
    (fact.claim.key().to_owned(), fact.claim.object().cloned(), fact.subject.clone(), fact.id)
}
