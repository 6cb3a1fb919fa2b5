//! W8: one durable write that replaces a value: read, decide, split, evidence.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hitherto::facts::{Action, SourceKind};
use hitherto::time::Timestamp;
use hitherto::{Graph, Proposal, Reference, Turn};
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::as_of::got;
use crate::corpus::Point;
use crate::peers::bare::{Bare, Says, Slot};
use crate::peers::sqlite::{Said, Sqlite};
use crate::size::Sizes;
use crate::stand::{agree, copy};
use crate::subject;
use crate::table::{Table, Target};
use crate::timing::{Contest, float};

/// Over how many slots the writes go in turn, so that no chain grows long.
const SLOTS: usize = 50;
const KEY: &str = "status";

/// Somebody who says one thing after the other.
pub(crate) struct Speaker {
    references: Vec<Reference>,
    key: Arc<str>,
    source: Arc<hitherto::facts::Source>,
}

impl Speaker {
    pub(crate) fn new(slots: usize) -> Outcome<Self> {
        let references = (0..slots).map(|slot| subject::reference(&name(slot))).collect::<Result<_, _>>()?;
        let source = subject::source(SourceKind::Turn, "chat");
        Ok(Self { references, key: KEY.into(), source })
    }

    /// Returns the turn that says the next thing about a slot.
    pub(crate) fn says(&self, slot: usize, step: usize, known_at: Option<Timestamp>) -> Turn {
        let says = subject::says(&self.key, &value(step));
        let proposal = Proposal {
            raw: Some(raw(slot, step).into()),
            ..subject::proposal(&self.references[slot], says, &self.source)
        };
        subject::turn(vec![proposal], known_at)
    }
}

/// Returns the name of the entity of a slot.
pub(crate) fn name(slot: usize) -> String {
    format!("project {slot:03}")
}

/// Returns the value that a step says.
pub(crate) fn value(step: usize) -> String {
    format!("stage {step}")
}

/// Returns the sentence that a step is read from.
pub(crate) fn raw(slot: usize, step: usize) -> String {
    format!("The status of {} is now {}, says the weekly report.", name(slot), value(step))
}

pub(crate) fn clock() -> Timestamp {
    let micros = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros());
    Timestamp::from_micros(i64::try_from(micros).unwrap_or(0)).unwrap_or(Timestamp::BEGINNING)
}

/// Writes the same few turns to Hitherto, to the engine by hand and to SQLite,
/// and compares every row with the engine's and every answer with SQLite's.
async fn check(directory: &Path) -> Outcome<()> {
    let speaker = Speaker::new(2)?;
    let graph = subject::open(&directory.join("checked"), None).await?;
    let bare = Bare::make(&directory.join("checked by hand")).await?;
    let mut slots = [Slot::new(&name(0), KEY), Slot::new(&name(1), KEY)];
    let sqlite = Sqlite::open(&directory.join("checked.db"))?;
    let mut writes = sqlite.writes()?;
    let began = Timestamp::parse("2025-01-01")?;
    for step in 0..12_u8 {
        let (slot, at) = (usize::from(step % 2), began.saturating_add_micros(i64::from(step) * 1_000));
        let answer = subject::submit(&graph, speaker.says(slot, step.into(), Some(at))).await?;
        let expected = if step < 2 { Action::Add } else { Action::Supersede };
        agree("W8 action", &answer.outcomes.first().map(|o| o.action), "expected", &Some(expected))?;
        let (value, raw) = (value(step.into()), raw(slot, step.into()));
        let says = Says { value: &value, raw: &raw, known_at: at, named: true, tx: i64::from(step) + 1 };
        slots[slot].replace(&bare, &says).await?;
        writes.turn(at, std::iter::once(said(&name(slot), &value, &raw, at)))?;
    }
    same_as_sqlite(&graph, &sqlite, began).await?;
    graph.close().await?;
    copy(&directory.join("checked").join("data"), &directory.join("copy"))?;
    let ours = Bare::open(&directory.join("copy")).await?.printed().await?;
    let theirs = bare.printed().await?;
    for (ours, theirs) in ours.iter().zip(&theirs) {
        agree("W8 rows", ours, "bare SurrealDB", theirs)?;
    }
    agree("W8 number of rows", &ours.len(), "bare SurrealDB", &theirs.len())
}

/// Asks for both slots at every point that the turns made a difference to.
async fn same_as_sqlite(graph: &Graph, sqlite: &Sqlite, began: Timestamp) -> Outcome<()> {
    let mut reads = sqlite.reads()?;
    let what = subject::attribute(KEY);
    for (valid, known) in (1..12).flat_map(|valid| (1..12).map(move |known| (valid, known))) {
        let at = |step: i64| began.saturating_add_micros(step * 1_000);
        let point = Point { valid_at: at(valid), known_at: at(known) };
        for slot in 0..2 {
            let reference = subject::reference(&name(slot))?;
            let ours = got(&graph.get(&reference, &what, &subject::seen_from(point)).await?);
            agree("W8 value", &ours, "SQLite", &reads.as_of(&name(slot), KEY, point)?)?;
        }
    }
    Ok(())
}

