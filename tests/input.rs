//! Bad input: each line is answered with an error that names what is wrong,
//! and nothing of it is stored.

mod rows;

use std::io::Write;
use std::process::Stdio;

use rows::{Row, SUBJECT, put, valued};
use serde_json::{Value as Json, json};

use crate::support::store::{Engine, Place, assert_sound, line};
use crate::support::{binary, run};

/// Asks for something without what moves with every question.
async fn shown(place: &Place, request: &Json) -> Json {
    let mut answer = place.ask_well(request).await;
    answer["basis"]["valid_at"] = Json::Null;
    answer["result"]["engine_calls"] = Json::Null;
    answer
}

/// Who is there and how much is stored: what any write that gets through would move.
async fn counted(place: &Place) -> [Json; 2] {
    [shown(place, &json!({"op": "entities"})).await, shown(place, &json!({"op": "stats"})).await]
}

/// Everything that is stored, as far as reads show it.
async fn stored(place: &Place) -> [Json; 4] {
    let mara = || json!({"type": "person", "name": "Mara Quill"});
    [
        shown(place, &json!({"op": "profile", "subject": mara()})).await,
        shown(place, &json!({"op": "history", "subject": mara(), "key": "k"})).await,
        shown(place, &json!({"op": "policy"})).await,
        shown(place, &json!({"op": "slots"})).await,
    ]
}

