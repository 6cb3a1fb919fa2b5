//! Work is counted, not timed: how often the engine is called.

use hitherto::Graph;
use serde_json::{Value as Json, json};

use crate::support::run;
use crate::support::store::{Engine, Place, ask_well, assert_sound};

/// What requests cost, as measured when this was written. A change is a
/// decision: it belongs into this table, and a reason into the changelog.
const COSTS: Costs = Costs { cold: [1, 1, 2, 2], warm: [0; 4], writes: [2, 1] };
/// A write to an entity that there is not.
const NEW_ENTITY: u64 = 2;
/// A read of an entity that there is not.
const NOTHING: u64 = 1;

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

/// A version of a chain: a value that no other chain has.
fn version(name: &str, number: usize) -> usize {
    10_000 * name.len() + number
}

/// Writes a chain of so many versions, and returns a known time in its middle.
async fn chain(graph: &Graph, name: &str, depth: usize) -> Json {
    let mut middle = Json::Null;
    for number in 0..depth {
        let answer = ask_well(graph, &put(name, "k", version(name, number))).await;
        if number == depth / 2 {
            middle = answer["known_at"].clone();
        }
    }
    middle
}

/// What the requests about a chain cost.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
struct Costs {
    /// Get, profile, as-of and holders of an entity that is not in the cache.
    cold: [u64; 4],
    /// The same once more.
    warm: [u64; 4],
    /// A write to what is not in the cache, and one to what is.
    writes: [u64; 2],
}

async fn costs(place: &mut Place, name: &str, depth: usize, middle: &Json) -> Costs {
    let mut costs = Costs { cold: [0; 4], warm: [0; 4], writes: [0; 2] };
    let as_of =
        json!({"op": "get", "subject": subject(name), "key": "k", "known_at": middle, "valid_at": middle});
    let holders = json!({"op": "holders", "where": [{"key": "k", "value": version(name, depth - 1)}]});
    for (index, request) in [get(name, "k"), profile(name), as_of, holders].iter().enumerate() {
        place.restart().await;
        let (cold, answer) = calls(&place.graph, request).await;
        let (warm, again) = calls(&place.graph, request).await;
        assert_eq!(answer["result"], again["result"]);
        let result = &answer["result"];
        let is_right = match index {
            0 => result["value"] == version(name, depth - 1),
            1 => result["attributes"][0]["value"] == version(name, depth - 1),
            2 => result["value"] == version(name, depth / 2),
            _ => result["subjects"] == json!([subject(name)]),
        };
        assert!(is_right, "{request} is {answer}");
        (costs.cold[index], costs.warm[index]) = (cold, warm);
    }
    place.restart().await;
    costs.writes[0] = calls(&place.graph, &put(name, "k", version(name, depth))).await.0;
    costs.writes[1] = calls(&place.graph, &put(name, "k", version(name, depth + 1))).await.0;
    costs
}

#[test]
fn reads_and_writes_make_as_many_engine_calls_at_depth_five_hundred_as_at_depth_three() {
    run(async {
        let mut place = Place::open(Engine::Disk).await;
        let single = chain(&place.graph, "Single", 1).await;
        let shallow = chain(&place.graph, "Shallow", 3).await;
        let deep = chain(&place.graph, "Deep", 500).await;
        let single = costs(&mut place, "Single", 1, &single).await;
        let shallow = costs(&mut place, "Shallow", 3, &shallow).await;
        let deep = costs(&mut place, "Deep", 500, &deep).await;
        assert_eq!(deep, COSTS);
        assert_eq!(shallow, COSTS);
        // A chain of one has no past to look into.
        let [cold_get, cold_profile, _, cold_holders] = COSTS.cold;
        let [get, profile, as_of, holders] = single.cold;
        assert_eq!([get, profile, holders], [cold_get, cold_profile, cold_holders]);
        assert_eq!(as_of, cold_get);
        assert_eq!((single.warm, single.writes), (COSTS.warm, COSTS.writes));
        assert_sound(&place.graph).await;
        place.close().await;
    });
}

#[test]
fn the_thousandth_write_makes_as_many_engine_calls_as_the_second() {
    run(async {
        let place = Place::open(Engine::Mem).await;
        let mut made = Vec::new();
        for number in 0..1_000 {
            made.push(calls(&place.graph, &put(&format!("Project {number}"), "k", number)).await.0);
        }
        // A new entity each; only the first finds nothing at all in the store.
        assert!(made.iter().all(|count| *count == made[1]), "{made:?}");
        assert_eq!(made[1], NEW_ENTITY);
        place.close().await;
    });
}

/// R16: no window on what is considered, and no cost of what is beside it.
#[test]
fn a_write_makes_as_many_engine_calls_beside_two_thousand_keys_as_beside_ten() {
    run(async {
        let mut place = Place::open(Engine::Disk).await;
        for (name, keys) in [("Few", 10), ("Many", 2_000)] {
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
        assert_eq!(made[0], made[1], "[cold, warm] beside ten keys and beside two thousand");
        assert_eq!(made[0], [COSTS.writes[0], COSTS.writes[1]]);
        place.close().await;
    });
}

/// Who held a value once is asked for together, however many they are.
#[test]
fn holders_make_as_many_engine_calls_for_sixty_subjects_as_for_one() {
    run(async {
        let mut place = Place::open(Engine::Disk).await;
        let mut made = Vec::new();
        for (value, many) in [(1, 1), (2, 60)] {
            let name = |number: usize| format!("Project {value} {number}");
            let mut middle = Json::Null;
            for held in [value, 1_000 + value] {
                let candidates: Vec<Json> = (0..many).map(|number| put(&name(number), "k", held)).collect();
                let answer = place.ask_well(&json!({"op": "turn", "candidates": candidates})).await;
                if held == value {
                    middle = answer["known_at"].clone();
                }
            }
            let mut cold = Vec::new();
            for at in [json!({}), json!({"known_at": middle, "valid_at": middle})] {
                let mut request = json!({"op": "holders", "where": [{"key": "k", "value": value}]});
                request.as_object_mut().unwrap().extend(at.as_object().unwrap().clone());
                place.restart().await;
                let (count, answer) = calls(&place.graph, &request).await;
                let found = answer["result"]["subjects"].as_array().unwrap().len();
                assert_eq!(found, if at == json!({}) { 0 } else { many });
                cold.push(count);
            }
            made.push(cold);
        }
        assert_eq!(made[0], made[1], "[now, as of] of one subject and of sixty");
        // The index; the heads besides; the pasts besides.
        assert_eq!(made[0], [1, 3]);
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
        assert_eq!((first, second), (NOTHING, 0));
        let (again, answer) = calls(&place.graph, &put("One", "k", 1)).await;
        assert_eq!(answer["outcomes"][0]["action"], "DEDUP");
        assert!(again <= COSTS.writes[1], "{again}");
        place.close().await;
    });
}
