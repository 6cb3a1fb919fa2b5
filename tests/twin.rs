//! The naive twin: random histories are told to the store and to a plain log
//! of what was said, and every read is compared with that log, sampled point
//! by point.

mod compare;
mod log;
mod story;

use hitherto::{Graph, Options};
use serde_json::{Value as Json, json};

use crate::support::chance::Chance;
use crate::support::store::{Engine, Place, ask, ask_well, assert_sound};
use crate::support::{run, say};
use compare::{Comparison, Tally};
use log::{Log, OPEN, Says};
use story::{Story, declarations};

/// How many histories are told to one store, one after the other.
const TOGETHER: i64 = 8;

async fn declare(graph: &Graph) {
    for declaration in declarations() {
        ask_well(graph, &declaration).await;
    }
}

/// Tells the store some turns of a story.
async fn tell(graph: &Graph, turns: &[(i64, Json)]) {
    for (_, request) in turns {
        let answer = ask_well(graph, request).await;
        let outcomes = answer["outcomes"].as_array().unwrap();
        let are_plain =
            outcomes.iter().all(|outcome| outcome["action"] != "FLAG" && outcome["action"] != "ARCHIVE");
        assert!(are_plain, "{request}\n was held: {answer}");
    }
}

/// Answers read in the middle of a story, with what was asked.
async fn bookmark(graph: &Graph, story: &Story) -> Vec<(Json, Json)> {
    let subject = story.subject(0);
    let mut requests = vec![json!({"op": "profile", "subject": subject})];
    let mut get = serde_json::Map::new();
    story.focus.name_in(&mut get);
    for op in ["get", "timeline", "history"] {
        let mut request = get.clone();
        request.insert("op".to_owned(), json!(op));
        request.insert("subject".to_owned(), subject.clone());
        requests.push(Json::Object(request));
    }
    let value = &story.values(story::GROUPS[0])[0];
    requests.push(json!({"op": "holders", "where": [{"key": "city", "value": value}]}));
    requests.push(json!({"op": "neighbours", "subject": subject, "depth": 2}));
    let mut read = Vec::new();
    for request in requests {
        let answer = ask_well(graph, &request).await;
        read.push((request, answer));
    }
    read
}

/// Asserts that a basis handed back repeats its answer.
async fn assert_repeated(graph: &Graph, read: &[(Json, Json)]) {
    for (request, before) in read {
        let mut request = request.clone();
        request["basis"] = before["basis"].clone();
        let after = ask(graph, &request).await;
        assert_eq!(&after, before, "{request} is not answered as before");
    }
}

fn assert_alike(tally: &Tally) {
    let shown: Vec<&str> = tally.misses.iter().take(5).map(|(_, says)| says.as_str()).collect();
    assert!(tally.misses.is_empty(), "{} differences:\n{}", tally.misses.len(), shown.join("\n\n"));
}

/// Tells histories to a store in memory and compares each.
async fn compare_in_memory(seeds: std::ops::Range<u64>) -> (usize, usize, Tally) {
    let mut tally = Tally::default();
    let (mut histories, mut writes) = (0, 0);
    let mut graph = None;
    for (seed, number) in seeds.zip((0..TOGETHER).cycle()) {
        if number == 0 {
            let fresh = Graph::open(Options::new("mem://").cache_bytes(64 << 20)).await.unwrap();
            declare(&fresh).await;
            if let Some(full) = graph.replace(fresh) {
                Graph::close(&full).await.unwrap();
            }
        }
        let graph = graph.as_ref().unwrap();
        let story = Story::new(seed, number);
        let middle = story.turns.len() / 2;
        tell(graph, &story.turns[..middle]).await;
        let read = if seed.is_multiple_of(3) { bookmark(graph, &story).await } else { Vec::new() };
        tell(graph, &story.turns[middle..]).await;
        assert_repeated(graph, &read).await;
        // Every point of one history in ten, some of the others.
        let stride = if seed.is_multiple_of(10) { 1 } else { 8 };
        let comparison = Comparison { graph, story: &story, log: &story.log, stride };
        tally.add(comparison.all(&mut Chance::new(seed)).await);
        assert_sound(graph).await;
        assert_alike(&tally);
        histories += 1;
        writes += story.turns.len();
    }
    (histories, writes, tally)
}

fn report(what: &str, (histories, writes, tally): &(usize, usize, Tally)) {
    say(&format!(
        "twin, {what}: {histories} histories, {writes} turns; {} points, {} timelines, {} diffs compared",
        tally.points, tally.timelines, tally.diffs
    ));
}

#[test]
fn what_the_store_believes_is_what_its_twin_believes_at_every_point() {
    run(async {
        let halves = [0..700, 700..1_400].map(|seeds| tokio::spawn(compare_in_memory(seeds)));
        for half in halves {
            report("in memory", &half.await.unwrap());
        }
    });
}

