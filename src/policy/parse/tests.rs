use super::*;
use crate::policy::{PRESETS, Policies};

fn refused_policy(value: &Value) -> (String, Option<String>) {
    let error = policy(value).unwrap_err();
    (error.code().to_owned(), error.field().map(str::to_owned))
}

fn refused_slots(value: &Value) -> (String, Option<String>) {
    let error = slots(value).unwrap_err();
    (error.code().to_owned(), error.field().map(str::to_owned))
}

#[test]
fn every_fault_of_a_policy_has_its_code_and_field() {
    let long = format!("/{}", "x".repeat(257));
    let table = [
        (json!({"flor": 1}), "unknown_field", "flor"),
        (json!(null), "value_null", "set"),
        (json!([]), "value_invalid", "set"),
        (json!({"confidence_floor": null}), "value_null", "confidence_floor"),
        (json!({"confidence_floor": 1.01}), "value_invalid", "confidence_floor"),
        (json!({"confidence_floor": -0.1}), "value_invalid", "confidence_floor"),
        (json!({"confidence_floor": "0.5"}), "value_invalid", "confidence_floor"),
        (json!({"not_weaker": 0}), "value_invalid", "not_weaker"),
        (json!({"mode": "Review"}), "value_invalid", "mode"),
        (json!({"mode": 3}), "value_invalid", "mode"),
        (json!({"ranks": {"crm": 1.5}}), "value_invalid", "ranks"),
        (json!({"ranks": {"crm": null}}), "value_null", "ranks"),
        (json!({"ranks": {"crm": 1, "CRM ": 2}}), "value_invalid", "ranks"),
        (json!({"ranks": {" ": 1}}), "value_invalid", "ranks"),
        (json!({"ranks": {"crm": 9_223_372_036_854_775_808_u64}}), "value_invalid", "ranks"),
        (json!({"ranks": ["crm"]}), "value_invalid", "ranks"),
        (json!({"trusted_sources": "registry"}), "value_invalid", "trusted_sources"),
        (json!({"trusted_sources": [""]}), "value_invalid", "trusted_sources"),
        (json!({"trusted_sources": [null]}), "value_null", "trusted_sources"),
        (json!({"functional_labels": [" "]}), "name_empty", "functional_labels"),
        (json!({"functional_labels": ["a\u{7}b"]}), "name_control", "functional_labels"),
        (json!({"scope": ""}), "scope_invalid", "scope"),
        (json!({"scope": "org"}), "scope_invalid", "scope"),
        (json!({"scope": "//"}), "scope_invalid", "scope"),
        (json!({"scope": "/a//b"}), "scope_invalid", "scope"),
        (json!({"scope": "/a//"}), "scope_invalid", "scope"),
        (json!({"scope": "/a/../b"}), "scope_invalid", "scope"),
        (json!({"scope": "/."}), "scope_invalid", "scope"),
        (json!({"scope": "/a\nb"}), "scope_invalid", "scope"),
        (json!({"scope": long}), "scope_invalid", "scope"),
        (json!({"scope": null}), "value_null", "scope"),
    ];
    for (value, code, field) in table {
        assert_eq!(refused_policy(&value), (code.into(), Some(field.into())), "{value}");
    }
}

#[test]
fn the_ends_of_every_range_are_allowed() {
    for floor in [json!(0), json!(1), json!(0.0), json!(1.0), json!(-0.0)] {
        assert!(policy(&json!({"confidence_floor": floor})).is_ok());
    }
    let edge = format!("/{}", "x".repeat(256));
    for (given, kept) in [
        ("/", "/"),
        ("/a/", "/a"),
        ("/a%b/ c", "/a%b/ c"),
        ("/e\u{301}", "/é"),
        ("/...", "/..."),
        (&edge, &edge),
    ] {
        assert_eq!(policy(&json!({"scope": given})).unwrap().scope, kept);
    }
    assert_eq!(policy(&json!({})).unwrap(), PolicyPatch::new("/"));
}

