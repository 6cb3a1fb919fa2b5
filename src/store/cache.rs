//! The read cache: what the last reads brought in, bounded by bytes and kept
//! true by the writer.
//!
//! A unit is one range of the engine: the head of an entity, a line of its
//! past, a list of an index. Facts carry the known times of all that happened
//! to them, so a unit that is newer than a reader's basis still answers it
//! rightly. What must not happen is an old range put in after the writer
//! brought the units up to date: a fill states the epoch at which it began to
//! read and is dropped when the writer has passed since.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache as Units;

use crate::facts::{Fact, FactId, Line, Uncertainty, UncertaintyId};
use crate::identity::{EntityId, EntityType, Name};
use crate::time::Timestamp;

/// Which of an entity's three runs of rows a fact lies in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Era {
    /// What a read of (now, latest) or later may need.
    Head,
    /// The rest.
    Past,
    /// Events, which are never superseded.
    Events,
}

impl Era {
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Head => 0,
            Self::Past => 1,
            Self::Events => 2,
        }
    }

    pub(super) fn from_number(number: i64) -> Option<Self> {
        [Self::Head, Self::Past, Self::Events].into_iter().find(|era| era.number() == number)
    }
}

/// An entity as stored, with the facts that a read of now may need.
#[derive(Clone, Debug)]
pub(crate) struct EntityUnit {
    /// Its name as first written; `None` when there is no such entity.
    pub(crate) display: Option<Arc<str>>,
    /// How often it has been written to.
    pub(crate) rev: u64,
    /// The known time of the last write: a read of an earlier known time may
    /// need the past.
    pub(crate) seen: Timestamp,
    /// The latest end of what is believed in the past: a read of an earlier
    /// valid time may need it.
    pub(crate) horizon: Timestamp,
    /// How many facts lie in the past.
    pub(crate) past: u64,
    /// How many events there are.
    pub(crate) events: u64,
    /// How many uncertainties there ever were.
    pub(crate) doubts: u64,
    /// The facts of the head, by line, then id.
    pub(crate) head: Vec<Arc<Fact>>,
}

impl EntityUnit {
    /// Returns the unit of an entity that is not there.
    pub(super) fn absent() -> Self {
        Self {
            display: None,
            rev: 0,
            seen: Timestamp::BEGINNING,
            horizon: Timestamp::BEGINNING,
            past: 0,
            events: 0,
            doubts: 0,
            head: Vec::new(),
        }
    }

    /// Returns the facts of the head that lie on a line.
    #[must_use]
    pub(crate) fn line(&self, line: &Line) -> &[Arc<Fact>] {
        on_line(&self.head, line)
    }
}

/// Returns the run of facts on a line, of facts sorted by line.
pub(super) fn on_line<'a>(facts: &'a [Arc<Fact>], line: &Line) -> &'a [Arc<Fact>] {
    let before = facts.partition_point(|fact| fact.line < *line);
    let rest = &facts[before..];
    let run = rest.partition_point(|fact| fact.line <= *line);
    &rest[..run]
}

/// The name of a unit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    Entity(EntityId),
    /// One line of the past, or all of it.
    Past(EntityId, Option<Line>),
    Events(EntityId),
    Doubts(EntityId),
    Holders(Arc<str>, [u8; 16]),
    Inbound(EntityId),
    Names(Name),
}

/// Who has, or had, a value: head holders first, each once for each era.
pub(super) type HolderList = Vec<(Era, EntityId)>;
/// The relations that end at an entity: era, label, subject.
pub(super) type InboundList = Vec<(Era, Arc<str>, EntityId)>;

