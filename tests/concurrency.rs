//! Many who write and read at once.

use std::collections::{BTreeMap, BTreeSet};

use hitherto::Graph;
use serde_json::{Value as Json, json};

use crate::support::run;
use crate::support::store::{Engine, Place, ask, ask_well, assert_sound};

const WRITERS: usize = 8;

fn assert_of(subject: &Json, key: &str, value: &Json) -> Json {
    json!({"op": "assert", "subject": subject, "key": key, "value": value, "confidence": 0.9,
        "source": {"kind": "turn", "name": "chat"}})
}

fn read(op: &str, subject: &Json, key: &str) -> Json {
    json!({"op": op, "subject": subject, "key": key})
}

/// Runs so many tasks at once and returns what each came to.
async fn at_once<T, F>(count: usize, task: impl Fn(usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let running: Vec<_> = (0..count).map(|number| tokio::spawn(task(number))).collect();
    let mut ended = Vec::new();
    for task in running {
        ended.push(task.await.unwrap());
    }
    ended
}

/// Returns all the segments of a timeline, page by page.
async fn segments(graph: &Graph, subject: &Json, key: &str) -> Vec<Json> {
    let (mut request, mut segments) = (read("timeline", subject, key), Vec::new());
    loop {
        let page = ask_well(graph, &request).await;
        segments.extend(page["result"]["segments"].as_array().unwrap().iter().cloned());
        match page.get("next") {
            Some(next) => request["cursor"] = next.clone(),
            None => return segments,
        }
    }
}

/// Asserts that segments touch and that only the last is open.
fn assert_contiguous(segments: &[Json]) {
    for (number, segment) in segments.iter().enumerate() {
        let next = segments.get(number + 1).map_or(&Json::Null, |next| &next["valid_from"]);
        assert_eq!(&segment["valid_until"], next, "segment {number}: {segment}");
    }
}

/// C01: many who write one slot.
async fn one_slot(engine: Engine) {
    const EACH: usize = 40;
    let place = Place::open(engine).await;
    let buoy = json!({"type": "product", "name": "Buoy"});
    place.ask_well(&assert_of(&buoy, "state", &json!("s"))).await;
    let answers: Vec<Vec<(String, Json)>> = at_once(WRITERS, |task| {
        let (graph, buoy) = (place.graph.clone(), buoy.clone());
        async move {
            let mut answers = Vec::new();
            for number in 0..EACH {
                let value = format!("t{task}-{number}");
                let answer = ask(&graph, &assert_of(&buoy, "state", &json!(value))).await;
                answers.push((value, answer));
            }
            answers
        }
    })
    .await;
    let answers: Vec<(String, Json)> = answers.into_iter().flatten().collect();
    let (well, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|(_, answer)| answer["ok"] == true);
    assert!(well.len() * 100 >= WRITERS * EACH * 99, "{} were refused: {refused:?}", refused.len());
    assert!(refused.iter().all(|(_, answer)| answer["error"]["kind"] == "conflict"), "{refused:?}");

    let segments = segments(&place.graph, &buoy, "state").await;
    assert_eq!(segments.len(), 1 + well.len(), "one segment for each that was acknowledged");
    assert_contiguous(&segments);
    let held: BTreeSet<&str> = segments.iter().map(|segment| segment["value"].as_str().unwrap()).collect();
    assert_eq!(held.len(), segments.len(), "no value is there twice");
    assert!(well.iter().all(|(value, _)| held.contains(&**value)));
    assert!(refused.iter().all(|(value, _)| !held.contains(&**value)));

    let stamps: BTreeSet<&str> =
        well.iter().map(|(_, answer)| answer["known_at"].as_str().unwrap()).collect();
    let turns: BTreeSet<u64> = well.iter().map(|(_, answer)| answer["tx"].as_u64().unwrap()).collect();
    assert_eq!(
        (stamps.len(), turns.len()),
        (well.len(), well.len()),
        "every turn has a stamp and a number of its own"
    );
    let history = ask_well(&place.graph, &join_limit(read("history", &buoy, "state"))).await;
    assert_eq!(history["result"]["entries"].as_array().unwrap().len(), segments.len());
    let profile = ask_well(&place.graph, &json!({"op": "profile", "subject": buoy})).await;
    assert_eq!(profile["result"]["attributes"].as_array().unwrap().len(), 1);
    assert_eq!(profile["result"]["uncertainties"], json!([]));
    assert_sound(&place.graph).await;
    place.close().await;
}

fn join_limit(mut request: Json) -> Json {
    request["limit"] = json!(1_000);
    request
}

#[test]
fn eight_who_write_one_slot_lose_nothing_in_memory() {
    run(one_slot(Engine::Mem));
}

#[test]
fn eight_who_write_one_slot_lose_nothing_on_disk() {
    run(one_slot(Engine::Disk));
}

/// C04: what is stored is exactly what was acknowledged.
#[test]
fn eight_who_write_different_slots_of_shared_entities_store_exactly_what_was_acknowledged() {
    run(async {
        const EACH: usize = 40;
        const SHARED: usize = 10;
        let mut place = Place::open(Engine::Disk).await;
        let entity =
            |number: usize| json!({"type": "project", "name": format!("Shared {}", number % SHARED)});
        let acknowledged: Vec<Vec<(usize, String, String)>> = at_once(WRITERS, |task| {
            let graph = place.graph.clone();
            async move {
                let mut well = Vec::new();
                for number in 0..EACH {
                    let (key, value) = (format!("key {task} {number}"), format!("value {task} {number}"));
                    let answer = ask(&graph, &assert_of(&entity(number), &key, &json!(value))).await;
                    match &answer["ok"] {
                        Json::Bool(true) => well.push((number % SHARED, key, value)),
                        _ => assert_eq!(answer["error"]["kind"], "conflict", "{answer}"),
                    }
                }
                well
            }
        })
        .await;
        let acknowledged: Vec<_> = acknowledged.into_iter().flatten().collect();
        assert!(acknowledged.len() * 100 >= WRITERS * EACH * 99);
        for _ in 0..2 {
            let mut stored = BTreeSet::new();
            for number in 0..SHARED {
                let profile = place
                    .ask_well(&json!({"op": "profile", "subject": entity(number), "limit": 1_000}))
                    .await;
                for fact in profile["result"]["attributes"].as_array().unwrap() {
                    let text = |field: &str| fact[field].as_str().unwrap().to_owned();
                    stored.insert((number, text("key"), text("value")));
                }
            }
            assert_eq!(stored, acknowledged.iter().cloned().collect::<BTreeSet<_>>());
            assert_sound(&place.graph).await;
            place.restart().await;
        }
        place.close().await;
    });
}

/// C08 in little: readers see their own writes and whole turns only.
#[test]
fn readers_see_their_own_writes_and_never_half_a_turn() {
    run(async {
        const ROUNDS: usize = 60;
        let place = Place::open(Engine::Disk).await;
        let pair = json!({"type": "product", "name": "Pair"});
        let turn = |subject: &Json, number: usize| {
            let both: Vec<Json> =
                ["left", "right"].iter().map(|key| assert_of(subject, key, &json!(number))).collect();
            json!({"op": "turn", "candidates": both})
        };
        place.ask_well(&turn(&pair, 0)).await;
        let writer = tokio::spawn({
            let (graph, pair) = (place.graph.clone(), pair.clone());
            async move {
                for number in 1..=ROUNDS {
                    ask_well(&graph, &turn(&pair, number)).await;
                }
            }
        });
        let halves: Vec<usize> = at_once(WRITERS, |task| {
            let (graph, pair) = (place.graph.clone(), pair.clone());
            async move {
                let own = json!({"type": "product", "name": format!("Own {task}")});
                let mut halves = 0;
                for number in 0..ROUNDS {
                    let profile = ask_well(&graph, &json!({"op": "profile", "subject": pair})).await;
                    let values: Vec<&Json> = profile["result"]["attributes"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|f| &f["value"])
                        .collect();
                    halves += usize::from(values.len() != 2 || values[0] != values[1]);
                    if number % 4 == 0 {
                        ask_well(&graph, &assert_of(&own, "count", &json!(number))).await;
                        let answer = ask_well(&graph, &read("get", &own, "count")).await;
                        assert_eq!(answer["result"]["value"], number, "task {task} reads what it wrote");
                    }
                }
                halves
            }
        })
        .await;
        writer.await.unwrap();
        assert_eq!(halves.iter().sum::<usize>(), 0, "a profile shows values of one turn only");
        assert_eq!(place.ask_well(&read("get", &pair, "left")).await["result"]["value"], ROUNDS);
        assert_sound(&place.graph).await;
        place.close().await;
    });
}

/// I19: one entity that many create at once.
#[test]
fn an_entity_that_eight_create_at_once_is_one_with_one_value() {
    run(async {
        let place = Place::open(Engine::Mem).await;
        for round in 0..20 {
            let subject = json!({"type": "person", "name": format!("New {round}")});
            let answers = at_once(WRITERS, |_| {
                let (graph, subject) = (place.graph.clone(), subject.clone());
                async move { ask(&graph, &assert_of(&subject, "role", &json!("pilot"))).await }
            })
            .await;
            let mut actions: BTreeMap<String, usize> = BTreeMap::new();
            for answer in &answers {
                assert_eq!(answer["ok"], true, "{answer}");
                *actions.entry(answer["outcomes"][0]["action"].as_str().unwrap().to_owned()).or_default() +=
                    1;
            }
            assert_eq!(actions, [("ADD".to_owned(), 1), ("DEDUP".to_owned(), WRITERS - 1)].into());
        }
        let entities = place.ask_well(&json!({"op": "entities", "type": "person"})).await;
        assert_eq!(entities["result"]["entities"].as_array().unwrap().len(), 20);
        assert_sound(&place.graph).await;
        place.close().await;
    });
}

/// X05: a retry with the same key, eight at once.
#[test]
fn a_key_that_is_sent_eight_times_at_once_is_one_transaction() {
    run(async {
        let mut place = Place::open(Engine::Disk).await;
        let subject = json!({"type": "person", "name": "Mara Quill"});
        for round in 0..10 {
            let mut request = assert_of(&subject, "desk", &json!(format!("desk {round}")));
            request["idempotency_key"] = json!(format!("key {round}"));
            let answers = at_once(WRITERS, |_| {
                let (graph, request) = (place.graph.clone(), request.clone());
                async move { ask(&graph, &request).await }
            })
            .await;
            assert!(answers[0]["tx"].is_u64(), "{}", answers[0]);
            for answer in &answers {
                assert_eq!((&answer["ok"], &answer["tx"]), (&json!(true), &answers[0]["tx"]));
                assert_eq!(answer["outcomes"], answers[0]["outcomes"]);
            }
            // Again after a restart, and with another body.
            place.restart().await;
            assert_eq!(place.ask(&request).await["tx"], answers[0]["tx"]);
            request["value"] = json!("another");
            assert_eq!(place.ask(&request).await["error"]["kind"], "conflict");
        }
        assert_eq!(segments(&place.graph, &subject, "desk").await.len(), 10);
        place.close().await;
    });
}

/// C07: opening, closing and opening again neither waits nor leaks.
#[test]
fn twenty_openings_keep_all_data_and_a_live_handle_is_an_error_at_once() {
    use std::time::{Duration, Instant};

    use hitherto::{ErrorKind, Options};

    use crate::support::store::url;

    fn open_files() -> usize {
        std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
    }

    /// The goal is a second; the rest is for a machine that has much else to do.
    const AT_ONCE: Duration = Duration::from_secs(2);

    run(async {
        let folder = tempfile::tempdir().unwrap();
        let url = url(&folder.path().join("store"));
        let subject = json!({"type": "person", "name": "Mara Quill"});
        let mut most = 0;
        for round in 0..20 {
            let begun = Instant::now();
            let graph = Graph::open(Options::new(&*url)).await.unwrap();
            ask_well(&graph, &assert_of(&subject, &format!("key {round}"), &json!(round))).await;
            graph.close().await.unwrap();
            let graph = Graph::open(Options::new(&*url)).await.unwrap();
            let profile = ask_well(&graph, &json!({"op": "profile", "subject": subject})).await;
            assert_eq!(profile["result"]["attributes"].as_array().unwrap().len(), round + 1);
            assert!(begun.elapsed() < Duration::from_secs(10), "round {round} took {:?}", begun.elapsed());
            graph.close().await.unwrap();
            // Other tests run in this process: only a growth with the rounds is a leak.
            if round == 4 {
                most = open_files();
            }
        }
        assert!(
            open_files() < most + 100,
            "file descriptors grow: {most} after five rounds, {} now",
            open_files()
        );

        // A handle that is dropped without being closed frees the store as well.
        let dropped = Graph::open(Options::new(&*url)).await.unwrap();
        ask_well(&dropped, &assert_of(&subject, "key 20", &json!(20))).await;
        drop(dropped);
        let begun = Instant::now();
        let live = Graph::open(Options::new(&*url)).await.unwrap();
        assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
        assert_eq!(ask_well(&live, &read("get", &subject, "key 20")).await["result"]["value"], 20);

        let begun = Instant::now();
        let Err(error) = Graph::open(Options::new(&*url)).await else { panic!("the store is open twice") };
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
        assert!(error.to_string().contains(folder.path().to_str().unwrap()), "{error} names the directory");
        assert!(begun.elapsed() < AT_ONCE, "it took {:?}", begun.elapsed());
        // The live one is none the worse, and closing it frees the store.
        ask_well(&live, &read("get", &subject, "key 0")).await;
        live.close().await.unwrap();
        assert_eq!(ask(&live, &read("get", &subject, "key 0")).await["error"]["kind"], "unavailable");
        Graph::open(Options::new(&*url)).await.unwrap().close().await.unwrap();
    });
}
