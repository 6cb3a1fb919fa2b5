//! Policies and slots as the protocol prints them.

use serde_json::{Map, Value, json};

use crate::policy::{Mode, Policy, PolicyPatch, Slot, SlotKind};

/// Returns a policy as the protocol prints it, with the scope it is in force for.
///
/// ```
/// use hitherto::policy::{Policy, parse};
///
/// let printed = parse::policy_json("/org", &Policy::default());
/// assert_eq!(printed["mode"], "recency");
/// assert_eq!(printed["scope"], "/org");
/// ```
#[must_use]
pub fn policy_json(scope: &str, policy: &Policy) -> Value {
    json!({
        "confidence_floor": policy.confidence_floor,
        "not_weaker": policy.not_weaker,
        "mode": policy.mode.as_str(),
        "ranks": policy.ranks,
        "trusted_sources": policy.trusted_sources,
        "functional_labels": policy.functional_labels,
        "scope": scope,
    })
}

/// Returns a change of a policy as the protocol takes it: only the fields that it names.
///
/// ```
/// use hitherto::policy::{PolicyPatch, parse};
///
/// let patch = PolicyPatch { not_weaker: Some(false), ..PolicyPatch::new("/") };
/// assert_eq!(parse::patch_json(&patch), serde_json::json!({"not_weaker": false, "scope": "/"}));
/// ```
#[must_use]
pub fn patch_json(patch: &PolicyPatch) -> Value {
    let mut out = Map::new();
    put(&mut out, "confidence_floor", patch.confidence_floor);
    put(&mut out, "not_weaker", patch.not_weaker);
    put(&mut out, "mode", patch.mode.map(Mode::as_str));
    put(&mut out, "ranks", patch.ranks.as_ref().map(|ranks| json!(ranks)));
    put(&mut out, "trusted_sources", patch.trusted_sources.as_ref().map(|names| json!(names)));
    put(&mut out, "functional_labels", patch.functional_labels.as_ref().map(|labels| json!(labels)));
    put(&mut out, "scope", Some(patch.scope.as_str()));
    Value::Object(out)
}

/// Returns a slot as the protocol prints it; what was never said is left out.
///
/// ```
/// use hitherto::policy::{Slot, parse};
///
/// let printed = parse::slot_json(&Slot::new("tier"));
/// assert_eq!(printed["identity"], "whole");
/// assert_eq!(printed.get("category"), None);
/// ```
#[must_use]
pub fn slot_json(slot: &Slot) -> Value {
    let mut out = Map::new();
    put(&mut out, "name", Some(slot.name.as_str()));
    put(&mut out, "aliases", Some(json!(slot.aliases)));
    put(&mut out, "multi", Some(slot.multi));
    put(&mut out, "confirm", Some(slot.confirm));
    put(&mut out, "verbatim", Some(slot.verbatim));
    put(&mut out, "category", slot.category.as_deref());
    put(&mut out, "kind", slot.kind.map(SlotKind::as_str));
    put(&mut out, "identity", Some(slot.identity.as_str()));
    put(&mut out, "description", slot.description.as_deref());
    Value::Object(out)
}

fn put(out: &mut Map<String, Value>, field: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        out.insert(field.to_owned(), value.into());
    }
}