#[test]
fn every_fault_of_a_slot_has_its_code_and_field() {
    let table = [
        (json!(null), "value_null", "set"),
        (json!({"name": "a"}), "value_invalid", "set"),
        (json!([null]), "value_null", "set"),
        (json!([["a"]]), "value_invalid", "set"),
        (json!([{}]), "missing_field", "name"),
        (json!([{"name": null}]), "value_null", "name"),
        (json!([{"name": 5}]), "value_invalid", "name"),
        (json!([{"name": " "}]), "name_empty", "name"),
        (json!([{"name": "a\u{1}b"}]), "name_control", "name"),
        (json!([{"name": "x".repeat(1025)}]), "name_too_long", "name"),
        (json!([{"name": "a", "alias": []}]), "unknown_field", "alias"),
        (json!([{"name": "a", "aliases": ["b", null]}]), "value_null", "aliases"),
        (json!([{"name": "a", "aliases": "b"}]), "value_invalid", "aliases"),
        (json!([{"name": "a", "multi": "yes"}]), "value_invalid", "multi"),
        (json!([{"name": "a", "kind": "States"}]), "value_invalid", "kind"),
        (json!([{"name": "a", "identity": "tail"}]), "value_invalid", "identity"),
        (json!([{"name": "a", "category": null}]), "value_null", "category"),
        (
            json!([{"name": "a", "aliases": ["store"]}, {"name": "b", "aliases": ["Store"]}]),
            "slot_clash",
            "set",
        ),
        (json!("coding"), "preset_unknown", "set"),
        (json!("preset:"), "preset_unknown", "set"),
        (json!("preset:Coding"), "preset_unknown", "set"),
    ];
    for (value, code, field) in table {
        assert_eq!(refused_slots(&value), (code.into(), Some(field.into())), "{value}");
    }
    assert_eq!(slots(&json!([])).unwrap(), vec![]);
}

#[test]
fn what_is_printed_reads_back_as_the_same() {
    let patch = policy(&json!({
        "confidence_floor": 0.55, "not_weaker": false, "mode": "authority", "ranks": {"Ledger": 5, "bot": -1},
        "trusted_sources": ["Registry"], "functional_labels": ["employed_by"], "scope": "/org/acme",
    }))
    .unwrap();
    assert_eq!(policy(&patch_json(&patch)).unwrap(), patch);
    let mut policies = Policies::default();
    policies.apply(patch.clone());
    let printed = policy_json("/org/acme", &policies.effective("/org/acme"));
    assert_eq!(policy(&printed).unwrap(), patch);

    for name in PRESETS {
        let mut declared = Slots::default();
        declared.declare(preset(name).unwrap()).unwrap();
        let printed: Vec<Value> = declared.iter().map(slot_json).collect();
        let mut again = Slots::default();
        again.declare(slots(&json!(printed)).unwrap()).unwrap();
        assert_eq!(again, declared, "{name}");
    }
}

#[test]
fn a_file_is_refused_whole_with_the_line_of_the_fault() {
    let table = [
        ("[\n {\"name\": \"a\"},\n {\"name\": \"b\",\n  \"mutli\": true}\n]", 4, "unknown_field"),
        ("[\n {\"name\": \"a\"},\n\n {\"multi\": true}\n]", 4, "missing_field"),
        (
            "[\n {\"name\": \"a\",\n \"aliases\": [\"x\"]},\n {\"name\": \"b\"},\n {\"name\": \"X\"}\n]",
            5,
            "slot_clash",
        ),
        ("[\n {\"name\": \"a\",}\n]", 2, "json_invalid"),
        ("\n\n\"preset:astrology\"", 3, "preset_unknown"),
        ("", 1, "json_invalid"),
    ];
    for (file, expected, code) in table {
        let error = slots_text(file).unwrap_err();
        let ParseError::Line { line, .. } = &error else { panic!("{error}") };
        assert_eq!((*line, error.code()), (expected, code), "{file}");
    }
    let error = policy_text("[{\"mode\": \"review\"},\r\n{\"scope\": \"/a\",\r\n\"confidence_floor\": 2}]")
        .unwrap_err();
    assert_eq!(error.to_string(), "line 3: confidence_floor must be a number from 0 to 1, not 2");
}

#[test]
fn a_file_may_begin_with_a_byte_order_mark() {
    assert_eq!(policy_text("\u{feff}{}").unwrap(), [PolicyPatch::new("/")]);
    assert_eq!(slots_text("\"preset:sales\"").unwrap(), preset("sales").unwrap());
    assert_eq!(policy_text("[]").unwrap(), []);
}