/// What a unit holds.
#[derive(Clone, Debug)]
pub(super) enum Unit {
    Entity(Arc<EntityUnit>),
    Facts(Arc<Vec<Arc<Fact>>>),
    Doubts(Arc<Vec<Arc<Uncertainty>>>),
    Holders(Arc<HolderList>),
    Inbound(Arc<InboundList>),
    Names(Arc<Vec<EntityType>>),
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Key, Unit> for ByBytes {
    fn weight(&self, _: &Key, unit: &Unit) -> u64 {
        // Facts that two units share are counted in both: an upper bound.
        let facts = |facts: &[Arc<Fact>]| facts.iter().map(|f| f.weight() + 24).sum::<usize>();
        let bytes = match unit {
            Unit::Entity(unit) => 200 + facts(&unit.head),
            Unit::Facts(unit) => facts(unit),
            Unit::Doubts(unit) => unit.len() * 400,
            Unit::Holders(unit) => unit.len() * 96,
            Unit::Inbound(unit) => unit.len() * 128,
            Unit::Names(unit) => unit.len(),
        };
        256 + bytes as u64
    }
}

const SHARDS: usize = 256;

/// The epoch at which a fill began to read.
#[derive(Clone, Copy)]
pub(super) struct Ticket {
    shard: usize,
    epoch: u64,
}

/// The cache.
pub(super) struct Cache {
    units: Option<Units<Key, Unit, ByBytes>>,
    epochs: Box<[AtomicU64]>,
    turnstile: RwLock<()>,
    hasher: std::hash::RandomState,
}

impl Cache {
    /// Returns a cache of so many bytes; none keeps nothing.
    pub(super) fn new(bytes: usize) -> Self {
        // A unit is about a kilobyte; the estimate only sizes tables.
        let items = (bytes / 1024).clamp(16, 1 << 20);
        Self {
            units: (bytes > 0).then(|| Units::with_weighter(items, bytes as u64, ByBytes)),
            epochs: (0..SHARDS).map(|_| AtomicU64::new(0)).collect(),
            turnstile: RwLock::new(()),
            hasher: std::hash::RandomState::new(),
        }
    }

    fn shard(&self, key: &impl Hash) -> usize {
        usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0)
    }

    pub(super) fn get(&self, key: &Key) -> Option<Unit> {
        self.units.as_ref()?.get(key)
    }

    /// Takes a ticket before reading from the engine.
    pub(super) fn ticket(&self, key: &Key) -> Ticket {
        let shard = self.shard(key);
        Ticket { shard, epoch: self.epochs[shard].load(Ordering::Acquire) }
    }

    /// Keeps what was read, unless the writer has passed since the ticket.
    pub(super) fn fill(&self, key: Key, unit: Unit, ticket: Ticket) {
        let Some(units) = &self.units else { return };
        let _pass = self.turnstile.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.epochs[ticket.shard].load(Ordering::Acquire) == ticket.epoch {
            units.insert(key, unit);
        }
    }

    /// Forgets everything that was read.
    pub(super) fn clear(&self) {
        let Some(units) = &self.units else { return };
        let _gate = self.turnstile.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        for epoch in &self.epochs {
            epoch.fetch_add(1, Ordering::AcqRel);
        }
        units.clear();
    }

