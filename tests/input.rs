//! Bad input: each line is answered with an error that names what is wrong,
//! and nothing of it is stored.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value as Json, json};

use crate::support::store::{Engine, Place, assert_sound, line};
use crate::support::{binary, run};

const SUBJECT: &str = r#"{"type":"person","name":"Mara Quill"}"#;

/// Returns an `assert` line with more fields.
fn put(more: &str) -> String {
    format!(r#"{{"op":"assert","subject":{SUBJECT},"key":"k","value":"v"{more}}}"#)
}

/// Returns an `assert` line of a value.
fn valued(value: &str) -> String {
    format!(r#"{{"op":"assert","subject":{SUBJECT},"key":"k","value":{value}}}"#)
}

/// Returns an `assert` line of a subject.
fn of(subject: &str) -> String {
    format!(r#"{{"op":"assert","subject":{subject},"key":"k","value":"v"}}"#)
}

/// Returns an `assert` line of a key.
fn keyed(key: &str) -> String {
    format!(r#"{{"op":"assert","subject":{SUBJECT},"key":"{key}","value":"v"}}"#)
}

/// A line, the code of its answer (nothing where any will do) and the field it names.
type Row = (String, &'static str, Option<&'static str>);

fn times() -> Vec<Row> {
    let field = |field: &str, text: &str| put(&format!(r#","{field}":"{text}""#));
    let period = |from: &str, until: &str| put(&format!(r#","valid_from":"{from}","valid_until":"{until}""#));
    vec![
        (field("valid_from", "2020-01-01T02:00:00"), "offset_missing", Some("valid_from")),
        (field("valid_until", "2020-01-01T02:00:00"), "offset_missing", Some("valid_until")),
        (
            put(r#","source":{"kind":"upsert","observed_at":"2020-01-01T02:00:00"}"#),
            "offset_missing",
            Some("source.observed_at"),
        ),
        (field("known_at", "2020-01-01T02:00:00"), "offset_missing", Some("known_at")),
        (period("2022-01-01", "2021-01-01"), "period_inverted", Some("valid_until")),
        (period("2022-01-01", "2022-01-01"), "period_inverted", Some("valid_until")),
        (
            period("2022-01-01T00:00:00.0000011Z", "2022-01-01T00:00:00.0000019Z"),
            "period_inverted",
            Some("valid_until"),
        ),
        (field("valid_from", "+10000-01-01"), "year_out_of_range", Some("valid_from")),
        (field("valid_from", "-10000-01-01"), "year_out_of_range", Some("valid_from")),
        (field("valid_from", "2023-02-29"), "instant_invalid", Some("valid_from")),
        (field("valid_from", "2023-13-01"), "instant_invalid", Some("valid_from")),
        (field("valid_from", "yesterday"), "instant_invalid", Some("valid_from")),
        (field("valid_from", ""), "instant_invalid", Some("valid_from")),
        (field("valid_from", "open"), "", Some("valid_from")),
        (field("valid_until", "beginning"), "", Some("valid_until")),
        (put(r#","valid_from":20200101"#), "instant_invalid", Some("valid_from")),
        (field("known_at", "2020-01-01"), "known_at_not_after", Some("known_at")),
        (field("known_at", "9999-12-31"), "", Some("known_at")),
        (field("known_at", "open"), "instant_invalid", Some("known_at")),
    ]
}

fn name_rows() -> Vec<Row> {
    let person = |name: &str| of(&format!(r#"{{"type":"person","name":"{name}"}}"#));
    vec![
        (person(""), "name_empty", Some("subject.name")),
        (person(r" \t\u00a0"), "name_empty", Some("subject.name")),
        (person(&"x".repeat(1_025)), "name_too_long", Some("subject.name")),
        (person(&"é".repeat(513)), "name_too_long", Some("subject.name")),
        (person(r"a\u0000b"), "name_control", Some("subject.name")),
        (person(r"a\u0007b"), "name_control", Some("subject.name")),
        (of(r#"{"type":"person"}"#), "missing_field", Some("subject.name")),
        (of(r#"{"type":"","name":"a"}"#), "name_empty", Some("subject.type")),
        (of(r#"{"type":"person","name":"a","nick":"b"}"#), "unknown_field", Some("subject.nick")),
        (of(r#""Mara Quill""#), "value_invalid", Some("subject")),
        (keyed(""), "name_empty", Some("key")),
        (keyed(r"\u0007"), "name_control", Some("key")),
        (keyed(&"x".repeat(1_025)), "name_too_long", Some("key")),
        (
            format!(r#"{{"op":"relate","subject":{SUBJECT},"label":" ","object":{SUBJECT}}}"#),
            "name_empty",
            Some("label"),
        ),
        (of(r#"{"name":"Nobody Known"}"#), "unresolved_subject", Some("subject")),
    ]
}

fn fields() -> Vec<Row> {
    let confidence = |number: &str| put(&format!(r#","confidence":{number}"#));
    let scope = |scope: &str| (put(&format!(r#","scope":"{scope}""#)), "scope_invalid", Some("scope"));
    let mut rows = vec![
        (confidence("NaN"), "json_invalid", None),
        (confidence("Infinity"), "json_invalid", None),
        (confidence("1.5"), "confidence_range", Some("confidence")),
        (confidence("-0.1"), "confidence_range", Some("confidence")),
        (confidence("1e300"), "confidence_range", Some("confidence")),
        (confidence("1e400"), "json_invalid", None),
        (confidence(r#""0.9""#), "", Some("confidence")),
        (confidence("true"), "", Some("confidence")),
        (put(r#","colour":"red""#), "unknown_field", Some("colour")),
        (put(r#","source":{"kind":"turn","nam":"chat"}"#), "unknown_field", Some("source.nam")),
        (put(r#","source":{"kind":"rumour"}"#), "", Some("source.kind")),
        (put(r#","action":"DELETE""#), "", Some("action")),
        (put(r#","time_ref":"soon""#), "", Some("time_ref")),
        (put(r#","kind":"state_of_mind""#), "", Some("kind")),
        (put(r#","confidence":null"#), "value_null", Some("confidence")),
        (put(r#","valid_from":null"#), "value_null", Some("valid_from")),
        (put(r#","scope":null"#), "value_null", Some("scope")),
        (valued("null"), "value_null", Some("value")),
        (format!(r#"{{"op":"assert","subject":{SUBJECT},"key":"k"}}"#), "missing_field", Some("value")),
        (format!(r#"{{"op":"assert","subject":{SUBJECT},"value":"v"}}"#), "missing_field", Some("key")),
        (r#"{"op":"assert","key":"k","value":"v"}"#.to_owned(), "missing_field", Some("subject")),
        (format!(r#"{{"op":"relate","subject":{SUBJECT},"label":"l"}}"#), "missing_field", Some("object")),
        (format!(r#"{{"op":"note","subject":{SUBJECT}}}"#), "missing_field", Some("text")),
        (r#"{"op":"turn"}"#.to_owned(), "missing_field", Some("candidates")),
        (r#"{"op":"turn","candidates":"none"}"#.to_owned(), "", Some("candidates")),
        (r#"{"key":"k"}"#.to_owned(), "missing_field", Some("op")),
        (r#"{"op":"asert"}"#.to_owned(), "op_unknown", Some("op")),
        (r#"{"op":7}"#.to_owned(), "", Some("op")),
        (
            format!(r#"{{"op":"get","subject":{SUBJECT},"key":"k","as_off":"2020-01-01"}}"#),
            "unknown_field",
            Some("as_off"),
        ),
        (
            format!(r#"{{"op":"get","subject":{SUBJECT},"key":"k","valid_at":"2020-01-01T00:00:00"}}"#),
            "offset_missing",
            Some("valid_at"),
        ),
        (format!(r#"{{"op":"profile","subject":{SUBJECT},"limit":0}}"#), "", Some("limit")),
        (
            format!(r#"{{"op":"neighbours","subject":{SUBJECT},"depth":6,"direction":"out"}}"#),
            "",
            Some("depth"),
        ),
    ];
    rows.extend(
        ["", "org", "//", "/org//acme", "/.", "/org/..", r"/a\u0007b"].iter().map(|text| scope(text)),
    );
    rows.push((put(&format!(r#","scope":"/{}""#, "x".repeat(257))), "scope_invalid", Some("scope")));
    rows
}

fn lines() -> Vec<Row> {
    vec![
        ("{".to_owned(), "json_invalid", None),
        ("no JSON".to_owned(), "json_invalid", None),
        ("[]".to_owned(), "", None),
        ("7".to_owned(), "", None),
        (format!("{} {}", put(""), put("")), "json_invalid", None),
        (put(r#","value":"w""#), "json_invalid", None),
        (r#"{"op":"assert","op":"note"}"#.to_owned(), "json_invalid", None),
        (valued(r#"{"a":1,"a":2}"#), "json_invalid", None),
        (valued("1e400"), "json_invalid", None),
        (valued("123456789012345678901234567890"), "number_inexact", None),
        (valued("-9223372036854775809"), "number_inexact", None),
        (valued(r#""\ud800""#), "json_invalid", None),
        (valued(&"[".repeat(10_000)), "json_invalid", None),
        (valued(&format!("{}{}", "[".repeat(10_000), "]".repeat(10_000))), "json_invalid", None),
        (valued(&format!(r#""{}""#, "x".repeat((1 << 20) + 1))), "value_too_long", Some("value")),
        (valued(&format!(r#"["{}"]"#, "x".repeat(10 << 20))), "value_too_long", Some("value")),
        (
            format!(r#"{{"op":"note","subject":{SUBJECT},"text":"{}"}}"#, "x".repeat((1 << 20) + 1)),
            "value_too_long",
            Some("text"),
        ),
    ]
}

/// Everything that is stored, as far as reads and counts show it.
async fn stored(place: &Place) -> Vec<Json> {
    let mut all = Vec::new();
    for request in [
        json!({"op": "profile", "subject": {"type": "person", "name": "Mara Quill"}}),
        json!({"op": "history", "subject": {"type": "person", "name": "Mara Quill"}, "key": "k"}),
        json!({"op": "entities"}),
        json!({"op": "stats"}),
    ] {
        let mut answer = place.ask_well(&request).await;
        // These move with every question.
        answer["basis"]["valid_at"] = Json::Null;
        answer["result"]["engine_calls"] = Json::Null;
        all.push(answer);
    }
    all
}

/// Whether an error names a field, with or without the object that it is in.
fn names(error: &Json, field: &str) -> bool {
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    error["field"].as_str().is_some_and(|named| named == field || last(field) == named)
}

async fn refuse_all(rows: Vec<Row>) {
    let place = Place::open(Engine::Mem).await;
    place.ask_well(&json!({"op": "assert", "subject": {"type": "person", "name": "Mara Quill"}, "key": "k", "value": "a"})).await;
    let before = stored(&place).await;
    let mut wrong = Vec::new();
    for (request, code, field) in &rows {
        let answer = line(&place.graph, request).await;
        let error = &answer["error"];
        let kinds: &[&str] =
            if *code == "known_at_not_after" { &["conflict"] } else { &["invalid", "refused"] };
        let is_right = answer["ok"] == false
            && kinds.iter().any(|kind| error["kind"] == *kind)
            && (code.is_empty() || error["code"] == *code)
            && field.is_none_or(|field| names(error, field))
            && error["message"].as_str().is_some_and(|message| message.len() > 5 && message.len() < 2_000);
        if !is_right {
            let shown: String = request.chars().take(200).collect();
            let told: String = answer.to_string().chars().take(400).collect();
            wrong.push(format!("{shown}\n  is {told}\n  expected {code} at {field:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert_eq!(stored(&place).await, before, "nothing was stored");
    let answer = place.ask_well(&json!({"op": "assert", "subject": {"type": "person", "name": "Mara Quill"}, "key": "k", "value": "b"})).await;
    assert_eq!(answer["tx"], 2, "no refused line used up a transaction");
    assert_sound(&place.graph).await;
    place.close().await;
}

#[test]
fn instants_and_periods_that_mean_nothing_are_refused_by_code_and_field() {
    run(refuse_all(times()));
}

#[test]
fn names_keys_and_labels_that_cannot_be_kept_are_refused_by_code_and_field() {
    run(refuse_all(name_rows()));
}

#[test]
fn fields_that_are_unknown_missing_null_or_out_of_range_are_refused_by_name() {
    run(refuse_all(fields()));
}

#[test]
fn lines_that_are_no_request_or_would_lose_something_are_refused() {
    run(refuse_all(lines()));
}

/// A malformed candidate names its place, and the whole turn is refused.
#[test]
fn a_malformed_candidate_names_its_index_and_nothing_of_its_turn_is_stored() {
    run(async {
        let place = Place::open(Engine::Mem).await;
        place.ask_well(&json!({"op": "assert", "subject": {"type": "person", "name": "Mara Quill"}, "key": "k", "value": "a"})).await;
        let before = stored(&place).await;
        let good = put("");
        // A bare write has what a turn carries; in a candidate it is unknown.
        let about_turns = ["known_at"];
        let rows = [times(), name_rows(), fields()].concat();
        let mut tried = 0;
        for (request, code, field) in rows {
            let is_write = ["assert", "relate", "note"]
                .iter()
                .any(|op| request.starts_with(&format!(r#"{{"op":"{op}""#)));
            if !is_write || code == "json_invalid" || field.is_some_and(|field| about_turns.contains(&field))
            {
                continue;
            }
            let turn = format!(r#"{{"op":"turn","candidates":[{good},{good},{request},{good}]}}"#);
            let answer = line(&place.graph, &turn).await;
            let error = &answer["error"];
            assert_eq!(
                (&answer["ok"], &error["index"]),
                (&json!(false), &json!(2)),
                "{request}\nis {answer}"
            );
            assert!(code.is_empty() || error["code"] == code, "{request}\nis {answer}");
            assert!(field.is_none_or(|field| names(error, field)), "{request}\nis {answer}");
            tried += 1;
        }
        assert!(tried > 40, "only {tried} were tried");
        assert_eq!(stored(&place).await, before, "nothing of a refused turn is stored");
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
