//! Work is counted, not timed: how often the engine is called.

use hitherto::Graph;
use serde_json::{Value as Json, json};

use crate::support::run;
use crate::support::store::{Engine, Place, ask_well, assert_sound};

/// A cold read of one slot: the entity's head, and what it needs besides.
const COLD_GET: u64 = 3;
/// A cold profile: the head, the open uncertainties, the notes.
const COLD_PROFILE: u64 = 4;
/// A cold read of the past: the head and the line of the past.
const COLD_AS_OF: u64 = 4;
/// A write to a warm entity: one transaction, and the reads that decide it.
const WARM_WRITE: u64 = 4;
/// A write to an entity that is not in the cache.
const COLD_WRITE: u64 = 10;

fn subject(name: &str) -> Json {
    json!({"type": "project", "name": name})
}

fn put(name: &str, key: &str, value: usize) -> Json {
    json!({"op": "assert", "subject": subject(name), "key": key, "value": value, "source": {"kind": "upsert", "name": "ops"}})
}

fn get(name: &str, key: &str) -> Json {
    json!({"op": "get", "subject": subject(name), "key": key})
}

fn profile(name: &str) -> Json {
    json!({"op": "profile", "subject": subject(name), "limit": 10})
}

/// Returns how many calls of the engine a request makes, and its answer.
async fn calls(graph: &Graph, request: &Json) -> (u64, Json) {
    let before = graph.engine_calls();
    let answer = ask_well(graph, request).await;
    (graph.engine_calls() - before, answer)
}

/// Writes a chain of so many versions, and returns a known time in its middle.
async fn chain(graph: &Graph, name: &str, depth: usize) -> Json {
    let mut middle = Json::Null;
    for number in 0..depth {
        let answer = ask_well(graph, &put(name, "k", number)).await;
        if number == depth / 2 {
            middle = answer["known_at"].clone();
        }
    }
    middle
}

/// The counts of a chain: get, profile and as-of while cold; the same while
/// warm; a write to what is warm.
async fn counts(place: &mut Place, name: &str, depth: usize, middle: &Json) -> [u64; 7] {
    let as_of =
        json!({"op": "get", "subject": subject(name), "key": "k", "known_at": middle, "valid_at": middle});
    let mut counts = [0; 7];
    for (index, request) in [get(name, "k"), profile(name), as_of].iter().enumerate() {
        place.restart().await;
        let (cold, answer) = calls(&place.graph, request).await;
        let (warm, again) = calls(&place.graph, request).await;
        assert_eq!(answer["result"], again["result"]);
        let value =
            if index == 1 { &answer["result"]["attributes"][0]["value"] } else { &answer["result"]["value"] };
        assert_eq!(*value, if index == 2 { depth / 2 } else { depth - 1 }, "{request} is {answer}");
        counts[index] = cold;
        counts[index + 3] = warm;
    }
    calls(&place.graph, &get(name, "k")).await;
    counts[6] = calls(&place.graph, &put(name, "k", depth)).await.0;
    counts
}

#[test]
fn reads_and_writes_make_as_many_engine_calls_at_depth_one_thousand_as_at_depth_one() {
    run(async {
        let mut place = Place::open(Engine::Disk).await;
        let shallow = chain(&place.graph, "Shallow", 1).await;
        let deep = chain(&place.graph, "Deep", 1_000).await;
        let at_one = counts(&mut place, "Shallow", 1, &shallow).await;
        let at_thousand = counts(&mut place, "Deep", 1_000, &deep).await;
        let [get, profile, as_of, warm @ .., write] = at_thousand;
        assert_eq!(warm, [0; 3], "warm get, profile and as-of do not call the engine");
        assert!((1..=COLD_GET).contains(&get), "a cold get made {get} calls");
        assert!((1..=COLD_PROFILE).contains(&profile), "a cold profile made {profile} calls");
        assert!((1..=COLD_AS_OF).contains(&as_of), "a cold as-of made {as_of} calls");
        assert!((1..=WARM_WRITE).contains(&write), "a warm write made {write} calls");
        // A chain of one has no past to look into.
        let without_past =
            |counts: [u64; 7]| [counts[0], counts[1], counts[3], counts[4], counts[5], counts[6]];
        assert_eq!(without_past(at_one), without_past(at_thousand), "depth 1 and depth 1,000");
        assert_sound(&place.graph).await;
        place.close().await;
    });
}

/// R16: no window on what is considered, and no cost of what is beside it.
#[test]
fn a_write_makes_as_many_engine_calls_beside_five_thousand_keys_as_beside_ten() {
    run(async {
        let mut place = Place::open(Engine::Disk).await;
        for (name, keys) in [("Few", 10), ("Many", 5_000)] {
            let candidates: Vec<Json> = (0..keys).map(|key| put(name, &format!("key {key}"), key)).collect();
            for some in candidates.chunks(500) {
                place.ask_well(&json!({"op": "turn", "candidates": some})).await;
            }
        }
        let mut made = Vec::new();
        for name in ["Few", "Many"] {
            place.restart().await;
            let (cold, answer) = calls(&place.graph, &put(name, "key 3", 77)).await;
            assert_eq!(answer["outcomes"][0]["action"], "SUPERSEDE", "the first of all keys is considered");
            let (warm, answer) = calls(&place.graph, &put(name, "a new key", 1)).await;
            assert_eq!(answer["outcomes"][0]["action"], "ADD");
            let (read, answer) = calls(&place.graph, &get(name, "key 3")).await;
            assert_eq!((read, &answer["result"]["value"]), (0, &json!(77)));
            made.push([cold, warm]);
        }
        assert_eq!(made[0], made[1], "[cold, warm] beside ten keys and beside five thousand");
        assert!(made[0][0] <= COLD_WRITE && (1..=WARM_WRITE).contains(&made[0][1]), "{made:?}");
        place.close().await;
    });
}

#[test]
fn a_read_of_nothing_and_a_restatement_call_the_engine_no_more_than_others() {
    run(async {
        let place = Place::open(Engine::Mem).await;
        place.ask_well(&put("One", "k", 1)).await;
        let (first, _) = calls(&place.graph, &get("Nobody", "k")).await;
        let (second, answer) = calls(&place.graph, &get("Nobody", "k")).await;
        assert_eq!(answer["result"]["because"], "never_recorded");
        assert!(first <= COLD_GET && second == 0, "{first}, then {second}");
        let (again, answer) = calls(&place.graph, &put("One", "k", 1)).await;
        assert_eq!(answer["outcomes"][0]["action"], "DEDUP");
        assert!(again <= WARM_WRITE, "{again}");
        place.close().await;
    });
}