#[test]
fn what_the_store_believes_survives_a_restart_in_the_middle_of_a_history() {
    run(async {
        for (cache, stride, seeds) in [(0, 40, 0..12), (64 << 10, 2, 100..160)] {
            let mut counts = (0, 0, Tally::default());
            let mut place = Place::open_with(Engine::Disk, |options| options.cache_bytes(cache)).await;
            declare(&place.graph).await;
            for (seed, number) in seeds.zip(0..) {
                let story = Story::new(7_000_000 + seed, number);
                let middle = story.turns.len() / 2;
                tell(&place.graph, &story.turns[..middle]).await;
                let read = bookmark(&place.graph, &story).await;
                place.restart().await;
                assert_repeated(&place.graph, &read).await;
                tell(&place.graph, &story.turns[middle..]).await;
                assert_repeated(&place.graph, &read).await;
                let comparison = Comparison { graph: &place.graph, story: &story, log: &story.log, stride };
                counts.2.add(comparison.all(&mut Chance::new(seed)).await);
                assert_alike(&counts.2);
                counts.0 += 1;
                counts.1 += story.turns.len();
            }
            assert_sound(&place.graph).await;
            place.close().await;
            report(&format!("on disk with a cache of {cache} bytes"), &counts);
        }
    });
}

/// The believed rectangles of the slots of a subject, without their known times.
async fn rectangles(graph: &Graph, story: &Story, subject: usize) -> Vec<Json> {
    let mut list = Vec::new();
    for group in story::GROUPS {
        let mut request = serde_json::Map::new();
        group.name_in(&mut request);
        request.insert("op".to_owned(), json!("timeline"));
        request.insert("subject".to_owned(), story.subject(subject));
        let answer = ask_well(graph, &Json::Object(request)).await;
        for segment in answer["result"]["segments"].as_array().unwrap() {
            let mut segment = segment.clone();
            let fields = segment.as_object_mut().unwrap();
            fields.remove("known_from");
            fields.remove("facts");
            list.push(segment);
        }
    }
    list
}

#[test]
fn candidates_leave_the_same_belief_one_by_one_and_as_one_turn() {
    run(async {
        let (mut lists, mut candidates, mut held) = (0, 0, 0);
        for round in 0..10 {
            let graph = Graph::open(Options::new("mem://")).await.unwrap();
            declare(&graph).await;
            for number in 0..30 {
                let story = Story::told_twice(90_000 + round * 100 + u64::try_from(number).unwrap(), number);
                tell(&graph, &story.turns).await;
                let singly = rectangles(&graph, &story, 0).await;
                let together = rectangles(&graph, &story, 1).await;
                assert_eq!(singly, together, "{:#?}", story.turns);
                lists += 1;
                candidates += story.turns.len() - 1;
                held += singly.len();
            }
            assert_sound(&graph).await;
            graph.close().await.unwrap();
        }
        assert!(held > lists, "these lists left hardly anything");
        say(&format!("twin, batches: {lists} lists of {candidates} candidates, {held} stretches compared"));
    });
}

/// Plants an error in a log.
fn plant(log: &Log, kind: usize, chance: &mut Chance) -> Option<Log> {
    let mut log = log.clone();
    let count: usize = log.slots.values().map(Vec::len).sum();
    let place = chance.below(count);
    let entry = log.slots.values_mut().flatten().nth(place)?;
    match kind {
        0 => entry.from = entry.until,
        1 if entry.until == OPEN => return None,
        1 => entry.until += 1,
        2 => entry.known += 1,
        3 if matches!(entry.says, Says::Holds(_)) => entry.says = Says::Ends(None),
        4 if matches!(entry.says, Says::Ends(_)) => entry.from = entry.until,
        // A claim without an end that closes what was scheduled after it.
        5 if entry.until < OPEN => entry.until = OPEN,
        _ => return None,
    }
    Some(log)
}

#[test]
fn the_twin_catches_a_planted_error_in_every_read() {
    run(async {
        let mut caught = [0; 6];
        let mut by_read = std::collections::BTreeMap::new();
        let graph = Graph::open(Options::new("mem://")).await.unwrap();
        declare(&graph).await;
        for number in 0..40 {
            let seed = 500_000 + u64::try_from(number).unwrap();
            let story = Story::new(seed, number);
            tell(&graph, &story.turns).await;
            let mut chance = Chance::new(seed);
            for (kind, caught) in caught.iter_mut().enumerate() {
                let Some(log) = plant(&story.log, kind, &mut chance) else { continue };
                let comparison = Comparison { graph: &graph, story: &story, log: &log, stride: 2 };
                let tally = comparison.all(&mut Chance::new(seed)).await;
                *caught += usize::from(!tally.misses.is_empty());
                for (read, _) in tally.misses {
                    *by_read.entry(read).or_insert(0) += 1;
                }
            }
        }
        assert!(caught.iter().all(|count| *count > 0), "of six kinds of errors were caught {caught:?}");
        let reads: Vec<&str> = by_read.keys().copied().collect();
        assert_eq!(reads, ["diff", "get", "holders", "neighbours", "profile", "timeline"]);
        say(&format!("twin, planted errors: caught {caught:?}, by {by_read:?}"));
        graph.close().await.unwrap();
    });
}
