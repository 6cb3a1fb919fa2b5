//! One declared slot under several spellings: what was written before the
//! declaration lies under another spelling, and counts all the same.

use serde_json::{Value as Json, json};

use crate::support::run;
use crate::support::store::{Engine, Place, assert_sound};

const AFTER: &str = "2024-03-01";

fn subject() -> Json {
    json!({"type": "person", "name": "Mara Quill"})
}

fn put(key: &str, value: &str, from: &str, more: &Json) -> Json {
    let mut request =
        json!({"op": "assert", "subject": subject(), "key": key, "value": value, "valid_from": from});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

fn chat() -> Json {
    json!({"source": "chat"})
}

/// A store where `account` has a value and is then declared a spelling of `iban`.
async fn declared(value: &str, source: &Json, slot: &Json) -> Place {
    let place = Place::open(Engine::Mem).await;
    place.ask_well(&put("account", value, "2024-01-01", source)).await;
    let mut declaration = json!({"name": "iban", "aliases": ["account"]});
    declaration.as_object_mut().unwrap().extend(slot.as_object().unwrap().clone());
    place.ask_well(&json!({"op": "slots", "set": [declaration]})).await;
    place
}

async fn current(place: &Place) -> (Json, usize) {
    let answer =
        place.ask_well(&json!({"op": "get", "subject": subject(), "key": "iban", "valid_at": AFTER})).await;
    let result = &answer["result"];
    (result["value"].clone(), result["contested"].as_array().unwrap().len())
}

#[test]
fn what_is_confirmed_retires_what_another_spelling_holds() {
    run(async {
        let place = declared("IB1", &chat(), &json!({"confirm": true})).await;
        let held = place.ask_well(&put("iban", "IB2", "2024-02-01", &chat())).await;
        assert_eq!(held["outcomes"][0]["reason"], "confirmation");
        let id = &held["outcomes"][0]["fact"];
        let done = place.ask_well(&json!({"op": "confirm", "id": id, "actor": "ada"})).await;
        assert_eq!(done["outcomes"][0]["action"], "SUPERSEDE");
        assert_eq!(done["outcomes"][0]["superseded"], json!(["F1.0"]));
        assert_eq!(current(&place).await, (json!("IB2"), 0));
        let again = place.ask_well(&json!({"op": "confirm", "id": id, "actor": "ada"})).await;
        assert_eq!(again["already"], true);
        assert_eq!(again["outcomes"][0]["entity"], done["outcomes"][0]["entity"]);
        assert_sound(&place.graph).await;
        place.close().await;
    });
}

#[test]
fn every_choice_between_sides_holds_across_spellings() {
    run(async {
        let document = json!({"source": {"kind": "document", "name": "contract"}});
        for (choose, is_then) in [("F3.0", json!("IB2")), ("neither", Json::Null), ("dismiss", json!("IB1"))]
        {
            let place = declared("IB1", &document, &json!({})).await;
            let held = place.ask_well(&put("iban", "IB2", "2024-02-01", &chat())).await;
            let doubt = &held["outcomes"][0]["uncertainty"];
            assert_eq!(held["outcomes"][0]["reason"], "authority_conflict");
            let request = json!({"op": "resolve", "id": doubt, "choose": choose, "actor": "ada"});
            place.ask_well(&request).await;
            assert_eq!(current(&place).await, (is_then, 0), "{choose}");
            let again = place.ask_well(&request).await;
            assert_eq!(again["outcomes"][0]["entity"], subject(), "{choose}");
            let open = place.ask_well(&json!({"op": "uncertainties"})).await;
            assert_eq!(open["result"]["uncertainties"], json!([]), "{choose}");
            assert_sound(&place.graph).await;
            place.close().await;
        }
    });
}

/// What closes by itself after a decision is what a candidate would close: an
/// item of a list is no answer to a doubt about another.
#[test]
fn a_decision_on_one_item_of_a_list_leaves_the_doubt_about_another_open() {
    run(async {
        let place = Place::open(Engine::Mem).await;
        let slot = json!({"name": "medication", "multi": true, "identity": "head"});
        place.ask_well(&json!({"op": "slots", "set": [slot]})).await;
        let weak = || json!({"source": "chat", "confidence": 0.4});
        let mut doubts = Vec::new();
        for item in ["Lisoril", "Oxaril"] {
            place.ask_well(&put("medication", &format!("{item} 10 mg"), "2024-01-01", &chat())).await;
            let held =
                place.ask_well(&put("medication", &format!("{item} 20 mg"), "2024-02-01", &weak())).await;
            assert_eq!(held["outcomes"][0]["reason"], "low_confidence");
            doubts.push((held["outcomes"][0]["fact"].clone(), held["outcomes"][0]["uncertainty"].clone()));
        }
        place.ask_well(&json!({"op": "confirm", "id": doubts[0].0, "actor": "ada"})).await;
        let open = place.ask_well(&json!({"op": "uncertainties"})).await;
        let open: Vec<&Json> = open["result"]["uncertainties"]
            .as_array()
            .unwrap()
            .iter()
            .map(|doubt| &doubt["uncertainty"])
            .collect();
        assert_eq!(open, [&doubts[1].1]);
        assert_sound(&place.graph).await;
        place.close().await;
    });
}
