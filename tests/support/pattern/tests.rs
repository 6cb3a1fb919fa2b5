//! Every word of a pattern matches what it should, and fails where it should.

use serde_json::json;

use super::*;

#[track_caller]
fn matches(pattern: Json, answer: Json) {
    if let Err(miss) = check(&pattern, &answer, &mut Names::new()) {
        panic!("{pattern} should match {answer}: {} {}", miss.path, miss.says);
    }
}

#[track_caller]
fn differs(pattern: Json, answer: Json, path: &str) {
    match check(&pattern, &answer, &mut Names::new()) {
        Ok(()) => panic!("{pattern} should not match {answer}"),
        Err(miss) => assert_eq!(miss.path, path, "{}", miss.says),
    }
}

#[test]
fn an_object_matches_by_its_listed_keys_only() {
    matches(json!({"a": 1}), json!({"a": 1, "b": 2}));
    matches(json!({}), json!({"a": 1}));
    differs(json!({"a": 1}), json!({"a": 2}), "$.a");
    differs(json!({"a": 1}), json!({"b": 1}), "$.a");
    differs(json!({"a": null}), json!({"a": 1}), "$.a");
    differs(json!({"a": {"b": {"c": 1}}}), json!({"a": {"b": {"c": 2}}}), "$.a.b.c");
    differs(json!({}), json!([]), "$");
    matches(json!({"a": null}), json!({"a": null}));
    matches(json!({"a": null}), json!({"b": 1}));
}

#[test]
fn an_array_matches_element_by_element_in_its_whole_length() {
    matches(json!([1, {"a": 2}]), json!([1, {"a": 2, "b": 3}]));
    differs(json!([1]), json!([1, 2]), "$");
    differs(json!([1, 2]), json!([2, 1]), "$[0]");
    differs(json!([1, 2]), json!({"0": 1}), "$");
}

#[test]
fn scalars_are_equal_by_value_and_never_across_kinds() {
    matches(json!(2), json!(2.0));
    matches(json!(2.0), json!(2));
    matches(json!(u64::MAX), json!(u64::MAX));
    differs(json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992.0), "$");
    differs(json!(2), json!("2"), "$");
    differs(json!(1), json!(true), "$");
    differs(json!("a"), json!("A"), "$");
    differs(json!(null), json!(false), "$");
}

#[test]
fn instants_are_compared_as_instants_under_their_keys_only() {
    matches(json!({"valid_from": "2020-01-01"}), json!({"valid_from": "2020-01-01T00:00:00Z"}));
    matches(
        json!({"known_at": "2020-01-01T01:00:00+01:00"}),
        json!({"known_at": "2020-01-01T00:00:00.000000Z"}),
    );
    differs(
        json!({"known_at": "2020-01-01"}),
        json!({"known_at": "2020-01-01T00:00:00.000001Z"}),
        "$.known_at",
    );
    differs(json!({"value": "2020-01-01"}), json!({"value": "2020-01-01T00:00:00Z"}), "$.value");
    differs(
        json!({"valid_from": {"$text": "2020-01-01"}}),
        json!({"valid_from": "2020-01-01T00:00:00Z"}),
        "$.valid_from",
    );
    differs(json!({"valid_until": null}), json!({"valid_until": "2020-01-01"}), "$.valid_until");
    differs(json!({"known_at": "open"}), json!({"known_at": "beginning"}), "$.known_at");
    for key in INSTANTS {
        matches(json!({key: "2020-01-01T02:00:00+02:00"}), json!({key: "2020-01-01"}));
        differs(json!({key: "2020-01-01"}), json!({key: "2020-01-02"}), &format!("$.{key}"));
        differs(json!({key: "2020-01-01"}), json!({key: 7}), &format!("$.{key}"));
    }
}

#[test]
fn absent_takes_missing_and_null_and_any_takes_neither() {
    matches(json!({"a": {"$absent": true}}), json!({}));
    matches(json!({"a": {"$absent": true}}), json!({"a": null}));
    differs(json!({"a": {"$absent": true}}), json!({"a": 0}), "$.a");
    matches(json!({"a": {"$any": true}}), json!({"a": false}));
    differs(json!({"a": {"$any": true}}), json!({"a": null}), "$.a");
    differs(json!({"a": {"$any": true}}), json!({}), "$.a");
}

#[test]
fn not_and_one_of_and_text_and_len() {
    matches(json!({"$not": 1}), json!(2));
    differs(json!({"$not": 1}), json!(1.0), "$");
    matches(json!({"a": {"$not": "x"}}), json!({}));
    differs(json!({"a": {"$not": {"$absent": true}}}), json!({}), "$.a");
    matches(json!({"$one_of": [1, {"$len": 0}]}), json!([]));
    differs(json!({"$one_of": [1, 2]}), json!(3), "$");
    matches(json!({"a": {"$one_of": [{"$absent": true}, "x"]}}), json!({}));
    matches(json!({"$text": "a"}), json!("a"));
    differs(json!({"$text": "1"}), json!(1), "$");
    matches(json!({"$len": 2}), json!([1, 2]));
    differs(json!({"$len": 2}), json!([1]), "$");
    differs(json!({"$len": 2}), json!("ab"), "$");
}

