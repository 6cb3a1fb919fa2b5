//! Policies and slots as JSON, in and out.
//!
//! The one part of this module that knows JSON. It refuses what it does not understand: a
//! misspelt field, a `null`, a number out of its range. Nothing is taken in part; a file
//! is refused whole, with the line of the fault.

mod error;
mod place;
mod print;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use unicode_normalization::UnicodeNormalization;

use super::{Identity, Mode, PolicyPatch, SlotKind, SlotPatch, Slots, preset};
use crate::identity::{fold, key};
use place::Place;

pub use error::ParseError;
pub use print::{patch_json, policy_json, slot_json};

/// The longest segment of a scope path, in bytes of UTF-8.
const MAX_SEGMENT: usize = 256;

/// Reads the change of one scope's policy.
///
/// # Errors
///
/// See [`ParseError`]; nothing is read in part.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{Mode, parse};
///
/// let patch = parse::policy(&serde_json::json!({"mode": "authority", "ranks": {"CRM": 2}, "scope": "/org/"}))?;
/// assert_eq!(patch.scope, "/org");
/// assert_eq!(patch.mode, Some(Mode::Authority));
/// assert_eq!(patch.ranks.unwrap()["crm"], 2);
/// assert_eq!(patch.confidence_floor, None);
/// # Ok::<(), parse::ParseError>(())
/// ```
pub fn policy(value: &Value) -> Result<PolicyPatch, ParseError> {
    let mut patch = PolicyPatch::new("/");
    for (field, value) in object("policy", "set", value)? {
        let field = field.as_str();
        match field {
            "scope" => patch.scope = scope(text(field, value)?)?,
            "confidence_floor" => patch.confidence_floor = Some(floor(field, value)?),
            "not_weaker" => patch.not_weaker = Some(flag(field, value)?),
            "mode" => {
                let word = text(field, value)?;
                let mode =
                    Mode::parse(word).ok_or_else(|| wrong(field, "recency, authority or review", value))?;
                patch.mode = Some(mode);
            }
            "ranks" => patch.ranks = Some(ranks(field, value)?),
            "trusted_sources" => patch.trusted_sources = Some(sources(field, value)?),
            "functional_labels" => patch.functional_labels = Some(labels(field, value)?),
            _ => {
                return Err(ParseError::UnknownField { field: field.to_owned(), shape: "policy" });
            }
        }
    }
    Ok(patch)
}

/// Reads declarations of slots: a list of them, or `"preset:coding"`.
///
/// # Errors
///
/// See [`ParseError`]; two slots of the list that claim one spelling are a clash.
///
/// # Examples
///
/// ```
/// use hitherto::policy::parse;
///
/// let patches = parse::slots(&serde_json::json!([{"name": "allergy", "multi": true}]))?;
/// assert_eq!(patches[0].multi, Some(true));
/// assert!(!parse::slots(&serde_json::json!("preset:coding"))?.is_empty());
/// # Ok::<(), parse::ParseError>(())
/// ```
pub fn slots(value: &Value) -> Result<Vec<SlotPatch>, ParseError> {
    match value {
        Value::String(word) => named_preset(word),
        Value::Array(items) => {
            let patches = items.iter().map(slot).collect::<Result<Vec<_>, _>>()?;
            Slots::default().declare(patches.clone())?;
            Ok(patches)
        }
        Value::Null => Err(ParseError::Null { field: "set".to_owned() }),
        _ => Err(wrong("set", "a list of slots or \"preset:NAME\"", value)),
    }
}

/// Reads a policy file: one policy, or a list of them for several scopes.
///
/// # Errors
///
/// The first fault, with its line; nothing of the file is taken.
///
/// # Examples
///
/// ```
/// use hitherto::policy::parse;
///
/// let patches = parse::policy_text("[{\"mode\": \"review\"},\n {\"scope\": \"/org\", \"not_weaker\": false}]")?;
/// assert_eq!(patches.len(), 2);
///
/// let refused = parse::policy_text("{\"mode\": \"review\",\n \"not_weaker\": 1}").unwrap_err();
/// assert_eq!(refused.to_string(), "line 2: not_weaker must be true or false, not 1");
/// # Ok::<(), parse::ParseError>(())
/// ```
pub fn policy_text(file: &str) -> Result<Vec<PolicyPatch>, ParseError> {
    let (value, places) = file_value(file)?;
    match &value {
        Value::Array(items) => each(items, &places, policy),
        one => each(std::slice::from_ref(one), &places, policy),
    }
}