/// Opens a store that holds one fact.
async fn holding_one() -> Place {
    let place = Place::open(Engine::Mem).await;
    let answer = line(&place.graph, &valued(r#""a""#)).await;
    assert_eq!((&answer["ok"], &answer["tx"]), (&json!(true), &json!(1)), "{answer}");
    place
}

/// Returns the beginning of a text that may be very long.
fn start(text: &str) -> String {
    text.chars().take(400).collect()
}

/// Says what is wrong with the answer to a row, where something is.
fn judge(row: &Row, request: &str, answer: &Json) -> Option<String> {
    let error = &answer["error"];
    let is_right = answer["ok"] == false
        && error["kind"] == row.kind
        && error["code"] == row.code
        && error["field"].as_str() == row.field
        && error["message"].as_str().is_some_and(|message| message.len() > 5 && message.len() < 2_000);
    let expected = (row.kind, row.code, row.field);
    (!is_right)
        .then(|| format!("{}\n  is {}\n  expected {expected:?}", start(request), start(&answer.to_string())))
}

/// Sends what is refused, and looks each time whether something was stored all the same.
async fn refuse_all(rows: Vec<Row>) {
    let place = holding_one().await;
    let (before, all_before) = (counted(&place).await, stored(&place).await);
    let mut wrong = Vec::new();
    for row in &rows {
        let answer = line(&place.graph, &row.line).await;
        wrong.extend(judge(row, &row.line, &answer));
        assert_eq!(counted(&place).await, before, "something was stored by {}", start(&row.line));
    }
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert_eq!(stored(&place).await, all_before, "nothing was stored");
    let answer = line(&place.graph, &valued(r#""b""#)).await;
    assert_eq!(answer["tx"], 2, "no refused line used up a transaction: {answer}");
    assert_sound(&place.graph).await;
    place.close().await;
}

#[test]
fn instants_and_periods_that_mean_nothing_are_refused_by_code_and_field() {
    run(refuse_all(rows::times()));
}

#[test]
fn names_types_keys_and_labels_that_cannot_be_kept_are_refused_by_code_and_field() {
    run(refuse_all(rows::words()));
}

#[test]
fn null_is_refused_wherever_it_stands() {
    run(refuse_all(rows::nulls()));
}

#[test]
fn fields_that_are_unknown_missing_or_out_of_range_are_refused_by_name() {
    run(refuse_all(rows::fields()));
}

#[test]
fn reads_of_what_cannot_be_are_refused_by_code_and_field() {
    run(refuse_all(rows::reads()));
}

#[test]
fn lines_that_are_no_request_or_would_lose_something_are_refused() {
    run(refuse_all(rows::lines()));
}

#[test]
fn what_is_at_fault_within_an_object_is_named_by_its_whole_path() {
    run(refuse_all(rows::nested()));
}

/// A malformed candidate names its place, and the whole turn is refused.
#[test]
fn a_malformed_candidate_names_its_index_and_nothing_of_its_turn_is_stored() {
    /// A bare write has what a turn carries.
    const OF_TURNS: [&str; 5] = ["known_at", "message", "actor", "idempotency_key", "dry_run"];
    run(async {
        let place = holding_one().await;
        let (before, all_before) = (counted(&place).await, stored(&place).await);
        let good = put("");
        let mut wrong = Vec::new();
        let mut tried = 0;
        for row in [rows::times(), rows::words(), rows::nulls(), rows::fields()].concat() {
            let says = |op: &str| row.line.starts_with(&format!(r#"{{"op":"{op}""#));
            let is_candidate = ["assert", "relate", "event", "note", "retract"].into_iter().any(says);
            let is_of_turn = row.field.is_some_and(|field| OF_TURNS.contains(&field));
            if !is_candidate || row.code == "json_invalid" || is_of_turn {
                continue;
            }
            let turn = format!(r#"{{"op":"turn","candidates":[{good},{good},{},{good}]}}"#, row.line);
            let answer = line(&place.graph, &turn).await;
            wrong.extend(judge(&row, &row.line, &answer));
            if answer["error"]["index"] != 2 {
                wrong.push(format!("{}\n  is {answer}\n  names another candidate", start(&row.line)));
            }
            assert_eq!(counted(&place).await, before, "something was stored of {}", start(&turn));
            tried += 1;
        }
        assert!(wrong.is_empty(), "{} of {tried} are wrong:\n{}", wrong.len(), wrong.join("\n"));
        assert!(tried > 150, "only {tried} were tried");
        for stranger in ["7", "null", "[]", r#""assert""#, "{}", r#"{"op":"get"}"#, r#"{"op":"turn"}"#] {
            let turn = format!(r#"{{"op":"turn","candidates":[{good},{stranger}]}}"#);
            let answer = line(&place.graph, &turn).await;
            let error = &answer["error"];
            assert_eq!((&error["kind"], &error["index"]), (&json!("invalid"), &json!(1)), "{turn}: {answer}");
        }
        assert_eq!(stored(&place).await, all_before, "nothing of a refused turn is stored");
        place.close().await;
    });
}

/// An engine in memory takes a turn as one commit, and large ones take it too long.
#[test]
fn a_turn_that_is_too_large_for_memory_is_refused_and_the_largest_is_not() {
    run(async {
        let place = holding_one().await;
        let before = counted(&place).await;
        let turn = |count: usize| {
            format!(r#"{{"op":"turn","candidates":[{}]}}"#, vec![valued(r#""a""#); count].join(","))
        };
        let answer = line(&place.graph, &turn(5_001)).await;
        let error = &answer["error"];
        let told = (&error["kind"], &error["code"], &error["field"]);
        assert_eq!(told, (&json!("invalid"), &json!("turn_too_large"), &json!("candidates")), "{answer}");
        assert_eq!(counted(&place).await, before, "nothing of it is stored");
        let answer = line(&place.graph, &turn(5_000)).await;
        assert_eq!((&answer["ok"], answer["outcomes"].as_array().map(Vec::len)), (&json!(true), Some(5_000)));
        place.close().await;
    });
}

#[test]
fn known_time_goes_forward_only_and_no_more_than_a_minute_ahead() {
    run(async {
        let place = Place::open(Engine::Mem).await;
        let at = |known_at: &str| {
            serde_json::from_str::<Json>(&put(&format!(r#","known_at":"{known_at}""#))).unwrap()
        };
        place.ask_well(&at("2020-01-01")).await;
        for again in ["2020-01-01", "2019-12-31", "2020-01-01T00:00:00.0000009Z"] {
            let answer = place.ask(&at(again)).await;
            assert_eq!(
                (&answer["error"]["kind"], &answer["error"]["code"]),
                (&json!("conflict"), &json!("known_at_not_after"))
            );
            let message = answer["error"]["message"].as_str().unwrap();
            assert_eq!(message.matches('Z').count(), 2, "{message} names both instants");
        }
        place.ask_well(&at("2020-01-01T00:00:00.000001Z")).await;
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        let ahead = |seconds: u64| {
            let then = i64::try_from(now + seconds).unwrap();
            let date = crate::support::instant::day(then.div_euclid(86_400) - 18_262);
            let rest = then.rem_euclid(86_400);
            format!("{date}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
        };
        let answer = place.ask(&at(&ahead(180))).await;
        assert_eq!(answer["ok"], false, "three minutes ahead: {answer}");
        assert_eq!(answer["error"]["field"], "known_at", "{answer}");
        place.ask_well(&at(&ahead(20))).await;
        place.close().await;
    });
}

/// N02: what comes over a pipe and is no line of JSON.
#[test]
fn the_program_answers_every_line_that_is_no_request_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let good = put("");
    let deep = valued(&format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)));
    let wide = valued(&format!(r#""{}""#, "x".repeat(10 << 20)));
    let huge = "y".repeat(17 << 20);
    let bad: Vec<Vec<u8>> = vec![
        b"\xff\xfe\x80".to_vec(),
        good.replace("Quill", "Qu\u{1}ill").into_bytes(),
        [good.as_bytes(), b"\xff"].concat(),
        valued(r#""\ud800""#).into_bytes(),
        put(r#","key":"l""#).into_bytes(),
        deep.into_bytes(),
        b"\0\0".to_vec(),
        wide.into_bytes(),
        huge.into_bytes(),
    ];
    let mut child = binary::command(&store)
        .arg("exec")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let sent = bad.clone();
    let (first, last) = (good.clone(), good);
    let writer = std::thread::spawn(move || {
        input.write_all(first.as_bytes()).unwrap();
        for line in sent {
            // Empty lines and lines of white space are passed over.
            input.write_all(b"\n\n  \t \n").unwrap();
            input.write_all(&line).unwrap();
        }
        input.write_all(b"\r\n").unwrap();
        // The last line has no end.
        input.write_all(last.as_bytes()).unwrap();
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let answers: Vec<Json> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), bad.len() + 2, "one answer a line");
    assert_eq!(answers[0]["outcomes"][0]["action"], "ADD", "{}", answers[0]);
    assert_eq!(
        answers[bad.len() + 1]["outcomes"][0]["action"],
        "DEDUP",
        "service goes on after the bad lines"
    );
    for (number, answer) in answers[1..=bad.len()].iter().enumerate() {
        assert_eq!(answer["error"]["kind"], "invalid", "bad line {number}: {answer}");
    }
    let shown = binary::output_well(&store, &["--json", "history", "person/Mara Quill", "k"]);
    let history: Json = serde_json::from_str(&shown).unwrap();
    assert_eq!(history["result"]["entries"].as_array().unwrap().len(), 1, "{history}");
}

/// N02: numbers come back as they were sent, or are refused.
#[test]
fn numbers_come_back_as_they_were_sent() {
    run(async {
        let place = Place::open(Engine::Mem).await;
        for number in [
            "0.1",
            "9007199254740993",
            "-9223372036854775808",
            "9223372036854775807",
            "1e-400",
            "-0.0",
            "1e21",
            "2.5e-7",
        ] {
            let answer = line(&place.graph, &valued(number)).await;
            assert_eq!(answer["ok"], true, "{number}: {answer}");
            let read = line(&place.graph, &format!(r#"{{"op":"get","subject":{SUBJECT},"key":"k"}}"#)).await;
            let sent: Json = serde_json::from_str(number).unwrap();
            let came = &read["result"]["value"];
            assert!(crate::support::pattern::equal(&sent, came, false), "{number} came back as {came}");
        }
        place.close().await;
    });
}