/// Returns what is said, as SQLite is told it.
fn said<'a>(name: &'a str, value: &'a str, raw: &'a str, at: Timestamp) -> Said<'a> {
    Said {
        name,
        key: KEY,
        value,
        from: at,
        confidence: 0.8,
        source: ("turn", "chat"),
        reference: None,
        raw: Some(raw),
    }
}

pub(crate) fn run(runtime: &Runtime, sizes: &Sizes, table: &mut Table) -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    let speaker = Speaker::new(SLOTS)?;
    let (graph, bare) = runtime.block_on(async {
        check(directory.path()).await?;
        let graph = subject::open(&directory.path().join("one by one"), None).await?;
        let bare = Bare::make(&directory.path().join("by hand")).await?;
        Outcome::Ok((graph, bare))
    })?;
    let sqlite = Sqlite::open(&directory.path().join("write.db"))?;
    let mut writes = sqlite.writes()?;
    let mut slots: Vec<Slot> = (0..SLOTS).map(|slot| Slot::new(&name(slot), KEY)).collect();
    let mut append = std::fs::File::create(directory.path().join("append"))?;
    let (mut ours, mut spoken, mut theirs, mut rows) = (0, 1_000_000, 0, 0);

    let contest = Contest { floor: sizes.floor * 4, rounds: sizes.rounds };
    let [native, json, engine, table_write, sync] = contest.race([
        Box::new(|batch| {
            runtime.block_on(async {
                for _ in 0..batch {
                    let turn = speaker.says(ours % SLOTS, ours, None);
                    subject::submit(&graph, turn).await.expect("a plain turn is carried out");
                    ours += 1;
                }
            });
        }),
        Box::new(|batch| {
            runtime.block_on(async {
                for _ in 0..batch {
                    let slot = spoken % SLOTS;
                    let line = format!(
                        r#"{{"op":"assert","subject":{{"type":"{}","name":"{}"}},"key":"{KEY}","value":"{}","raw":"{}","source":"chat"}}"#,
                        subject::KIND,
                        name(slot),
                        value(spoken),
                        raw(slot, spoken)
                    );
                    subject::ask(&graph, &line).await.expect("a plain line is carried out");
                    spoken += 1;
                }
            });
        }),
        Box::new(|batch| {
            runtime.block_on(async {
                for _ in 0..batch {
                    let slot = theirs % SLOTS;
                    let (value, raw) = (value(theirs), raw(slot, theirs));
                    let tx = i64::try_from(theirs).unwrap_or(0) + 1;
                    let says = Says { value: &value, raw: &raw, known_at: clock(), named: false, tx };
                    slots[slot].replace(&bare, &says).await.expect("a guarded transaction commits");
                    theirs += 1;
                }
            });
        }),
        Box::new(|batch| {
            for _ in 0..batch {
                let slot = rows % SLOTS;
                let at = clock();
                let (name, value, raw) = (name(slot), value(rows), raw(slot, rows));
                writes.turn(at, std::iter::once(said(&name, &value, &raw, at))).expect("a turn commits");
                rows += 1;
            }
        }),
        Box::new(|batch| {
            for _ in 0..batch {
                append.write_all(&[7; 4_096]).and_then(|()| append.sync_data()).expect("the disk takes it");
            }
        }),
    ]);
    let work = "a durable write that replaces a value";
    let heading = ("W8", work, "1 of 50 slots in turn");
    table.seconds(heading, native, ("bare SurrealDB", engine), Target::AtMost(1.5));
    table.seconds(heading, native, ("SQLite", table_write), Target::Reported);
    table.seconds(("W8", "… as JSON", "the same"), json, ("native call", native), Target::Reported);
    table.seconds(heading, native, ("one fdatasync of 4 KiB", sync), Target::Reported);
    let calls = runtime.block_on(calls_of_one(&graph, &speaker))?;
    table.note(format!("W8: {calls} engine calls for one warm write"));
    runtime.block_on(graph.close())?;
    Ok(())
}

async fn calls_of_one(graph: &Graph, speaker: &Speaker) -> Outcome<u64> {
    let before = graph.engine_calls();
    subject::submit(graph, speaker.says(0, 9_999_999, None)).await?;
    Ok(graph.engine_calls() - before)
}

/// Returns how many operations were done in a second.
pub(crate) fn per_second(operations: usize, took: Duration) -> f64 {
    float(operations) / took.as_secs_f64()
}
