//! W7: walks of two and three steps as of a point, ten relations out of every entity.
//!
//! Every entity has thirteen relations, of which ten hold at any point: two end
//! when two others begin, and one was never true, learned together with the one
//! that was.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use hitherto::facts::SourceKind;
use hitherto::query::{Direction, Neighbourhood, Walk};
use hitherto::time::Timestamp;
use hitherto::{Proposal, Reference, Statement};
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::corpus::{Point, TURN};
use crate::dice::Dice;
use crate::peers::sqlite::{Edge, Related, Sqlite};
use crate::size::Sizes;
use crate::stand::agree;
use crate::subject;
use crate::table::{Table, Target};
use crate::timing::Contest;

const LABEL: &str = "knows";

/// A relation, and whether it is told in the first turns, taken back later, or told later.
struct Tie {
    subject: usize,
    object: usize,
    from: Timestamp,
    until: Timestamp,
    is_late: bool,
    is_wrong: bool,
}

struct Web {
    names: Vec<String>,
    ties: Vec<Tie>,
    first: Timestamp,
    later: Timestamp,
    points: [Point; 4],
}

impl Web {
    fn new(nodes: usize) -> Outcome<Self> {
        let day = Timestamp::parse;
        let (began, turned) = (day("2024-01-01")?, day("2024-07-01")?);
        let (first, later) = (day("2025-01-01")?, day("2025-07-01")?);
        let mut dice = Dice::new(3);
        let mut ties = Vec::new();
        for subject in 0..nodes {
            let mut objects: Vec<usize> = Vec::new();
            while objects.len() < 13 {
                let object = dice.below(nodes);
                if object != subject && !objects.contains(&object) {
                    objects.push(object);
                }
            }
            for (place, object) in objects.into_iter().enumerate() {
                let (from, until) = match place {
                    7 | 8 => (began, turned),
                    9 | 10 => (turned, Timestamp::OPEN),
                    _ => (began, Timestamp::OPEN),
                };
                ties.push(Tie { subject, object, from, until, is_wrong: place == 11, is_late: place == 12 });
            }
        }
        let mut points = [Point { valid_at: began, known_at: first }; 4];
        for (place, point) in points.iter_mut().enumerate() {
            point.valid_at = if place % 2 == 0 { day("2024-03-01")? } else { day("2024-11-01")? };
            point.known_at = if place < 2 { day("2025-03-01")? } else { day("2025-11-01")? };
        }
        let names = (0..nodes).map(|node| format!("node {node:06}")).collect();
        Ok(Self { names, ties, first, later, points })
    }

    fn related(&self, keep: impl Fn(&Tie) -> bool) -> impl Iterator<Item = Related<'_>> {
        self.ties.iter().filter(move |tie| keep(tie)).map(|tie| Related {
            subject: &self.names[tie.subject],
            label: LABEL,
            object: &self.names[tie.object],
            from: tie.from,
            until: tie.until,
        })
    }

    async fn load(&self, graph: &hitherto::Graph, references: &[Reference]) -> Outcome<()> {
        let source = subject::source(SourceKind::Upsert, "bench");
        let label: Arc<str> = LABEL.into();
        let told = |tie: &Tie| {
            let object = references[tie.object].clone();
            let says = Statement::Relation { label: Arc::clone(&label), object };
            Proposal {
                valid_from: Some(tie.from),
                valid_until: Some(tie.until),
                ..subject::proposal(&references[tie.subject], says, &source)
            }
        };
        let taken_back = |tie: &Tie| {
            let object = Some(references[tie.object].clone());
            let says = Statement::RelationEnds { label: Arc::clone(&label), object };
            Proposal {
                valid_from: Some(Timestamp::BEGINNING),
                valid_until: Some(Timestamp::OPEN),
                ..subject::proposal(&references[tie.subject], says, &source)
            }
        };
        let first: Vec<Proposal> = self.ties.iter().filter(|tie| !tie.is_late).map(told).collect();
        let late = self.ties.iter().filter(|tie| tie.is_late).map(told);
        let later: Vec<Proposal> =
            self.ties.iter().filter(|tie| tie.is_wrong).map(taken_back).chain(late).collect();
        for (known_at, candidates) in [(self.first, first), (self.later, later)] {
            for (turn, candidates) in (0..).zip(candidates.chunks(TURN)) {
                let at = known_at.saturating_add_micros(turn);
                subject::submit(graph, subject::turn(candidates.to_vec(), Some(at))).await?;
            }
        }
        Ok(())
    }
}

