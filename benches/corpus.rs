//! What the stores of the reads hold: the same turns for every contestant, and
//! the answer to every question worked out the plain way.
//!
//! * a chain of each depth: one slot that changed so many times, an hour apart
//!   in valid time and a second apart in known time;
//! * residents: a `city` that ten of them share, changed twice;
//! * everybody else: twenty attributes each, never changed.

use std::collections::HashMap;
use std::sync::Arc;

use hitherto::time::Timestamp;

use crate::Outcome;
use crate::dice::Dice;
use crate::size::Sizes;

/// How many attributes an entity of a profile has.
pub(crate) const ATTRIBUTES: usize = 20;
/// How many residents share a city.
pub(crate) const SHARED: usize = 10;
/// How many candidates a turn has at most.
pub(crate) const TURN: usize = 1_000;

const HOUR: i64 = 3_600_000_000;
const SECOND: i64 = 1_000_000;

/// That the key of an entity has a value from some instant on.
#[derive(Clone)]
pub(crate) struct Claim {
    pub(crate) entity: usize,
    pub(crate) key: Arc<str>,
    pub(crate) value: Arc<str>,
    pub(crate) from: Timestamp,
}

/// An entity and a key.
type Slot = (usize, Arc<str>);

/// Claims that become known together.
pub(crate) struct Turn {
    pub(crate) known_at: Timestamp,
    pub(crate) claims: Vec<Claim>,
}

/// A point of the plane.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) valid_at: Timestamp,
    pub(crate) known_at: Timestamp,
}

/// The turns, in order, and what there is to ask about.
pub(crate) struct Corpus {
    /// The names of the entities, as they are normalised.
    pub(crate) names: Vec<String>,
    pub(crate) turns: Vec<Turn>,
    /// The entity of each chain with its depth.
    pub(crate) chains: Vec<(usize, usize)>,
    /// The entities with twenty attributes.
    pub(crate) profiles: Vec<usize>,
    /// How many facts there are.
    pub(crate) facts: usize,
    cities: usize,
    versions: HashMap<Slot, Vec<(Point, Arc<str>)>>,
    began: Point,
    steps: usize,
}

impl Corpus {
    pub(crate) fn new(sizes: &Sizes) -> Outcome<Self> {
        let began =
            Point { valid_at: Timestamp::parse("2024-01-01")?, known_at: Timestamp::parse("2025-01-01")? };
        let filled = Timestamp::parse("2024-06-01")?;
        let steps = *sizes.depths.last().ok_or("there are no depths")?;
        let mut corpus = Self {
            names: Vec::new(),
            turns: Vec::new(),
            chains: Vec::new(),
            profiles: Vec::new(),
            facts: 0,
            cities: sizes.residents / SHARED,
            versions: HashMap::new(),
            began,
            steps,
        };
        for depth in &sizes.depths {
            let entity = corpus.entity("chain");
            corpus.chains.push((entity, *depth));
        }
        let residents: Vec<usize> = (0..sizes.residents).map(|_| corpus.entity("resident")).collect();
        let chained: usize = sizes.depths.iter().sum();
        let rest = sizes.facts.saturating_sub(chained + 3 * sizes.residents) / ATTRIBUTES;
        corpus.profiles = (0..rest).map(|_| corpus.entity("subject")).collect();

        let mut first: Vec<Claim> = Vec::new();
        for (place, entity) in residents.iter().enumerate() {
            first.push(claim(*entity, "city", &corpus.city(place, 0), began.valid_at));
        }
        for entity in corpus.profiles.clone() {
            for attribute in 0..ATTRIBUTES {
                let value = format!("value {entity} of {attribute}");
                first.push(claim(entity, &format!("attribute {attribute:02}"), &value, began.valid_at));
            }
        }
        for (turn, claims) in (0..).zip(first.chunks(TURN)) {
            corpus.turn(filled.saturating_add_micros(turn * SECOND), claims.to_vec());
        }
        for step in 0..steps {
            let at = corpus.at_step(step);
            let mut claims = Vec::new();
            for (entity, depth) in corpus.chains.clone() {
                if step % (steps / depth) == 0 {
                    claims.push(claim(entity, "status", &format!("status {step}"), at.valid_at));
                }
            }
            for epoch in [1, 2] {
                if step == epoch * steps / 3 {
                    for (place, entity) in residents.iter().enumerate() {
                        claims.push(claim(*entity, "city", &corpus.city(place, epoch), at.valid_at));
                    }
                }
            }
            corpus.turn(at.known_at, claims);
        }
        Ok(corpus)
    }

