//! Clocks that stand still or run backwards.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use hitherto::Clock;
use hitherto::time::Timestamp;
use serde_json::{Value as Json, json};

use crate::support::instant::micros;
use crate::support::run;
use crate::support::store::{Engine, Place, assert_sound};

/// 2024-05-01T12:00:00Z.
const NOON: i64 = 1_714_564_800_000_000;
const HOUR: i64 = 3_600_000_000;

/// A clock that moves by a step whenever it is read.
struct Stepped {
    now: AtomicI64,
    step: i64,
}

impl Stepped {
    fn by(step: i64) -> Arc<Self> {
        Arc::new(Self { now: AtomicI64::new(NOON), step })
    }
}

impl Clock for Stepped {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.now.fetch_add(self.step, Ordering::Relaxed)).unwrap()
    }
}

fn mara() -> Json {
    json!({"type": "person", "name": "Mara Quill"})
}

fn desk(value: &Json) -> Json {
    json!({"op": "assert", "subject": mara(), "key": "desk", "value": value,
        "source": {"kind": "upsert", "name": "ops"}})
}

fn read(op: &str) -> Json {
    json!({"op": op, "subject": mara(), "key": "desk"})
}

fn known_at(answer: &Json) -> i64 {
    micros(answer["known_at"].as_str().unwrap()).unwrap()
}

/// T07: two commits at one reading of the clock.
#[test]
fn two_turns_at_one_reading_of_the_clock_are_a_microsecond_apart() {
    run(async {
        let place = Place::open_with(Engine::Mem, |options| options.clock(Stepped::by(0))).await;
        let first = place.ask_well(&desk(&json!("A1"))).await;
        let second = place.ask_well(&desk(&json!("B2"))).await;
        assert_eq!((known_at(&first), known_at(&second)), (NOON, NOON + 1));
        let timeline = place.ask_well(&read("timeline")).await;
        let segments: Vec<Json> = timeline["result"]["segments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|segment| json!([segment["value"], segment["valid_from"], segment["valid_until"]]))
            .collect();
        let edges = ["2024-05-01T12:00:00Z", "2024-05-01T12:00:00.000001Z"];
        assert_eq!(segments, [json!(["A1", edges[0], edges[1]]), json!(["B2", edges[1], null])]);
        assert_eq!(place.ask_well(&read("get")).await["result"]["value"], "B2");
        place.close().await;
    });
}

#[test]
fn known_time_never_follows_a_clock_that_goes_back() {
    run(async {
        for step in [0, -HOUR] {
            let mut place = Place::open_with(Engine::Disk, |options| options.clock(Stepped::by(step))).await;
            let mut newest = i64::MIN;
            for number in 0..40 {
                let stamp = known_at(&place.ask_well(&desk(&json!(number))).await);
                assert!(stamp > newest, "step {step}: {stamp} is not after {newest}");
                newest = stamp;
                // A read without times sees what was acknowledged, whatever the clock says.
                let answer = place.ask_well(&read("get")).await;
                assert_eq!(answer["result"]["value"], number, "step {step}: {answer}");
                assert!(micros(answer["basis"]["valid_at"].as_str().unwrap()).unwrap() >= newest);
                let profile = place.ask_well(&json!({"op": "profile", "subject": mara()})).await;
                assert_eq!(profile["result"]["attributes"][0]["value"], number, "step {step}: {profile}");
                let holding = json!({"op": "holders", "where": [{"key": "desk", "value": number}]});
                assert_eq!(place.ask_well(&holding).await["result"]["subjects"], json!([mara()]));
                if number % 10 == 9 {
                    place.restart_with(|options| options.clock(Stepped::by(step))).await;
                }
            }
            let segments =
                place.ask_well(&read("timeline")).await["result"]["segments"].as_array().unwrap().len();
            assert_eq!(segments, 40);
            assert_sound(&place.graph).await;
            place.close().await;
        }
    });
}

/// T08: a thousand writes as fast as they go.
async fn at_full_speed(engine: Engine, step: Option<i64>, count: usize) {
    let place = Place::open_with(engine, |options| match step {
        Some(step) => options.clock(Stepped::by(step)),
        None => options,
    })
    .await;
    let mut newest = i64::MIN;
    for number in 0..count {
        let stamp = known_at(&place.ask_well(&desk(&json!(number))).await);
        assert!(stamp > newest, "{stamp} is not after {newest}");
        newest = stamp;
    }
    let mut segments: Vec<Json> = Vec::new();
    let mut request = read("timeline");
    loop {
        let page = place.ask_well(&request).await;
        segments.extend(page["result"]["segments"].as_array().unwrap().iter().cloned());
        let Some(next) = page.get("next") else { break };
        request["cursor"] = next.clone();
    }
    assert_eq!(segments.len(), count);
    for (number, segment) in segments.iter().enumerate() {
        assert_eq!(segment["value"], number);
        let next = segments.get(number + 1).map_or(&Json::Null, |next| &next["valid_from"]);
        assert_eq!(
            &segment["valid_until"], next,
            "segment {number} touches the next, and only the last is open"
        );
    }
    assert_sound(&place.graph).await;
    place.close().await;
}

#[test]
fn a_thousand_writes_at_full_speed_are_a_thousand_touching_segments_in_memory() {
    run(at_full_speed(Engine::Mem, None, 1_000));
}

#[test]
fn a_thousand_writes_at_full_speed_are_a_thousand_touching_segments_on_disk() {
    run(at_full_speed(Engine::Disk, None, 1_000));
}

#[test]
fn writes_under_a_clock_that_stands_still_are_as_many_touching_segments() {
    run(at_full_speed(Engine::Mem, Some(0), 300));
}

#[test]
fn writes_under_a_clock_that_goes_back_are_as_many_touching_segments() {
    run(at_full_speed(Engine::Mem, Some(-HOUR), 300));
}

/// The conformance cases that a strange clock might upset.
#[test]
fn the_cases_about_time_hold_under_a_clock_that_stands_still_or_goes_back() {
    use crate::support::cases::{Case, run_all_under};
    use crate::support::shared;

    const ABOUT_TIME: [&str; 5] = ["T09c", "T20b", "R13a", "R13b", "R13c"];
    let Some(path) = shared::locate("conformance/reports.jsonl") else { return };
    run(async move {
        let lines = shared::lines(&path);
        for step in [0, -HOUR] {
            let cases: Vec<Case> =
                lines.iter().map(Case::read).filter(|case| ABOUT_TIME.contains(&&*case.id)).collect();
            let ids: BTreeSet<&str> = cases.iter().map(|case| &*case.id).collect();
            assert_eq!(ids.len(), ABOUT_TIME.len(), "only {ids:?} are there");
            let report = run_all_under(
                cases,
                Engine::Mem,
                Some(Arc::new(move || Stepped::by(step) as Arc<dyn Clock>)),
            )
            .await;
            let says: Vec<&str> = report.failed.values().map(|failure| &*failure.says).collect();
            assert!(says.is_empty(), "step {step}: {}", says.join("\n\n"));
        }
    });
}
