//! W10: a bulk import through the reconciler, a thousand candidates a turn.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use hitherto::facts::SourceKind;
use hitherto::time::Timestamp;
use hitherto::{Graph, Proposal, ReadOptions, Turn};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::corpus::{ATTRIBUTES, TURN};
use crate::peers::bare::{Bare, Rows, TABLES};
use crate::peers::sqlite::{Said, Sqlite};
use crate::profile::listed;
use crate::size::Sizes;
use crate::stand::{agree, copy};
use crate::subject;
use crate::table::{Table, Target, duration, say};
use crate::timing::{float, median};

/// How many turns the importer has under way, as Hitherto's own has.
const AHEAD: usize = 64;

/// A store that was imported, for whoever opens it next.
pub(crate) struct Stores {
    /// The facts and the directory of each.
    pub(crate) imported: Vec<(usize, PathBuf)>,
    _directory: TempDir,
}

/// What is imported: entities of twenty attributes.
struct Load {
    names: Vec<String>,
    keys: Vec<Arc<str>>,
    from: Timestamp,
}

impl Load {
    fn new(facts: usize) -> Outcome<Self> {
        Ok(Self {
            names: (0..facts / ATTRIBUTES).map(entity_name).collect(),
            keys: (0..ATTRIBUTES).map(|key| format!("attribute {key:02}").into()).collect(),
            from: Timestamp::parse("2024-01-01")?,
        })
    }

    fn value(entity: usize, key: usize) -> String {
        format!("value {entity} of {key}")
    }

    fn turns(&self) -> Outcome<VecDeque<Turn>> {
        let source = subject::source(SourceKind::Document, "registry");
        let mut turns = VecDeque::new();
        for (block, names) in self.names.chunks(TURN / ATTRIBUTES).enumerate() {
            let mut candidates = Vec::with_capacity(TURN);
            for (place, name) in names.iter().enumerate() {
                let reference = subject::reference(name)?;
                let entity = block * (TURN / ATTRIBUTES) + place;
                for (number, key) in self.keys.iter().enumerate() {
                    let says = subject::says(key, &Self::value(entity, number));
                    let proposal = subject::proposal(&reference, says, &source);
                    candidates.push(Proposal { valid_from: Some(self.from), ..proposal });
                }
            }
            turns.push_back(subject::turn(candidates, None));
        }
        Ok(turns)
    }

    fn lines(&self) -> Vec<String> {
        let candidate = |entity: usize, name: &str, number: usize| {
            serde_json::json!({
                "op": "assert", "subject": {"type": subject::KIND, "name": name}, "key": &*self.keys[number],
                "value": Self::value(entity, number), "valid_from": "2024-01-01",
                "source": {"kind": "document", "name": "registry"},
            })
        };
        let turn = |(block, names): (usize, &[String])| {
            let candidates: Vec<_> = names
                .iter()
                .enumerate()
                .flat_map(|(place, name)| {
                    let entity = block * (TURN / ATTRIBUTES) + place;
                    (0..ATTRIBUTES).map(move |number| candidate(entity, name, number))
                })
                .collect();
            serde_json::json!({"op": "turn", "candidates": candidates}).to_string()
        };
        self.names.chunks(TURN / ATTRIBUTES).enumerate().map(turn).collect()
    }

    fn tell_sqlite(&self, sqlite: &Sqlite) -> Outcome<f64> {
        let values: Vec<Vec<String>> = (0..self.names.len())
            .map(|entity| (0..ATTRIBUTES).map(|number| Self::value(entity, number)).collect())
            .collect();
        let mut writes = sqlite.writes()?;
        let started = Instant::now();
        for (block, names) in self.names.chunks(TURN / ATTRIBUTES).enumerate() {
            let said = names.iter().enumerate().flat_map(|(place, name)| {
                let entity = block * (TURN / ATTRIBUTES) + place;
                self.keys.iter().zip(&values[entity]).map(move |(key, value)| Said {
                    name,
                    key,
                    value,
                    from: self.from,
                    confidence: 1.0,
                    source: ("document", "registry"),
                    reference: None,
                    raw: None,
                })
            });
            writes.turn(crate::write::clock(), said)?;
        }
        Ok(started.elapsed().as_secs_f64())
    }
}

/// Returns the name of an imported entity.
pub(crate) fn entity_name(entity: usize) -> String {
    format!("project {entity:07}")
}

async fn into_hitherto(graph: &Graph, mut turns: VecDeque<Turn>) -> Outcome<f64> {
    let started = Instant::now();
    let mut underway = VecDeque::new();
    while let Some(turn) = turns.pop_front() {
        if underway.len() == AHEAD
            && let Some(oldest) = underway.pop_front()
        {
            let waiting: hitherto::Waiting = oldest;
            waiting.reply().await?;
        }
        underway.push_back(graph.enqueue(turn).await?);
    }
    for waiting in underway {
        waiting.reply().await?;
    }
    Ok(started.elapsed().as_secs_f64())
}

async fn into_bare(bare: &Bare, turns: &[Rows]) -> Outcome<f64> {
    let mut took = 0.0;
    for rows in turns {
        let rows = rows.clone();
        let started = Instant::now();
        bare.insert(rows).await?;
        took += started.elapsed().as_secs_f64();
    }
    Ok(took)
}

/// One size of import, done as often as there are rounds; the first store is
/// kept, and its rows are what the engine alone inserts.
struct Import<'a> {
    runtime: &'a Runtime,
    directory: &'a Path,
    load: Load,
    facts: usize,
}

