//! Requests that are refused: each with the kind, the code and the field of its error.

/// A person who is there.
pub(super) const SUBJECT: &str = r#"{"type":"person","name":"Mara Quill"}"#;

/// A request and what its error has to say.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) line: String,
    pub(super) kind: &'static str,
    pub(super) code: &'static str,
    pub(super) field: Option<&'static str>,
}

/// Returns the row of a request that is invalid in a field; nowhere in particular where it is empty.
fn bad(line: impl Into<String>, code: &'static str, field: &'static str) -> Row {
    let field = (!field.is_empty()).then_some(field);
    Row { line: line.into(), kind: "invalid", code, field }
}

/// Returns the row of a request that is refused for another reason than its form.
fn other(line: impl Into<String>, kind: &'static str, code: &'static str, field: &'static str) -> Row {
    Row { kind, ..bad(line, code, field) }
}

/// Returns an `assert` line with more fields.
pub(super) fn put(more: &str) -> String {
    format!(r#"{{"op":"assert","subject":{SUBJECT},"key":"k","value":"v"{more}}}"#)
}

/// Returns an `assert` line of a value.
pub(super) fn valued(value: &str) -> String {
    format!(r#"{{"op":"assert","subject":{SUBJECT},"key":"k","value":{value}}}"#)
}

/// Returns an `assert` line of a subject.
fn of(subject: &str) -> String {
    format!(r#"{{"op":"assert","subject":{subject},"key":"k","value":"v"}}"#)
}

/// Returns an `assert` line of a key.
fn keyed(key: &str) -> String {
    format!(r#"{{"op":"assert","subject":{SUBJECT},"key":{key},"value":"v"}}"#)
}

/// Returns a `relate` line of a label.
fn labelled(label: &str) -> String {
    format!(r#"{{"op":"relate","subject":{SUBJECT},"label":{label},"object":{SUBJECT}}}"#)
}

/// Returns the line of an operation about the person, with more fields.
fn op(name: &str, more: &str) -> String {
    format!(r#"{{"op":"{name}","subject":{SUBJECT}{more}}}"#)
}

/// Returns a `get` line with more fields.
fn get(more: &str) -> String {
    op("get", &format!(r#","key":"k"{more}"#))
}

/// Instants and periods that mean nothing.
pub(super) fn times() -> Vec<Row> {
    let field = |field: &str, text: &str| put(&format!(r#","{field}":"{text}""#));
    let from = |text: &str| field("valid_from", text);
    let period = |from: &str, until: &str| put(&format!(r#","valid_from":"{from}","valid_until":"{until}""#));
    let mut rows = vec![
        bad(from("2020-01-01T02:00:00"), "offset_missing", "valid_from"),
        bad(field("valid_until", "2020-01-01T02:00:00"), "offset_missing", "valid_until"),
        bad(field("known_at", "2020-01-01T02:00:00"), "offset_missing", "known_at"),
        bad(
            put(r#","source":{"observed_at":"2020-01-01T02:00:00"}"#),
            "offset_missing",
            "source.observed_at",
        ),
        bad(op("event", r#","key":"k","value":1,"at":"2020-01-01T02:00:00""#), "offset_missing", "at"),
        bad(
            op("event", r#","key":"k","value":1,"at":"2020-01-01","valid_from":"2020-01-01""#),
            "period_twice",
            "at",
        ),
        bad(period("2022-01-01", "2021-01-01"), "period_inverted", "valid_until"),
        bad(period("2022-01-01", "2022-01-01"), "period_inverted", "valid_until"),
        bad(period("2022-01-01T00:00:00+01:00", "2021-12-31T23:00:00Z"), "period_inverted", "valid_until"),
        bad(
            period("2022-01-01T00:00:00.0000011Z", "2022-01-01T00:00:00.0000019Z"),
            "period_inverted",
            "valid_until",
        ),
        bad(
            op("retract", r#","key":"k","valid_from":"2022-01-01","valid_until":"2021-01-01""#),
            "period_inverted",
            "valid_until",
        ),
        bad(from("+10000-01-01"), "year_out_of_range", "valid_from"),
        bad(from("-10000-01-01"), "year_out_of_range", "valid_from"),
        bad(from("10000-01-01T00:00:00Z"), "year_out_of_range", "valid_from"),
        bad(field("valid_until", "+10000-01-01"), "year_out_of_range", "valid_until"),
        bad(from("open"), "instant_invalid", "valid_from"),
        bad(field("valid_until", "beginning"), "instant_invalid", "valid_until"),
        bad(put(r#","valid_from":20200101"#), "instant_invalid", "valid_from"),
        bad(put(r#","valid_from":["2020-01-01"]"#), "instant_invalid", "valid_from"),
        other(field("known_at", "2020-01-01"), "conflict", "known_at_not_after", "known_at"),
        bad(field("known_at", "9999-12-31"), "known_at_ahead", "known_at"),
        bad(field("known_at", "open"), "instant_invalid", "known_at"),
        bad(field("known_at", "beginning"), "instant_invalid", "known_at"),
        bad(get(r#","valid_at":"2020-01-01T00:00:00""#), "offset_missing", "valid_at"),
        bad(get(r#","known_at":"2020-01-01T00:00:00""#), "offset_missing", "known_at"),
        bad(get(r#","known_at":"open""#), "instant_invalid", "known_at"),
        bad(
            op("timeline", r#","key":"k","from":"2021-01-01","until":"2020-01-01""#),
            "period_inverted",
            "until",
        ),
        bad(
            op("timeline", r#","key":"k","from":"2021-01-01","until":"2021-01-01""#),
            "period_inverted",
            "until",
        ),
        bad(op("timeline", r#","key":"k","from":"2021-01-01T00:00""#), "instant_invalid", "from"),
        bad(op("diff", r#","known_a":"2021-01-01","known_b":"2020-01-01""#), "period_inverted", "known_b"),
        bad(op("diff", r#","known_b":"2020-01-01""#), "missing_field", "known_a"),
    ];
    let impossible = [
        "2023-02-29",
        "2100-02-29",
        "2023-04-31",
        "2023-13-01",
        "2023-00-10",
        "2023-01-00",
        "2023-01-32",
        "2023-01-01T24:00:01Z",
        "2023-01-01T25:00:00Z",
        "2023-01-01T00:60:00Z",
        "2023-01-01T00:00:61Z",
        "2023-01-01T00:00:00+24:00",
        "2023-01-01T00:00:00.Z",
        "2023-1-1",
        "20230101",
        "2023-01",
        "2023-W01-1",
        "yesterday",
        "now",
        "",
        " ",
        "1672531200",
    ];
    rows.extend(impossible.map(|text| bad(from(text), "instant_invalid", "valid_from")));
    rows
}

/// Names, types, keys and labels that cannot be kept.
pub(super) fn words() -> Vec<Row> {
    let person = |name: &str| of(&format!(r#"{{"type":"person","name":"{name}"}}"#));
    let kind = |kind: &str| of(&format!(r#"{{"type":"{kind}","name":"Mara Quill"}}"#));
    let long = "x".repeat(1_025);
    let mut rows = vec![
        bad(person(&long), "name_too_long", "subject.name"),
        bad(person(&"é".repeat(513)), "name_too_long", "subject.name"),
        bad(person(r"\ud800"), "json_invalid", ""),
        bad(of(r#"{"type":"person"}"#), "missing_field", "subject.name"),
        bad(of(r#"{"type":"person","name":"a","nick":"b"}"#), "unknown_field", "subject.nick"),
        bad(of(r#"{"type":"person","name":7}"#), "value_invalid", "subject.name"),
        bad(of(r#"{"type":7,"name":"a"}"#), "value_invalid", "subject.type"),
        bad(of(r#""Mara Quill""#), "value_invalid", "subject"),
        bad(of(r#"["person","Mara Quill"]"#), "value_invalid", "subject"),
        bad(of(r#"{"name":"Nobody Known"}"#), "unresolved_subject", "subject"),
        bad(kind(&long), "name_too_long", "subject.type"),
        bad(keyed(&format!(r#""{long}""#)), "name_too_long", "key"),
        bad(keyed("7"), "value_invalid", "key"),
        bad(labelled(&format!(r#""{long}""#)), "name_too_long", "label"),
        bad(labelled("true"), "value_invalid", "label"),
        bad(
            op("relate", r#","label":"l","object":{"type":"person","name":""}"#),
            "name_empty",
            "object.name",
        ),
        bad(op("relate", r#","label":"l","object":"Mara Quill""#), "value_invalid", "object"),
        bad(r#"{"op":"entities","prefix":"a\u0000"}"#, "name_control", "prefix"),
        bad(r#"{"op":"entities","type":""}"#, "name_empty", "type"),
    ];
    for empty in ["", " ", r" \t\u00a0\u3000"] {
        rows.push(bad(person(empty), "name_empty", "subject.name"));
        rows.push(bad(kind(empty), "name_empty", "subject.type"));
        rows.push(bad(keyed(&format!(r#""{empty}""#)), "name_empty", "key"));
        rows.push(bad(labelled(&format!(r#""{empty}""#)), "name_empty", "label"));
    }
    for control in [r"a\u0000b", r"a\u0007b", r"\u001b[31m", r"a\u007fb", r"a\u0085b\u009f"] {
        rows.push(bad(person(control), "name_control", "subject.name"));
        rows.push(bad(kind(control), "name_control", "subject.type"));
        rows.push(bad(keyed(&format!(r#""{control}""#)), "name_control", "key"));
        rows.push(bad(labelled(&format!(r#""{control}""#)), "name_control", "label"));
    }
    rows
}

/// `null`, wherever it may be put.
pub(super) fn nulls() -> Vec<Row> {
    let null = |line: String, field: &'static str| bad(line, "value_null", field);
    let mut rows = vec![
        null(r#"{"op":null}"#.to_owned(), "op"),
        null(of("null"), "subject"),
        null(of(r#"{"type":"person","name":null}"#), "subject.name"),
        null(of(r#"{"type":null,"name":"Mara Quill"}"#), "subject.type"),
        null(keyed("null"), "key"),
        null(valued("null"), "value"),
        null(valued("[1,null]"), "value"),
        null(valued(r#"{"a":{"b":null}}"#), "value"),
        null(labelled("null"), "label"),
        null(op("relate", r#","label":"l","object":null"#), "object"),
        null(op("note", r#","text":null"#), "text"),
        null(op("note", r#","text":"t","tier":null"#), "tier"),
        null(op("event", r#","key":"k","value":1,"at":null"#), "at"),
        null(op("retract", r#","key":"k","value":null"#), "value"),
        null(put(r#","source":{"name":null}"#), "source.name"),
        null(put(r#","source":{"span":null}"#), "source.span"),
        null(put(r#","source":{"derived_from":null}"#), "source.derived_from"),
        null(put(r#","metadata":{"a":null}"#), "metadata"),
        null(r#"{"op":"turn","candidates":null}"#.to_owned(), "candidates"),
        null(r#"{"op":"policy","set":null}"#.to_owned(), "set"),
        null(r#"{"op":"policy","set":{"confidence_floor":null}}"#.to_owned(), "confidence_floor"),
        null(r#"{"op":"slots","set":[{"name":null}]}"#.to_owned(), "name"),
        null(r#"{"op":"confirm","id":null}"#.to_owned(), "id"),
        null(r#"{"op":"holders","where":null}"#.to_owned(), "where"),
        null(op("forget", r#","key":null"#), "key"),
        null(op("neighbours", r#","depth":null"#), "depth"),
        null(op("neighbours", r#","labels":null"#), "labels"),
    ];
    for field in [
        "scope",
        "valid_from",
        "valid_until",
        "time_ref",
        "kind",
        "action",
        "target",
        "confidence",
        "source",
        "raw",
        "metadata",
        "known_at",
        "message",
        "actor",
        "idempotency_key",
        "dry_run",
    ] {
        rows.push(null(put(&format!(r#","{field}":null"#)), field));
    }
    for field in
        ["valid_at", "known_at", "scope", "include_forgotten", "limit", "cursor", "basis", "timeout_ms"]
    {
        rows.push(null(get(&format!(r#","{field}":null"#)), field));
    }
    rows
}

/// Fields that are unknown, missing, or hold what they cannot.
pub(super) fn fields() -> Vec<Row> {
    let confidence = |number: &str| put(&format!(r#","confidence":{number}"#));
    let mut rows = vec![
        bad(confidence("NaN"), "json_invalid", ""),
        bad(confidence("Infinity"), "json_invalid", ""),
        bad(confidence("1e400"), "json_invalid", ""),
        bad(confidence("1.5"), "confidence_range", "confidence"),
        bad(confidence("1.0000000000000002"), "confidence_range", "confidence"),
        bad(confidence("-0.1"), "confidence_range", "confidence"),
        bad(confidence("1e300"), "confidence_range", "confidence"),
        bad(confidence(r#""0.9""#), "confidence_range", "confidence"),
        bad(confidence("true"), "confidence_range", "confidence"),
        bad(confidence("[0.9]"), "confidence_range", "confidence"),
        bad(put(r#","colour":"red""#), "unknown_field", "colour"),
        bad(put(r#","at":"2020-01-01""#), "unknown_field", "at"),
        bad(put(r#","label":"l""#), "unknown_field", "label"),
        bad(put(r#","source":{"kind":"turn","nam":"chat"}"#), "unknown_field", "source.nam"),
        bad(put(r#","source":{"kind":"rumour"}"#), "value_invalid", "source.kind"),
        bad(put(r#","source":{"span":[4]}"#), "value_invalid", "source.span"),
        bad(put(r#","source":{"span":[9,4]}"#), "value_invalid", "source.span"),
        bad(put(r#","source":{"span":[-1,4]}"#), "value_invalid", "source.span"),
        bad(put(r#","source":{"derived_from":"F1"}"#), "value_invalid", "source.derived_from"),
        bad(put(r#","source":{"derived_from":[7]}"#), "id_invalid", "source.derived_from"),
        bad(put(r#","source":{"trust":"high"}"#), "value_invalid", "source.trust"),
        bad(put(r#","action":"DELETE""#), "value_invalid", "action"),
        bad(put(r#","action":"add""#), "value_invalid", "action"),
        bad(put(r#","time_ref":"soon""#), "value_invalid", "time_ref"),
        bad(put(r#","kind":"state_of_mind""#), "value_invalid", "kind"),
        bad(put(r#","raw":7"#), "value_invalid", "raw"),
        bad(put(r#","dry_run":"yes""#), "value_invalid", "dry_run"),
        bad(put(r#","idempotency_key":7"#), "value_invalid", "idempotency_key"),
        bad(put(r#","idempotency_key":" ""#), "value_empty", "idempotency_key"),
        bad(op("note", r#","text":" ""#), "value_empty", "text"),
        bad(op("note", r#","text":"t","tier":"l4""#), "value_invalid", "tier"),
        bad(op("note", r#","text":"t","kind":"event""#), "value_invalid", "kind"),
        bad(op("assert", r#","key":"k""#), "missing_field", "value"),
        bad(op("assert", r#","value":"v""#), "missing_field", "key"),
        bad(r#"{"op":"assert","key":"k","value":"v"}"#, "missing_field", "subject"),
        bad(op("relate", r#","label":"l""#), "missing_field", "object"),
        bad(op("relate", &format!(r#","object":{SUBJECT}"#)), "missing_field", "label"),
        bad(op("note", ""), "missing_field", "text"),
        bad(op("event", r#","key":"k""#), "missing_field", "value"),
        bad(op("retract", ""), "missing_field", "key"),
        bad(op("get", ""), "missing_field", "key"),
        bad(r#"{"op":"turn"}"#, "missing_field", "candidates"),
        bad(r#"{"op":"turn","candidates":"none"}"#, "value_invalid", "candidates"),
        bad(r#"{"key":"k"}"#, "missing_field", "op"),
        bad("{}", "missing_field", "op"),
        bad(r#"{"op":""}"#, "op_unknown", "op"),
        bad(r#"{"op":"asert"}"#, "op_unknown", "op"),
        bad(r#"{"op":"ASSERT"}"#, "op_unknown", "op"),
        bad(r#"{"op":"select * from fact"}"#, "op_unknown", "op"),
        bad(r#"{"op":7}"#, "value_invalid", "op"),
        bad(r#"{"op":"policy","set":{"colour":"red"}}"#, "unknown_field", "colour"),
        bad(r#"{"op":"policy","set":{"confidence_floor":1.5}}"#, "value_invalid", "confidence_floor"),
        bad(r#"{"op":"policy","set":{"mode":"majority"}}"#, "value_invalid", "mode"),
        bad(r#"{"op":"policy","set":{"scope":"org"}}"#, "scope_invalid", "scope"),
        bad(r#"{"op":"slots","set":[{"aliases":["a"]}]}"#, "missing_field", "name"),
        bad(r#"{"op":"slots","set":"preset:knitting"}"#, "preset_unknown", "set"),
        bad(r#"{"op":"slots","set":[{"name":"a"},{"name":"b","aliases":["a"]}]}"#, "slot_clash", "set"),
        bad(r#"{"op":"forget"}"#, "missing_field", "subject"),
        bad(r#"{"op":"erase_scope"}"#, "missing_field", "path"),
        bad(r#"{"op":"duplicates","floor":7}"#, "floor_range", "floor"),
        other(r#"{"op":"confirm","id":"F99-0"}"#, "not_found", "id_unknown", "id"),
        other(r#"{"op":"resolve","id":"nobody","choose":"neither"}"#, "not_found", "id_unknown", "id"),
        other(r#"{"op":"explain","fact":"; drop"}"#, "not_found", "id_unknown", "fact"),
        other(r#"{"op":"tx","id":99}"#, "not_found", "id_unknown", "id"),
    ];
    let wrong = [
        "",
        "org",
        "//",
        "/org//acme",
        "/.",
        "/org/..",
        "/a/../b",
        r"/a\u0007b",
        r"C:\\org",
        "org/",
        " /org",
    ];
    let scopes = wrong.map(|text| format!(r#""{text}""#));
    let others = ["7", "true", r#"["/org"]"#, r#"{"path":"/org"}"#].map(str::to_owned);
    let long = format!(r#""/{}""#, "x".repeat(257));
    for scope in scopes.iter().chain(&others).chain([&long]) {
        rows.push(bad(put(&format!(r#","scope":{scope}"#)), "scope_invalid", "scope"));
        rows.push(bad(get(&format!(r#","scope":{scope}"#)), "scope_invalid", "scope"));
        rows.push(bad(format!(r#"{{"op":"erase_scope","path":{scope}}}"#), "scope_invalid", "path"));
    }
    rows
}

/// Reads that ask for what cannot be.
pub(super) fn reads() -> Vec<Row> {
    let basis = |basis: &str| get(&format!(r#","basis":{basis}"#));
    let holders = |conditions: &str| format!(r#"{{"op":"holders","where":{conditions}}}"#);
    let mut rows = vec![
        bad(get(r#","as_off":"2020-01-01""#), "unknown_field", "as_off"),
        bad(get(r#","include_forgotten":"yes""#), "value_invalid", "include_forgotten"),
        bad(get(r#","timeout_ms":-1"#), "value_invalid", "timeout_ms"),
        bad(basis("{}"), "missing_field", "basis.tx"),
        bad(basis(r#"{"tx":1}"#), "missing_field", "basis.known_at"),
        bad(op("neighbours", r#","direction":"up""#), "value_invalid", "direction"),
        bad(op("neighbours", r#","labels":"knows""#), "value_invalid", "labels"),
        bad(op("neighbours", r#","labels":[""]"#), "name_empty", "labels"),
        bad(
            format!(r#"{{"op":"path","from":{SUBJECT},"to":{SUBJECT},"max_depth":6}}"#),
            "depth_range",
            "max_depth",
        ),
        bad(format!(r#"{{"op":"path","from":{SUBJECT}}}"#), "missing_field", "to"),
        bad(holders("[]"), "value_empty", "where"),
        bad(holders("{}"), "value_invalid", "where"),
        bad(holders(r#"[{"key":"k"}]"#), "missing_field", "value"),
        bad(holders(r#"[{"key":"k","value":1,"or":2}]"#), "unknown_field", "or"),
        bad(r#"{"op":"uncertainties","status":"ajar"}"#, "value_invalid", "status"),
        bad(r#"{"op":"fsck","repair":"please"}"#, "value_invalid", "repair"),
    ];
    for depth in ["0", "6", "1000000"] {
        rows.push(bad(op("neighbours", &format!(r#","depth":{depth}"#)), "depth_range", "depth"));
    }
    for depth in ["-1", "1.5", r#""2""#] {
        rows.push(bad(op("neighbours", &format!(r#","depth":{depth}"#)), "value_invalid", "depth"));
    }
    rows.push(bad(op("profile", r#","limit":0"#), "limit_invalid", "limit"));
    for limit in ["-1", "1.5", r#""5""#, "true"] {
        rows.push(bad(op("profile", &format!(r#","limit":{limit}"#)), "value_invalid", "limit"));
    }
    for cursor in ["", "zz", "5b5d", "5b312c325d", "é", "next"] {
        rows.push(bad(op("profile", &format!(r#","cursor":"{cursor}""#)), "cursor_invalid", "cursor"));
        rows.push(bad(format!(r#"{{"op":"entities","cursor":"{cursor}"}}"#), "cursor_invalid", "cursor"));
    }
    rows.push(bad(op("profile", r#","cursor":7"#), "value_invalid", "cursor"));
    rows
}

/// Lines that are no request, or would lose something in silence.
pub(super) fn lines() -> Vec<Row> {
    let deep = |opening: &str, closing: &str| {
        valued(&format!("{}{}", opening.repeat(10_000), closing.repeat(10_000)))
    };
    let over = "x".repeat((1 << 20) + 1);
    vec![
        bad("{", "json_invalid", ""),
        bad("no JSON", "json_invalid", ""),
        bad("{'op':'stats'}", "json_invalid", ""),
        bad(r#"{"op":"stats",}"#, "json_invalid", ""),
        bad("[]", "value_invalid", ""),
        bad("7", "value_invalid", ""),
        bad("null", "value_invalid", ""),
        bad(format!("[{}]", put("")), "value_invalid", ""),
        bad(format!("{} {}", put(""), put("")), "json_invalid", ""),
        bad(put("").trim_end_matches('}'), "json_invalid", ""),
        bad(put(r#","value":"w""#), "json_invalid", ""),
        bad(r#"{"op":"assert","op":"note"}"#, "json_invalid", ""),
        bad(valued(r#"{"a":1,"a":2}"#), "json_invalid", ""),
        bad(valued("1e400"), "json_invalid", ""),
        bad(valued("-1e400"), "json_invalid", ""),
        bad(valued("NaN"), "json_invalid", ""),
        bad(valued("01"), "json_invalid", ""),
        bad(valued("0x10"), "json_invalid", ""),
        bad(valued("9223372036854775809"), "number_inexact", ""),
        bad(valued("-9223372036854775809"), "number_inexact", ""),
        bad(valued("18446744073709551615"), "number_inexact", ""),
        bad(valued("123456789012345678901234567890"), "number_inexact", ""),
        bad(valued("[1,[18446744073709551617]]"), "number_inexact", ""),
        bad(valued(r#""\ud800""#), "json_invalid", ""),
        bad(valued(r#""\udc00\ud800""#), "json_invalid", ""),
        bad(valued(r#"{"\ud800":1}"#), "json_invalid", ""),
        bad(valued("\"a\u{1}b\""), "json_invalid", ""),
        bad(valued(&"[".repeat(10_000)), "json_invalid", ""),
        bad(deep("[", "]"), "json_invalid", ""),
        bad(deep(r#"{"a":"#, "1}"), "json_invalid", ""),
        bad(valued(&format!(r#""{over}""#)), "value_too_long", "value"),
        bad(valued(&format!(r#"["{}"]"#, "x".repeat(10 << 20))), "value_too_long", "value"),
        bad(op("note", &format!(r#","text":"{over}""#)), "value_too_long", "text"),
        bad(put(&format!(r#","metadata":"{over}""#)), "value_too_long", "metadata"),
        bad(put(&format!(r#","target":{{"value":"{over}"}}"#)), "value_too_long", "target.value"),
        bad("x".repeat((16 << 20) + 1), "line_too_long", ""),
    ]
}

/// Requests at fault in an object or a list within them: the whole path is named.
pub(super) fn nested() -> Vec<Row> {
    let basis = |basis: &str| get(&format!(r#","basis":{basis}"#));
    vec![
        bad(put(r#","source":7"#), "value_invalid", "source"),
        bad(put(r#","target":7"#), "value_invalid", "target"),
        bad(put(r#","target":{}"#), "missing_field", "target.value"),
        bad(put(r#","target":{"value":1,"fact":"F1"}"#), "unknown_field", "target.fact"),
        bad(put(r#","target":{"value":null}"#), "value_null", "target.value"),
        bad(basis(r#""newest""#), "value_invalid", "basis"),
        bad(
            basis(r#"{"tx":-1,"known_at":"2020-01-01","valid_at":"2020-01-01"}"#),
            "value_invalid",
            "basis.tx",
        ),
        bad(
            basis(r#"{"tx":1,"known_at":"2020-01-01T00:00:00","valid_at":"2020-01-01"}"#),
            "offset_missing",
            "basis.known_at",
        ),
        bad(
            basis(r#"{"tx":1,"known_at":"2020-01-01","valid_at":"2020-01-01","at":1}"#),
            "unknown_field",
            "basis.at",
        ),
        bad(basis(r#"{"tx":99,"known_at":"2020-01-01","valid_at":"2020-01-01"}"#), "basis_unknown", "basis"),
        bad(op("neighbours", r#","labels":[7]"#), "value_invalid", "labels"),
        bad(r#"{"op":"holders","where":[7]}"#, "value_invalid", "where"),
    ]
}
