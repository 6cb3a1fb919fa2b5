//! Parts of answers as cells of a table.

use serde_json::Value as Json;

use super::legible::{clipped, legible};
use super::page::ABSENT;

/// Shows any value: text bare, unless it would be read as something else.
pub(super) fn value(given: &Json) -> String {
    match given {
        Json::Null => ABSENT.to_owned(),
        Json::String(text) => {
            let reads_as_text =
                text.is_empty() || serde_json::from_str::<Json>(text).is_err() || text == "null";
            let looks_absent = text == ABSENT || text.is_empty();
            if reads_as_text && !looks_absent { clipped(text) } else { clipped(&given.to_string()) }
        }
        Json::Object(members) if is_entity(given) && members.len() == 2 => entity(given),
        other => clipped(&other.to_string()),
    }
}

fn is_entity(given: &Json) -> bool {
    given["type"].is_string() && given["name"].is_string()
}

/// Shows an entity as the command line takes it; a placeholder by its name.
pub(super) fn entity(given: &Json) -> String {
    let name = given["name"].as_str().map_or_else(|| ABSENT.to_owned(), legible);
    match given["type"].as_str() {
        Some("unknown") => format!("{name} (unresolved)"),
        Some(kind) => format!("{}/{name}", legible(kind)),
        None => name,
    }
}

/// Shows a word, an id, an instant, a number.
pub(super) fn plain(given: &Json) -> String {
    match given {
        Json::Null => ABSENT.to_owned(),
        Json::String(text) => clipped(text),
        other => other.to_string(),
    }
}

/// Shows a likeness, to three digits.
pub(super) fn score(given: &Json) -> String {
    given.as_f64().map_or_else(|| plain(given), |score| format!("{score:.3}"))
}

/// Shows the start of a period.
pub(super) fn from(given: &Json) -> String {
    if given.is_null() { "beginning".to_owned() } else { plain(given) }
}

/// Shows the end of a period.
pub(super) fn until(given: &Json) -> String {
    if given.is_null() { "open".to_owned() } else { plain(given) }
}

/// Shows a period on one line.
pub(super) fn period(given: &Json) -> String {
    format!("{} until {}", from(&given["valid_from"]), until(&given["valid_until"]))
}

/// Shows a list of ids or words.
pub(super) fn list(given: &Json) -> String {
    joined(given, plain)
}

/// Shows a list of entities.
pub(super) fn entities(given: &Json) -> String {
    joined(given, entity)
}

fn joined(given: &Json, show: fn(&Json) -> String) -> String {
    match given.as_array() {
        Some(items) if !items.is_empty() => items.iter().map(show).collect::<Vec<_>>().join(", "),
        _ => ABSENT.to_owned(),
    }
}

/// Shows where a fact comes from.
pub(super) fn source(given: &Json) -> String {
    let part = |field: &str| given[field].as_str().map(clipped);
    let Some(kind) = part("kind") else { return ABSENT.to_owned() };
    match (part("name"), part("ref")) {
        (Some(name), Some(reference)) => format!("{kind}: {name} ({reference})"),
        (Some(name), None) => format!("{kind}: {name}"),
        (None, Some(reference)) => format!("{kind} ({reference})"),
        (None, None) => kind,
    }
}

/// Shows the key or label of a fact.
pub(super) fn key(fact: &Json) -> String {
    match (&fact["key"], &fact["label"]) {
        (Json::String(name), _) | (_, Json::String(name)) => clipped(name),
        _ => "(note)".to_owned(),
    }
}

/// Shows what a fact says: its value, its object, its sentence.
pub(super) fn content(fact: &Json) -> String {
    let said = if fact["object"].is_object() {
        entity(&fact["object"])
    } else if fact["text"].is_string() {
        plain(&fact["text"])
    } else {
        value(&fact["value"])
    };
    if fact["claim"] == "removal" { format!("ends: {said}") } else { said }
}

/// Shows what is not out of the ordinary of a fact's mark.
pub(super) fn mark(fact: &Json) -> String {
    if fact["forgotten_at"].is_string() {
        "forgotten".to_owned()
    } else if fact["effective"] == false {
        "a nearer scope counts".to_owned()
    } else {
        ABSENT.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_that_would_be_read_as_something_else_is_quoted() {
        assert_eq!(value(&json!("Seed")), "Seed");
        assert_eq!(value(&json!("42")), "\"42\"");
        assert_eq!(value(&json!(42)), "42");
        assert_eq!(value(&json!("true")), "\"true\"");
        assert_eq!(value(&json!("null")), "null");
        assert_eq!(value(&json!("")), "\"\"");
        assert_eq!(value(&json!(null)), ABSENT);
        assert_eq!(value(&json!(["a", 1])), "[\"a\",1]");
    }

    #[test]
    fn a_placeholder_shows_its_name() {
        assert_eq!(entity(&json!({"type": "unknown", "name": "Bo"})), "Bo (unresolved)");
        assert_eq!(entity(&json!({"type": "person", "name": "Bo"})), "person/Bo");
        assert_eq!(entity(&json!({"name": "Bo"})), "Bo");
    }
}