impl Import<'_> {
    fn place(&self, word: &str, round: usize) -> PathBuf {
        self.directory.join(format!("{word} {} {round}", self.facts))
    }

    fn ours(&self, round: usize) -> Outcome<f64> {
        let turns = self.load.turns()?;
        self.runtime.block_on(async {
            let graph = subject::open(&self.place("ours", round), None).await?;
            let took = into_hitherto(&graph, turns).await?;
            graph.close().await?;
            Outcome::Ok(took)
        })
    }

    /// Returns the rows of the first store, turn by turn.
    fn rows(&self) -> Outcome<Vec<Rows>> {
        let data = self.place("data", 0);
        copy(&self.place("ours", 0).join("data"), &data)?;
        let rows = self.runtime.block_on(async { Bare::open(&data).await?.rows_by_transaction().await })?;
        std::fs::remove_dir_all(data)?;
        Ok(rows)
    }

    fn theirs(&self, round: usize, rows: &[Rows]) -> Outcome<f64> {
        let place = self.place("bare", round);
        self.runtime.block_on(async {
            let bare = Bare::make(&place).await?;
            let took = into_bare(&bare, rows).await?;
            if round == 0 {
                let stored: usize = rows.iter().flat_map(|turn| turn.values().map(Vec::len)).sum();
                let mut counted = 0;
                for table in TABLES {
                    counted += bare.count(table).await?;
                }
                agree("W10 rows", &usize::try_from(counted)?, "the store they came from", &stored)?;
                agree("W10 facts", &usize::try_from(bare.count("fact").await?)?, "asked", &self.facts)?;
            }
            Outcome::Ok(took)
        })
    }

    fn by_hand(&self, round: usize) -> Outcome<f64> {
        let sqlite = Sqlite::open(&self.place("sqlite", round))?;
        let took = self.load.tell_sqlite(&sqlite)?;
        if round == 0 {
            let (name, now) =
                (&self.load.names[self.load.names.len() / 2], crate::write::clock().as_micros());
            let mut theirs = sqlite.reads()?.profile(name, now)?;
            theirs.sort();
            let reference = subject::reference(name)?;
            let ours = self.runtime.block_on(async {
                let graph = subject::open(&self.place("ours", 0), None).await?;
                let ours = listed(&graph.profile(&reference, &ReadOptions::default()).await?);
                graph.close().await?;
                Outcome::Ok(ours)
            })?;
            agree("W10 profile", &ours, "SQLite", &theirs)?;
        }
        Ok(took)
    }

    fn as_json(&self) -> Outcome<f64> {
        let lines = self.load.lines();
        self.runtime.block_on(async {
            let graph = subject::open(&self.place("json", 0), None).await?;
            let started = Instant::now();
            for line in &lines {
                subject::ask(&graph, line).await?;
            }
            let took = started.elapsed().as_secs_f64();
            graph.close().await?;
            Outcome::Ok(took)
        })
    }
}

pub(crate) fn run(runtime: &Runtime, sizes: &Sizes, measured: bool, table: &mut Table) -> Outcome<Stores> {
    let directory = tempfile::tempdir()?;
    let mut imported = Vec::new();
    let mut per_fact: Vec<(usize, f64)> = Vec::new();
    for (place, facts) in sizes.imports.iter().copied().enumerate() {
        let import = Import { runtime, directory: directory.path(), load: Load::new(facts)?, facts };
        imported.push((facts, import.place("ours", 0)));
        let size = format!("{} k facts", facts / 1_000);
        if !measured {
            if place + 1 == sizes.imports.len() {
                import.ours(0)?;
            }
            continue;
        }
        let rounds = if facts > 200_000 { 1 } else { sizes.rounds.min(if facts > 20_000 { 3 } else { 5 }) };
        let (mut ours, mut theirs, mut by_hand) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows = Vec::new();
        for round in 0..rounds {
            ours.push(import.ours(round)?);
            if round == 0 {
                rows = import.rows()?;
            }
            theirs.push(import.theirs(round, &rows)?);
            by_hand.push(import.by_hand(round)?);
            say(&format!(
                "  round {round} of {size}: hitherto {}, bare {}, SQLite {}",
                duration(ours[round]),
                duration(theirs[round]),
                duration(by_hand[round])
            ));
            if round > 0 {
                std::fs::remove_dir_all(import.place("ours", round))?;
            }
        }
        let rate = |took: Vec<f64>| float(facts) / median(took);
        let (ours, theirs, by_hand) = (rate(ours), rate(theirs), rate(by_hand));
        let heading = ("W10", "bulk import, 1,000 candidates a turn", size.as_str());
        table.rates(heading, ours, ("bare SurrealDB, same rows", theirs), Target::AtLeast(0.7));
        table.rates(heading, ours, ("SQLite", by_hand), Target::Reported);
        if place == 0 {
            let json = float(facts) / import.as_json()?;
            table.rates(("W10", "… as JSON", &size), json, ("native call", ours), Target::Reported);
        }
        per_fact.push((facts, 1.0 / ours));
    }
    if let Some(((least, cost), rest)) = per_fact.split_first() {
        for (facts, grown) in rest {
            let size = format!("{} k / {} k facts", facts / 1_000, least / 1_000);
            let peer = (format!("at {} k", least / 1_000), *cost);
            let heading = ("W10", "cost of one fact as the store grows", size.as_str());
            table.seconds(heading, *grown, (&peer.0, peer.1), Target::AtMost(1.3));
        }
    }
    imported.retain(|(_, place)| place.exists());
    Ok(Stores { imported, _directory: directory })
}