    fn entity(&mut self, word: &str) -> usize {
        self.names.push(format!("{word} {:06}", self.names.len()));
        self.names.len() - 1
    }

    /// Returns where a resident lives: in each epoch ten share a city, never the
    /// same ten, and nobody moves back.
    fn city(&self, place: usize, epoch: usize) -> String {
        let block = place / self.cities;
        let shift = match epoch {
            0 => 0,
            1 => 1 + block % 4,
            _ => 5 + block % 5,
        };
        format!("city {}", (place + shift) % self.cities)
    }

    fn turn(&mut self, known_at: Timestamp, claims: Vec<Claim>) {
        if claims.is_empty() {
            return;
        }
        self.facts += claims.len();
        for claim in &claims {
            let point = Point { valid_at: claim.from, known_at };
            let slot = (claim.entity, Arc::clone(&claim.key));
            self.versions.entry(slot).or_default().push((point, Arc::clone(&claim.value)));
        }
        self.turns.push(Turn { known_at, claims });
    }

    fn at_step(&self, step: usize) -> Point {
        let step = i64::try_from(step).unwrap_or(0);
        Point {
            valid_at: self.began.valid_at.saturating_add_micros(step * HOUR),
            known_at: self.began.known_at.saturating_add_micros(step * SECOND),
        }
    }

    /// Returns points spread evenly over the plane of the chains, the two axes apart.
    pub(crate) fn points(&self, count: usize) -> Vec<Point> {
        let mut dice = Dice::new(7);
        let mut point = || Point {
            valid_at: self.at_step(dice.below(self.steps)).valid_at.saturating_add_micros(HOUR / 2),
            known_at: self.at_step(dice.below(self.steps)).known_at.saturating_add_micros(SECOND / 2),
        };
        (0..count).map(|_| point()).collect()
    }

    /// Returns some cities, each time another.
    pub(crate) fn some_cities(&self, count: usize) -> Vec<String> {
        let mut dice = Dice::new(11);
        (0..count).map(|_| format!("city {}", dice.below(self.cities))).collect()
    }

    /// Works out the value of a slot the plain way: of what was known by then and
    /// had begun by then, what was learned last. True here, where every claim
    /// is open-ended and none goes back.
    pub(crate) fn value(&self, entity: usize, key: &str, at: Point) -> Option<&str> {
        let versions = self.versions.get(&(entity, Arc::from(key)))?;
        let counts =
            |(point, _): &&(Point, _)| point.known_at <= at.known_at && point.valid_at <= at.valid_at;
        versions.iter().filter(counts).max_by_key(|(point, _)| point.known_at).map(|(_, value)| &**value)
    }

    /// Works out who has a city, the plain way.
    pub(crate) fn holders(&self, city: &str, at: Point) -> Vec<&str> {
        let lives = |name: &&String| name.starts_with("resident");
        let all = self.names.iter().enumerate().filter(|(_, name)| lives(name));
        all.filter(|(entity, _)| self.value(*entity, "city", at) == Some(city))
            .map(|(_, name)| name.as_str())
            .collect()
    }
}

fn claim(entity: usize, key: &str, value: &str, from: Timestamp) -> Claim {
    Claim { entity, key: key.into(), value: value.into(), from }
}
