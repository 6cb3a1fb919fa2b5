//! A real bitemporal record: legislators' terms through the edits of a public
//! data set, with answers that were worked out on another path.
//!
//! The executive is asked whole. Of Congress every twenty-fifth person is, with
//! the questions about them; `HITHERTO_CONGRESS=full` asks all of it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use hitherto::Graph;
use serde_json::{Value as Json, json};

use crate::support::pattern::{self, Names};
use crate::support::store::{Engine, Place, ask, assert_sound};
use crate::support::{binary, run, say, shared};

/// One person in so many is in the sample.
const ONE_IN: u64 = 25;
/// A cache in which hardly anything has room.
const TOO_SMALL: usize = 64 << 10;

/// Questions, and the operations that answer them.
struct Record {
    name: &'static str,
    ops: PathBuf,
    ops_count: usize,
    turns: usize,
    questions: Vec<Json>,
}

/// Asks every question and returns how many of each kind were asked.
async fn ask_all(graph: &Graph, record: &Record, configuration: &str) -> BTreeMap<String, usize> {
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    let mut right: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let began = std::time::Instant::now();
    for question in &record.questions {
        let kind = question["kind"].as_str().unwrap().to_owned();
        let mut names = Names::new();
        *asked.entry(kind.clone()).or_default() += 1;
        let mut is_right = true;
        for step in question["steps"].as_array().unwrap() {
            let request = pattern::fill(&step["do"], &names);
            let answer = ask(graph, &request).await;
            if let Err(miss) = pattern::check(&step["expect"], &answer, &mut names) {
                is_right = false;
                wrong.push(format!(
                    "{}: {request}\n  is {answer}\n  at {} {}",
                    question["id"], miss.path, miss.says
                ));
                break;
            }
        }
        *right.entry(kind).or_default() += usize::from(is_right);
    }
    let counts: Vec<String> = asked
        .iter()
        .map(|(kind, asked)| format!("{kind} {}/{asked}", right.get(kind).unwrap_or(&0)))
        .collect();
    let took = began.elapsed();
    say(&format!("congress, {}, {configuration}: {} in {took:.1?}", record.name, counts.join(", ")));
    assert!(
        wrong.is_empty(),
        "{configuration}: {} are wrong, the first:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    asked
}

/// Imports the operations, asks in every configuration, and sends the store
/// through an export into a new one.
async fn hold(record: Record) {
    let mut place = Place::open(Engine::Disk).await;
    let report = hitherto::surfaces::import_ops(&place.graph, &record.ops, &mut |_, _, _| {}).await.unwrap();
    assert_eq!((report.ops, report.turns, report.skipped), (record.ops_count as u64, record.turns as u64, 0));
    let asked = ask_all(&place.graph, &record, "after the import").await;
    assert!(asked.len() >= 4 && record.questions.len() > 100, "too few questions: {asked:?}");

    // Imported again, nothing changes.
    let again = hitherto::surfaces::import_ops(&place.graph, &record.ops, &mut |_, _, _| {}).await.unwrap();
    assert_eq!((again.ops, again.skipped), (report.ops, report.ops));
    for (configuration, cache) in [
        ("after a restart", 256 << 20),
        ("after a restart, cache off", 0),
        ("after a restart, cache too small", TOO_SMALL),
    ] {
        place.restart_with(|options| options.cache_bytes(cache)).await;
        ask_all(&place.graph, &record, configuration).await;
    }
    assert_sound(&place.graph).await;

    let folder = tempfile::tempdir().unwrap();
    let exported = folder.path().join("export.jsonl");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&exported).unwrap());
    hitherto::surfaces::export(&place.graph, &mut file).await.unwrap();
    file.flush().unwrap();
    drop(file);
    place.close().await;

    let other = Place::open(Engine::Disk).await;
    hitherto::surfaces::import_export(&other.graph, &exported, &mut |_, _, _| {}).await.unwrap();
    ask_all(&other.graph, &record, "after export and import").await;
    assert_sound(&other.graph).await;
    let mut once_more = Vec::new();
    hitherto::surfaces::export(&other.graph, &mut once_more).await.unwrap();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (first, second) =
        (std::fs::read_to_string(&exported).unwrap(), String::from_utf8(once_more).unwrap());
    assert!(sorted(&first) == sorted(&second), "an export of what was imported is the same export");
    other.close().await;
}

/// Counts operations and the turns that they make.
fn count(ops: &[Json]) -> (usize, usize) {
    let turns = ops.windows(2).filter(|two| two[0]["known_at"] != two[1]["known_at"]).count();
    (ops.len(), turns + usize::from(!ops.is_empty()))
}

fn locate(name: &str) -> Option<(PathBuf, Vec<Json>, Vec<Json>)> {
    let ops = shared::locate(&format!("data/congress/{name}ops.jsonl.gz"))?;
    let questions = shared::lines(&shared::locate(&format!("data/congress/{name}queries.jsonl.gz"))?);
    let lines = shared::lines(&ops);
    Some((ops, lines, questions))
}

#[test]
fn the_executive_is_answered_right_in_every_configuration() {
    let Some((ops, lines, questions)) = locate("executive.") else { return };
    assert_eq!((lines.len(), questions.len()), (597, 612));
    let (ops_count, turns) = count(&lines);
    run(hold(Record { name: "executive", ops, ops_count, turns, questions }));
}