/// Returns what a walk found, as both contestants can say it: the relations,
/// and how far away each entity is.
fn found(walk: &Neighbourhood) -> (Vec<(String, String)>, BTreeMap<String, u32>) {
    let mut edges: Vec<(String, String)> = walk
        .edges
        .iter()
        .filter_map(|sight| {
            let object = sight.fact.claim.object()?;
            Some((sight.fact.subject.name.as_str().to_owned(), object.name.as_str().to_owned()))
        })
        .collect();
    edges.sort();
    let entities = walk.entities.iter();
    (edges, entities.map(|(entity, _, far)| (entity.name.as_str().to_owned(), *far)).collect())
}

fn found_by_hand(root: &str, edges: Vec<Edge>) -> (Vec<(String, String)>, BTreeMap<String, u32>) {
    let mut distances: BTreeMap<String, u32> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (subject, object, depth) in edges {
        if object != root {
            let known = distances.entry(object.clone()).or_insert(depth);
            *known = depth.min(*known);
        }
        pairs.push((subject, object));
    }
    pairs.sort();
    (pairs, distances)
}

pub(crate) fn run(runtime: &Runtime, sizes: &Sizes, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    let web = Web::new(sizes.nodes)?;
    crate::table::say(&format!("loading {} relations into two stores", web.ties.len()));
    let references: Vec<Reference> =
        web.names.iter().map(|name| subject::reference(name)).collect::<Result<_, _>>()?;
    let graph = runtime.block_on(async {
        let graph = subject::open(&directory.path().join("web"), None).await?;
        web.load(&graph, &references).await?;
        Outcome::Ok(graph)
    })?;
    let sqlite = Sqlite::open(&directory.path().join("web.db"))?;
    let mut writes = sqlite.writes()?;
    writes.relate(web.first, web.related(|tie| !tie.is_late), std::iter::empty())?;
    writes.relate(web.later, web.related(|tie| tie.is_late), web.related(|tie| tie.is_wrong))?;
    sqlite.settle()?;
    let mut reads = sqlite.reads()?;

    for depth in [2, 3] {
        let walk = Walk {
            depth,
            direction: Direction::Out,
            labels: Some(vec![LABEL.into()]),
            scope: None,
            deadline: None,
        };
        let mut dice = Dice::new(5);
        let mut asked = Vec::new();
        let mut edges = 0;
        for place in 0..64 {
            let (root, point) = (dice.below(web.names.len()), web.points[place % 4]);
            let (name, options) = (&web.names[root], subject::seen_from(point));
            let line = format!(
                r#"{{"op":"neighbours","subject":{{"type":"{}","name":"{name}"}},"depth":{depth},"direction":"out","labels":["{LABEL}"],"valid_at":"{}","known_at":"{}","limit":100000}}"#,
                subject::KIND,
                point.valid_at,
                point.known_at
            );
            let (ours, printed) = runtime.block_on(async {
                let ours = graph.neighbours(&references[root], &walk, &options).await?.result;
                let printed = subject::ask(&graph, &line).await?["result"]["edges"].as_array().map(Vec::len);
                Outcome::Ok((ours, printed))
            })?;
            edges += ours.edges.len();
            agree("W7 edges as JSON", &printed, "native call", &Some(ours.edges.len()))?;
            let theirs = found_by_hand(name, reads.walk(name, LABEL, depth, point)?);
            agree("W7 walk", &found(&ours), "SQLite", &theirs)?;
            asked.push((&references[root], name, point, options, line));
        }
        let each = |batch: usize| asked.iter().cycle().take(batch);
        let [native, json, theirs] = contest.race([
            Box::new(|batch| {
                runtime.block_on(async {
                    for (root, _, _, options, _) in each(batch) {
                        let _ = black_box(graph.neighbours(root, &walk, options).await);
                    }
                });
            }),
            Box::new(|batch| {
                runtime.block_on(async {
                    for (.., line) in each(batch) {
                        black_box(hitherto::answer(&graph, line).await);
                    }
                });
            }),
            Box::new(|batch| {
                for (_, name, point, ..) in each(batch) {
                    let _ = black_box(reads.walk(name, LABEL, depth, *point));
                }
            }),
        ]);
        let size = format!("{depth} steps, {} relations", edges / asked.len());
        let work = "walk as of (valid, known), fan-out 10, warm";
        table.seconds(("W7", work, &size), native, ("SQLite, recursive", theirs), Target::AtMost(1.0));
        table.seconds(("W7", "… as JSON", &size), json, ("native call", native), Target::Reported);
    }
    runtime.block_on(graph.close())?;
    Ok(())
}