#[test]
fn nowhere_looks_at_the_whole_answer_keys_and_escapes_included() {
    matches(json!({"a": {"$nowhere": "canary"}}), json!({"a": 1, "b": "bird"}));
    differs(json!({"a": {"$nowhere": "canary"}}), json!({"a": 1, "b": ["a canary sings"]}), "$.a");
    differs(json!({"$nowhere": "canary"}), json!({"x": {"canary": 1}}), "$");
    differs(json!({"$nowhere": "a\"b"}), json!(["a\"b"]), "$");
}

#[test]
fn unordered_finds_a_matching_that_a_greedy_choice_would_miss() {
    matches(json!({"$unordered": [{"$any": true}, 1]}), json!([1, 2]));
    let pattern = json!({"$unordered": [{"$one_of": [1, 2]}, {"$one_of": [1, 3]}, {"$one_of": [1, 4]}, 1]});
    matches(pattern.clone(), json!([1, 2, 3, 4]));
    matches(pattern.clone(), json!([4, 3, 2, 1]));
    differs(pattern, json!([1, 2, 3, 3]), "$[1]");
    differs(json!({"$unordered": [1, 1]}), json!([1, 2]), "$[1]");
    differs(json!({"$unordered": [1]}), json!([1, 1]), "$");
    differs(json!({"$unordered": [1]}), json!(1), "$");
    matches(json!({"$unordered": []}), json!([]));
}

#[test]
fn unordered_carries_what_it_binds_and_goes_back_when_it_was_the_wrong_one() {
    let pattern = json!({
        "list": {"$unordered": [{"id": {"$bind": "x"}}, {"id": {"$bind": "y"}}]},
        "first": {"$ref": "x"},
    });
    let mut names = Names::new();
    let answer = json!({"list": [{"id": 1}, {"id": 2}], "first": 2});
    assert_eq!(check(&pattern, &answer, &mut names), Ok(()));
    assert_eq!((&names["x"], &names["y"]), (&json!(2), &json!(1)));
    let answer = json!({"list": [{"id": 1}, {"id": 2}], "first": 3});
    assert_eq!(check(&pattern, &answer, &mut names).unwrap_err().path, "$.first");
    assert_eq!(names["x"], json!(2), "a match that fails binds nothing");
}

#[test]
fn contains_takes_any_element_and_goes_back_too() {
    matches(json!({"$contains": [1, 1, {"$any": true}]}), json!([3, 1]));
    differs(json!({"$contains": [1, 2]}), json!([1]), "$[0]");
    differs(json!({"$contains": [1]}), json!([]), "$");
    let pattern = json!({"a": {"$contains": [{"$bind": "x"}]}, "b": {"$ref": "x"}});
    matches(pattern.clone(), json!({"a": [1, 2, 3], "b": 3}));
    differs(pattern, json!({"a": [1, 2, 3], "b": 4}), "$.b");
    matches(
        json!({"a": {"$one_of": [{"$bind": "x"}, {"b": {"$bind": "x"}}]}, "c": {"$ref": "x"}}),
        json!({"a": {"b": 1}, "c": 1}),
    );
}

#[test]
fn names_are_bound_once_and_stand_for_their_value_in_requests_and_patterns() {
    let mut names = Names::new();
    check(&json!({"fact": {"$bind": "f"}}), &json!({"fact": "F1"}), &mut names).unwrap();
    assert_eq!(
        fill(&json!({"op": "explain", "fact": {"$ref": "f"}, "facts": [{"$ref": "f"}]}), &names),
        json!({"op": "explain", "fact": "F1", "facts": ["F1"]})
    );
    assert_eq!(check(&json!([{"$ref": "f"}]), &json!(["F1"]), &mut names), Ok(()));
    assert!(check(&json!([{"$ref": "f"}]), &json!(["F2"]), &mut names).is_err());
    assert!(check(&json!([{"$ref": "g"}]), &json!(["F2"]), &mut names).is_err());
    check(&json!({"k": {"$bind": "t"}}), &json!({"k": "2020-01-01"}), &mut names).unwrap();
    let answer = json!({"known_at": "2020-01-01T00:00:00Z"});
    assert_eq!(check(&json!({"known_at": {"$ref": "t"}}), &answer, &mut names), Ok(()));
    assert!(check(&json!({"a": {"$bind": "m"}}), &json!({}), &mut names).is_err());
}

#[test]
#[should_panic(expected = "there is no pattern")]
fn a_misspelt_pattern_is_no_key() {
    let _ = check(&json!({"a": {"$lenght": 1}}), &json!({"a": []}), &mut Names::new());
}