/// Reads a file of slots: a list of them, or `"preset:coding"`.
///
/// # Errors
///
/// The first fault, with its line; nothing of the file is taken.
///
/// # Examples
///
/// ```
/// use hitherto::policy::parse;
///
/// let refused = parse::slots_text("[{\"name\": \"a\"},\n {\"name\": \"b\", \"aliases\": [\"A\"]}]").unwrap_err();
/// assert_eq!(refused.code(), "slot_clash");
/// assert!(refused.to_string().starts_with("line 2: "));
/// ```
pub fn slots_text(file: &str) -> Result<Vec<SlotPatch>, ParseError> {
    let (value, places) = file_value(file)?;
    let Value::Array(items) = &value else {
        return slots(&value).map_err(|fault| at(&places, 0, fault));
    };
    let patches = each(items, &places, slot)?;
    // Declared one more at a time only when the whole is refused: the first slot too many
    // is the line to show.
    if Slots::default().declare(patches.clone()).is_err() {
        for upto in 1..=patches.len() {
            Slots::default()
                .declare(patches[..upto].to_vec())
                .map_err(|fault| at(&places, upto - 1, fault.into()))?;
        }
    }
    Ok(patches)
}

fn named_preset(word: &str) -> Result<Vec<SlotPatch>, ParseError> {
    word.strip_prefix("preset:")
        .and_then(preset)
        .ok_or_else(|| ParseError::Preset { name: word.strip_prefix("preset:").unwrap_or(word).to_owned() })
}

fn slot(value: &Value) -> Result<SlotPatch, ParseError> {
    let fields = object("slot", "set", value)?;
    let mut patch = SlotPatch::default();
    for (field, value) in fields {
        let field = field.as_str();
        match field {
            "name" => text(field, value)?.clone_into(&mut patch.name),
            "aliases" => {
                let aliases = texts(field, value)?.into_iter().map(str::to_owned).collect();
                patch.aliases = Some(aliases);
            }
            "multi" => patch.multi = Some(flag(field, value)?),
            "confirm" => patch.confirm = Some(flag(field, value)?),
            "verbatim" => patch.verbatim = Some(flag(field, value)?),
            "category" => patch.category = Some(text(field, value)?.to_owned()),
            "kind" => {
                let kind = SlotKind::parse(text(field, value)?);
                patch.kind = Some(kind.ok_or_else(|| wrong(field, "state or event", value))?);
            }
            "identity" => {
                let identity = Identity::parse(text(field, value)?);
                patch.identity = Some(identity.ok_or_else(|| wrong(field, "head or whole", value))?);
            }
            "description" => patch.description = Some(text(field, value)?.to_owned()),
            _ => {
                return Err(ParseError::UnknownField { field: field.to_owned(), shape: "slot" });
            }
        }
    }
    if !fields.contains_key("name") {
        return Err(ParseError::MissingField { field: "name", shape: "slot" });
    }
    Ok(patch)
}

/// Returns the normalised path of a scope: NFC, a trailing slash dropped.
fn scope(given: &str) -> Result<String, ParseError> {
    let refused = |why| Err(ParseError::Scope { scope: given.to_owned(), why });
    let path: String = given.nfc().collect();
    let Some(inner) = path.strip_prefix('/') else {
        return refused("does not begin with /");
    };
    if inner.is_empty() {
        return Ok(path);
    }
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    for segment in inner.split('/') {
        match segment {
            "" => return refused("has an empty segment"),
            "." | ".." => return refused("has a segment that is . or .."),
            _ if segment.len() > MAX_SEGMENT => {
                return refused("has a segment of more than 256 bytes");
            }
            _ if segment.contains(char::is_control) => return refused("holds a control character"),
            _ => {}
        }
    }
    Ok(format!("/{inner}"))
}