/// The same through the program: import, ask, export, import the export, ask.
#[test]
fn the_executive_is_answered_right_by_the_program() {
    let Some((ops, lines, questions)) = locate("executive.") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("a"), folder.path().join("b"));
    let ops = ops.to_str().unwrap();
    let told: Json = serde_json::from_str(&binary::output_well(&first, &["--json", "import", ops])).unwrap();
    assert_eq!(told["ok"], true, "{told}");
    converse(&first, &questions);

    let export = folder.path().join("export.jsonl");
    std::fs::write(&export, binary::output_well(&first, &["export"])).unwrap();
    binary::output_well(&second, &["import", export.to_str().unwrap(), "--format", "export"]);
    let asked = converse(&second, &questions);
    assert!(asked >= 612 && lines.len() == 597, "{asked} steps were asked");
    for store in [&first, &second] {
        let found: Json = serde_json::from_str(&binary::output_well(store, &["fsck", "--json"])).unwrap();
        assert_eq!(found["result"]["findings"], json!([]));
    }
}

/// Asks the questions over a pipe and returns how many steps that were.
fn converse(store: &Path, questions: &[Json]) -> usize {
    let mut exec = binary::Exec::start(store);
    let mut steps = 0;
    for question in questions {
        let mut names = Names::new();
        for step in question["steps"].as_array().unwrap() {
            let answer = exec.ask(&pattern::fill(&step["do"], &names)).unwrap();
            let ended = pattern::check(&step["expect"], &answer, &mut names);
            assert_eq!(ended, Ok(()), "{step}\nis {answer}");
            steps += 1;
        }
    }
    assert_eq!(exec.end(), Some(0));
    steps
}

#[test]
fn congress_is_answered_right_in_every_configuration() {
    let Some((ops, lines, questions)) = locate("") else { return };
    assert_eq!((lines.len(), questions.len()), (76_468, 4_174));
    if std::env::var("HITHERTO_CONGRESS").is_ok_and(|wanted| wanted == "full") {
        let (ops_count, turns) = count(&lines);
        run(hold(Record { name: "Congress", ops, ops_count, turns, questions }));
        return;
    }
    let sample = Sample::of(&lines);
    let kept: Vec<Json> = lines.into_iter().filter(|op| sample.has(&op["subject"])).collect();
    let questions: Vec<Json> = questions.into_iter().filter_map(|question| sample.narrow(question)).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.jsonl");
    let text: Vec<String> = kept.iter().map(Json::to_string).collect();
    std::fs::write(&path, text.join("\n")).unwrap();
    let (ops_count, turns) = count(&kept);
    let (asked, persons) = (questions.len(), sample.names.len());
    say(&format!(
        "congress, sample: {ops_count} ops of {persons} persons, {asked} of {asked} questions about them; \
         HITHERTO_CONGRESS=full runs all 76468 and 4174"
    ));
    run(hold(Record { name: "one person in 25", ops: path, ops_count, turns, questions }));
}

/// Some of the persons: those whose names happen to hash to it, in every run the same.
struct Sample {
    names: BTreeSet<String>,
}

impl Sample {
    fn of(ops: &[Json]) -> Self {
        let all = ops.iter().map(|op| op["subject"]["name"].as_str().unwrap());
        Self { names: all.filter(|name| hash(name).is_multiple_of(ONE_IN)).map(str::to_owned).collect() }
    }

    fn has(&self, entity: &Json) -> bool {
        entity["name"].as_str().is_some_and(|name| self.names.contains(name))
    }

    /// Returns a question about the sample, its answer narrowed to it; `None`
    /// for one that is about somebody else.
    fn narrow(&self, mut question: Json) -> Option<Json> {
        for step in question["steps"].as_array_mut().unwrap() {
            let is_who = step["do"]["op"] == "holders";
            let is_inward = step["do"]["op"] == "neighbours"
                && step["do"]["direction"] == "in"
                && step["do"]["depth"] == 1;
            if is_who || is_inward {
                let list = if is_who {
                    "/expect/result/subjects/$unordered"
                } else {
                    "/expect/result/entities/$unordered"
                };
                let expected = step.pointer_mut(list)?.as_array_mut()?;
                expected.retain(|one| self.has(if is_who { one } else { &one["entity"] }));
            } else if !self.has(&step["do"]["subject"]) {
                return None;
            }
        }
        Some(question)
    }
}

/// The FNV-1a hash of a text.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn a_name_hashes_to_the_same_in_every_run() {
    assert_eq!((hash(""), hash("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
}

#[test]
fn a_question_about_everybody_is_narrowed_to_the_sample_and_one_about_others_is_left_out() {
    let person = |name: &str| json!({"type": "person", "name": name});
    let sample = Sample { names: ["A".to_owned()].into() };
    let who = |names: &[&str]| {
        let people: Vec<Json> = names.iter().map(|name| person(name)).collect();
        json!({"steps": [{"do": {"op": "holders"}, "expect": {"result": {"subjects": {"$unordered": people}}}}]})
    };
    assert_eq!(sample.narrow(who(&["A", "B"])), Some(who(&["A"])));
    let point = |name: &str| json!({"steps": [{"do": {"op": "get", "subject": person(name)}, "expect": {}}]});
    assert_eq!(sample.narrow(point("A")), Some(point("A")));
    assert_eq!(sample.narrow(point("B")), None);
}