    /// Brings the cache up to date with a commit.
    pub(super) fn apply(&self, news: &News) {
        let Some(units) = &self.units else { return };
        let _gate = self.turnstile.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let touch = |key: &Key| {
            self.epochs[self.shard(key)].fetch_add(1, Ordering::AcqRel);
        };
        let change = |key: Key, change: &mut dyn FnMut(Unit) -> Option<Unit>| {
            touch(&key);
            if let Some(unit) = units.get(&key) {
                match change(unit) {
                    Some(unit) => units.insert(key, unit),
                    None => {
                        units.remove(&key);
                    }
                }
            }
        };
        for (entity, unit) in &news.entities {
            let key = Key::Entity(entity.clone());
            touch(&key);
            units.insert(key, Unit::Entity(Arc::clone(unit)));
        }
        for (entity, facts) in &news.facts {
            let mut by_line: HashMap<Line, Vec<&Moved>> = HashMap::new();
            for change in facts {
                by_line.entry(change.1.line.clone()).or_default().push(change);
            }
            for (line, facts) in by_line {
                change(Key::Past(entity.clone(), Some(line)), &mut |u| merged(u, &facts, Era::Past));
            }
            let all: Vec<_> = facts.iter().collect();
            change(Key::Past(entity.clone(), None), &mut |u| merged(u, &all, Era::Past));
            change(Key::Events(entity.clone()), &mut |u| merged(u, &all, Era::Events));
        }
        for (entity, doubts) in &news.doubts {
            change(Key::Doubts(entity.clone()), &mut |unit| {
                let Unit::Doubts(held) = unit else { return None };
                let mut kept: Vec<_> = held.iter().filter(|u| !doubts.contains_key(&u.id)).cloned().collect();
                kept.extend(doubts.values().flatten().cloned());
                kept.sort_by_key(|u| u.id);
                Some(Unit::Doubts(Arc::new(kept)))
            });
        }
        for ((key, hash), changes) in &news.holders {
            change(Key::Holders(Arc::clone(key), *hash), &mut |unit| {
                let Unit::Holders(held) = unit else { return None };
                Some(Unit::Holders(Arc::new(listed(&held, changes))))
            });
        }
        for (entity, changes) in &news.inbound {
            change(Key::Inbound(entity.clone()), &mut |unit| {
                let Unit::Inbound(held) = unit else { return None };
                Some(Unit::Inbound(Arc::new(listed(&held, changes))))
            });
        }
        for (name, changes) in &news.names {
            change(Key::Names(name.clone()), &mut |unit| {
                let Unit::Names(held) = unit else { return None };
                Some(Unit::Names(Arc::new(listed(&held, changes))))
            });
        }
    }
}

/// Returns a run of facts with these changes in it; a fact that lies in
/// another era now, or nowhere, leaves it.
fn merged(unit: Unit, changes: &[&Moved], era: Era) -> Option<Unit> {
    let Unit::Facts(held) = unit else { return None };
    let changed: HashSet<FactId> = changes.iter().map(|(_, fact)| fact.id).collect();
    let untouched =
        changes.iter().all(|(e, _)| *e != Some(era)) && !held.iter().any(|h| changed.contains(&h.id));
    if untouched {
        return Some(Unit::Facts(held));
    }
    let mut kept: Vec<Arc<Fact>> = held.iter().filter(|fact| !changed.contains(&fact.id)).cloned().collect();
    kept.extend(changes.iter().filter(|(e, _)| *e == Some(era)).map(|(_, fact)| Arc::clone(fact)));
    sort_facts(&mut kept);
    Some(Unit::Facts(Arc::new(kept)))
}

/// Sorts facts by line, then id.
pub(super) fn sort_facts(facts: &mut [Arc<Fact>]) {
    facts.sort_by(|a, b| (&a.line, a.id).cmp(&(&b.line, b.id)));
}

/// Returns a sorted list with entries put in (`true`) or taken out.
fn listed<T: Clone + Ord>(held: &[T], changes: &[(T, bool)]) -> Vec<T> {
    let mut list = held.to_vec();
    for (entry, is_in) in changes {
        match (list.binary_search(entry), is_in) {
            (Err(at), true) => list.insert(at, entry.clone()),
            (Ok(at), false) => {
                list.remove(at);
            }
            _ => {}
        }
    }
    list
}

/// A fact with the era in which it lies now, if it is there at all.
pub(super) type Moved = (Option<Era>, Arc<Fact>);
/// Entries of a list that are put in (`true`) or taken out.
type Entries<T> = Vec<(T, bool)>;

/// Uncertainties that changed; `None` for one that is gone.
type Doubts = HashMap<UncertaintyId, Option<Arc<Uncertainty>>>;
/// A folded key and the hash of a value.
type ValueKey = (Arc<str>, [u8; 16]);

/// What a commit changed, as the cache needs it.
#[derive(Default)]
pub(super) struct News {
    pub(super) entities: Vec<(EntityId, Arc<EntityUnit>)>,
    pub(super) facts: Vec<(EntityId, Vec<Moved>)>,
    pub(super) doubts: Vec<(EntityId, Doubts)>,
    pub(super) holders: HashMap<ValueKey, Entries<(Era, EntityId)>>,
    pub(super) inbound: HashMap<EntityId, Entries<(Era, Arc<str>, EntityId)>>,
    pub(super) names: HashMap<Name, Entries<EntityType>>,
}