fn floor(field: &str, value: &Value) -> Result<f64, ParseError> {
    value
        .as_f64()
        .filter(|floor| (0.0..=1.0).contains(floor))
        .ok_or_else(|| wrong(field, "a number from 0 to 1", value))
}

fn flag(field: &str, value: &Value) -> Result<bool, ParseError> {
    value.as_bool().ok_or_else(|| wrong(field, "true or false", value))
}

fn text<'a>(field: &str, value: &'a Value) -> Result<&'a str, ParseError> {
    value.as_str().ok_or_else(|| wrong(field, "a text", value))
}

fn texts<'a>(field: &str, value: &'a Value) -> Result<Vec<&'a str>, ParseError> {
    let items = value.as_array().ok_or_else(|| wrong(field, "a list of texts", value))?;
    items.iter().map(|item| text(field, item)).collect()
}

fn ranks(field: &str, value: &Value) -> Result<BTreeMap<String, i64>, ParseError> {
    let mut ranks = BTreeMap::new();
    for (name, rank) in object_in(field, value)? {
        let number = rank.as_i64().ok_or_else(|| wrong(field, "whole numbers by source name", rank))?;
        if ranks.insert(source(field, name)?, number).is_some() {
            let expected = "one rank for each source, compared case-folded";
            return Err(ParseError::Value {
                field: field.to_owned(),
                expected,
                found: format!("two for {name:?}"),
            });
        }
    }
    Ok(ranks)
}

fn sources(field: &str, value: &Value) -> Result<BTreeSet<String>, ParseError> {
    texts(field, value)?.into_iter().map(|name| source(field, name)).collect()
}

fn source(field: &str, name: &str) -> Result<String, ParseError> {
    let folded = fold(name);
    if folded.is_empty() {
        return Err(wrong(field, "names that are not blank", &json!(name)));
    }
    Ok(folded)
}

fn labels(field: &str, value: &Value) -> Result<BTreeSet<String>, ParseError> {
    let label = |given| key(given).map(|label| label.to_string()).map_err(ParseError::Label);
    texts(field, value)?.into_iter().map(label).collect()
}

fn object<'a>(
    shape: &'static str,
    field: &str,
    value: &'a Value,
) -> Result<&'a Map<String, Value>, ParseError> {
    let expected = if shape == "policy" { "a policy" } else { "a slot" };
    value.as_object().ok_or_else(|| wrong(field, expected, value))
}

fn object_in<'a>(field: &str, value: &'a Value) -> Result<&'a Map<String, Value>, ParseError> {
    value.as_object().ok_or_else(|| wrong(field, "ranks by source name", value))
}

/// Returns the refusal of a value; a `null` is refused as such, wherever it stands.
fn wrong(field: &str, expected: &'static str, value: &Value) -> ParseError {
    let field = field.to_owned();
    if value.is_null() {
        return ParseError::Null { field };
    }
    let found: String = value.to_string().chars().take(60).collect();
    ParseError::Value { field, expected, found }
}

fn file_value(file: &str) -> Result<(Value, Vec<Place>), ParseError> {
    let file = file.trim_start_matches('\u{feff}');
    match serde_json::from_str(file) {
        Ok(value) => Ok((value, place::elements(file))),
        Err(error) => {
            let fault = ParseError::Json { reason: error.to_string() };
            Err(ParseError::Line { line: error.line(), fault: Box::new(fault) })
        }
    }
}

fn each<T>(
    items: &[Value],
    places: &[Place],
    read: impl Fn(&Value) -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    let read_at = |(index, item)| read(item).map_err(|fault| at(places, index, fault));
    items.iter().enumerate().map(read_at).collect()
}

fn at(places: &[Place], index: usize, fault: ParseError) -> ParseError {
    let line = places.get(index).map_or(1, |place| place.line(fault.field()));
    ParseError::Line { line, fault: Box::new(fault) }
}

#[cfg(test)]
mod tests;
