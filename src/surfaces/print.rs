//! Facts, outcomes and all else as the protocol prints them.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use crate::facts::{Claim, Evidence, Fact, FactId, Source, Standing, Uncertainty, Value};
use crate::identity::EntityId;
use crate::query::{Change, Content, Entry, Segment, Sight};
use crate::store::{OutcomeRow, TurnRow};
use crate::time::{Period, Timestamp};
use crate::{Answer, Basis, Error, Outcome};

/// The names, as first written, of entities in an answer.
pub(super) struct Names(HashMap<EntityId, Arc<str>>);

impl Names {
    pub(super) fn new(names: Vec<(EntityId, Arc<str>)>) -> Self {
        Self(names.into_iter().collect())
    }

    pub(super) fn entity(&self, entity: &EntityId) -> Json {
        match self.0.get(entity) {
            Some(name) => named(entity, name),
            None => named(entity, entity.name.as_str()),
        }
    }
}

/// Prints an entity under a name.
pub(super) fn named(entity: &EntityId, name: &str) -> Json {
    json!({"type": entity.kind.as_str(), "name": name})
}

/// Prints a value.
pub(super) fn value(held: &Value) -> Json {
    match held {
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(n) => json!(n),
        Value::Float(x) => json!(x),
        Value::Text(t) => json!(&**t),
        Value::List(items) => Json::Array(items.iter().map(value).collect()),
        Value::Map(members) => Json::Object(members.iter().map(|(k, v)| (k.to_string(), value(v))).collect()),
    }
}

/// Prints an instant; an end that is not bounded is null.
pub(super) fn instant(at: Timestamp) -> Json {
    if at.is_bounded() { Json::String(at.to_string()) } else { Json::Null }
}

/// Prints a basis.
pub(super) fn basis(basis: &Basis) -> Json {
    json!({"tx": basis.tx, "known_at": instant(basis.known_at), "valid_at": instant(basis.valid_at)})
}

/// Prints what a claim holds: a value, the object of a relation, a sentence.
pub(super) fn content(held: &Content) -> Json {
    match held {
        Content::Value(held) => value(held),
        Content::Object(object, name) => named(object, name),
        Content::Text(text) => json!(&**text),
    }
}

/// Prints an answer that succeeded.
pub(super) fn ok(fields: Map<String, Json>) -> Json {
    let mut answer = Map::new();
    answer.insert("ok".to_owned(), Json::Bool(true));
    answer.extend(fields);
    Json::Object(answer)
}

/// Prints an error.
pub(super) fn error(error: &Error) -> Json {
    let mut fields = Map::new();
    fields.insert("kind".to_owned(), json!(error.kind().as_str()));
    fields.insert("code".to_owned(), json!(error.code()));
    fields.insert("message".to_owned(), json!(error.to_string()));
    if let Some(index) = error.index() {
        fields.insert("index".to_owned(), json!(index));
    }
    if let Some(field) = error.field() {
        fields.insert("field".to_owned(), json!(field));
    }
    json!({"ok": false, "error": fields})
}

fn ids(list: &[FactId]) -> Json {
    Json::Array(list.iter().map(|id| json!(id.to_string())).collect())
}

fn source(source: &Source) -> Json {
    let mut fields = Map::new();
    fields.insert("kind".to_owned(), json!(source.kind.as_str()));
    let mut put = |name: &str, value: Option<Json>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    put("name", source.name.as_deref().map(|v| json!(v)));
    put("ref", source.reference.as_deref().map(|v| json!(v)));
    put("span", source.span.map(|(from, until)| json!([from, until])));
    put("session", source.session.as_deref().map(|v| json!(v)));
    put("trust", source.trust.map(|v| json!(v)));
    put("observed_at", source.observed_at.map(instant));
    put("derived_from", (!source.derived_from.is_empty()).then(|| ids(&source.derived_from)));
    Json::Object(fields)
}

/// Prints one piece of evidence.
pub(super) fn evidence(held: &Evidence) -> Json {
    let mut fields = match source(&held.source) {
        Json::Object(fields) => fields,
        _ => Map::new(),
    };
    fields.insert("confidence".to_owned(), json!(held.confidence));
    fields.insert("known_from".to_owned(), instant(held.known_from));
    if let Some(actor) = &held.actor {
        fields.insert("actor".to_owned(), json!(&**actor));
    }
    if let Some(raw) = &held.raw {
        fields.insert("raw".to_owned(), json!(&**raw));
    }
    Json::Object(fields)
}

/// When and how a fact is seen.
struct Standpoint {
    known_at: Timestamp,
    valid: Period,
    known_from: Timestamp,
    known_until: Option<Timestamp>,
    status: &'static str,
}

fn fact(fact: &Fact, seen: &Standpoint, names: &Names) -> Map<String, Json> {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| {
        fields.insert(name.to_owned(), value);
    };
    put("fact", json!(fact.id.to_string()));
    put("kind", json!(fact.claim.kind().as_str()));
    put("subject", names.entity(&fact.subject));
    match &fact.claim {
        Claim::Attribute { key, value: held } | Claim::Event { key, value: held } => {
            put("key", json!(&**key));
            put("value", value(held));
        }
        Claim::Relation { label, object, object_name } => {
            put("label", json!(&**label));
            put("object", named(object, object_name));
        }
        Claim::Note { text, tier } => {
            put("text", json!(&**text));
            put("tier", json!(tier.as_str()));
        }
    }
    put("scope", json!(fact.scope.as_str()));
    put("status", json!(seen.status));
    put("pillar", json!(fact.pillar.as_str()));
    put("valid_from", instant(seen.valid.from()));
    put("valid_until", instant(seen.valid.until()));
    put("known_from", instant(seen.known_from));
    put("known_until", seen.known_until.map_or(Json::Null, instant));
    put("confidence", json!(fact.confidence_at(seen.known_at)));
    put("source", source(&fact.origin().source));
    put("evidence", json!(fact.evidence_at(seen.known_at)));
    if let Some(metadata) = &fact.metadata {
        put("metadata", value(metadata));
    }
    if let Some(at) = fact.forgotten_at {
        put("forgotten_at", instant(at));
    }
    if fact.standing == Standing::Removal {
        put("claim", json!("removal"));
    }
    if let Some(held) = fact.held.as_ref().filter(|held| held.is_open_at(seen.known_at)) {
        if let Some(target) = held.targets.first() {
            put("target", json!(target.to_string()));
        }
        if let Some(uncertainty) = held.uncertainty {
            put("uncertainty", json!(uncertainty.to_string()));
        }
    }
    fields
}

/// Prints a fact as it is seen at a point.
pub(super) fn sight(sight: &Sight, known_at: Timestamp, names: &Names) -> Json {
    let seen = Standpoint {
        known_at,
        valid: sight.valid,
        known_from: sight.known_from,
        known_until: sight.known_until,
        status: sight.status.as_str(),
    };
    Json::Object(fact(&sight.fact, &seen, names))
}

/// Prints a fact in its history.
pub(super) fn entry(entry: &Entry, known_at: Timestamp, names: &Names) -> Json {
    let seen = Standpoint {
        known_at,
        valid: entry.valid,
        known_from: entry.fact.recorded_at(),
        known_until: entry.known_until,
        status: entry.status.as_str(),
    };
    let mut fields = fact(&entry.fact, &seen, names);
    let claimed = entry.fact.claimed;
    if claimed != entry.valid {
        let period = json!({"valid_from": instant(claimed.from()), "valid_until": instant(claimed.until())});
        fields.insert("claimed".to_owned(), period);
    }
    fields.insert("action".to_owned(), json!(entry.fact.action.as_str()));
    fields.insert("reason".to_owned(), json!(entry.fact.reason.as_str()));
    fields.insert("supersedes".to_owned(), ids(&entry.fact.supersedes));
    fields.insert("superseded_by".to_owned(), ids(&entry.superseded_by));
    Json::Object(fields)
}

/// Prints a proposal that waits.
pub(super) fn pending(held: &Arc<Fact>, known_at: Timestamp, names: &Names) -> Json {
    let mut printed = entry(&Entry::new(held, known_at), known_at, names);
    if let (Json::Object(fields), Some(held)) = (&mut printed, &held.held) {
        fields.insert("action".to_owned(), json!(held.asks.as_str()));
    }
    printed
}

/// Prints a segment of a timeline.
pub(super) fn segment(segment: &Segment) -> Json {
    let mut fields = Map::new();
    match &segment.content {
        Content::Object(object, name) => fields.insert("object".to_owned(), named(object, name)),
        held => fields.insert("value".to_owned(), content(held)),
    };
    fields.insert("scope".to_owned(), json!(segment.scope.as_str()));
    fields.insert("valid_from".to_owned(), instant(segment.valid.from()));
    fields.insert("valid_until".to_owned(), instant(segment.valid.until()));
    fields.insert("known_from".to_owned(), instant(segment.known_from));
    fields.insert("facts".to_owned(), ids(&segment.facts));
    Json::Object(fields)
}

/// Prints a change.
pub(super) fn change(change: &Change, names: &Names) -> Json {
    let name = if change.kind == crate::facts::LineKind::Relation { "label" } else { "key" };
    let object = [&change.before, &change.after].into_iter().flatten().find_map(|held| match held {
        Content::Object(object, name) => Some(named(object, name)),
        _ => None,
    });
    let side = |held: &Option<Content>| held.as_ref().map_or(Json::Null, content);
    let mut fields = Map::new();
    fields.insert("class".to_owned(), json!(change.class.as_str()));
    fields.insert("subject".to_owned(), names.entity(&change.subject));
    fields.insert(name.to_owned(), json!(&*change.key));
    if let Some(object) = object {
        fields.insert("object".to_owned(), object);
    }
    fields.insert("scope".to_owned(), json!(change.scope.as_str()));
    fields.insert("before".to_owned(), side(&change.before));
    fields.insert("after".to_owned(), side(&change.after));
    fields.insert("valid_from".to_owned(), instant(change.valid.from()));
    fields.insert("valid_until".to_owned(), instant(change.valid.until()));
    Json::Object(fields)
}

/// Prints an uncertainty with the facts on its sides.
pub(super) fn uncertainty(
    doubt: &Uncertainty,
    sides: &[Arc<Fact>],
    known_at: Timestamp,
    names: &Names,
) -> Json {
    let about = json!({
        "subject": names.entity(&doubt.subject),
        "key": &*doubt.key,
        "scope": doubt.scope.as_str(),
    });
    let sides: Vec<Json> = sides
        .iter()
        .map(|side| {
            json!({
                "fact": side.id.to_string(),
                "value": content(&Content::of(&side.claim)),
                "evidence": side.evidence_at(known_at),
                "pillar": side.pillar.as_str(),
                "status": side.status_at(known_at).as_str(),
            })
        })
        .collect();
    let closed = doubt.closed.as_ref().filter(|closing| closing.at <= known_at);
    let mut fields = Map::new();
    fields.insert("uncertainty".to_owned(), json!(doubt.id.to_string()));
    fields.insert("reason".to_owned(), json!(doubt.reason.as_str()));
    fields.insert("status".to_owned(), json!(if closed.is_some() { "closed" } else { "open" }));
    fields.insert("about".to_owned(), about);
    fields.insert("sides".to_owned(), Json::Array(sides));
    if !doubt.candidates.is_empty() {
        let candidates = doubt.candidates.iter().map(|entity| names.entity(entity));
        fields.insert("candidates".to_owned(), candidates.collect());
    }
    fields.insert("opened_at".to_owned(), instant(doubt.opened_at));
    if let Some(closing) = closed {
        fields.insert("closed_at".to_owned(), instant(closing.at));
        if let Some(by) = &closing.by {
            fields.insert("closed_by".to_owned(), json!(&**by));
        }
        fields.insert("resolution".to_owned(), json!(closing.resolution.as_str()));
    }
    Json::Object(fields)
}

fn outcome(outcome: &Outcome) -> Json {
    let id = |id: Option<String>| id.map_or(Json::Null, Json::String);
    let mut fields = Map::new();
    fields.insert("index".to_owned(), json!(outcome.index));
    fields.insert("action".to_owned(), json!(outcome.action.as_str()));
    fields.insert("reason".to_owned(), json!(outcome.reason.as_str()));
    fields.insert("fact".to_owned(), id(outcome.fact.map(|fact| fact.to_string())));
    if let Some(held) = &outcome.content {
        fields.insert("value".to_owned(), content(held));
    }
    if let Some(status) = outcome.status {
        fields.insert("status".to_owned(), json!(status.as_str()));
    }
    fields.insert("superseded".to_owned(), ids(&outcome.superseded));
    fields.insert("uncertainty".to_owned(), id(outcome.uncertainty.map(|u| u.to_string())));
    fields.insert("entity".to_owned(), named(&outcome.entity.0, &outcome.entity.1));
    if let Some(unlisted) = &outcome.unlisted {
        fields.insert("type_given".to_owned(), json!(&**unlisted));
    }
    fields.insert("policy".to_owned(), json!(outcome.policy));
    Json::Object(fields)
}

/// Prints the answer to a write.
pub(super) fn answer(answer: &Answer, dry_run: bool) -> Map<String, Json> {
    let mut fields = Map::new();
    if let Some(tx) = answer.tx {
        fields.insert("tx".to_owned(), json!(tx));
    }
    if let Some(known_at) = answer.known_at {
        fields.insert("known_at".to_owned(), instant(known_at));
    }
    if dry_run {
        fields.insert("dry_run".to_owned(), Json::Bool(true));
    }
    if answer.already {
        fields.insert("already".to_owned(), Json::Bool(true));
    }
    fields.insert("outcomes".to_owned(), Json::Array(answer.outcomes.iter().map(outcome).collect()));
    fields
}

/// Prints a turn with its outcomes.
pub(super) fn turn(turn: &TurnRow, outcomes: &[OutcomeRow], names: &Names) -> Json {
    let mut fields = Map::new();
    fields.insert("tx".to_owned(), json!(turn.tx));
    fields.insert("known_at".to_owned(), instant(turn.known_at));
    fields.insert("committed_at".to_owned(), instant(turn.wall));
    fields.insert("kind".to_owned(), json!(&*turn.kind));
    fields.insert("imported".to_owned(), Json::Bool(turn.imported));
    for (name, text) in [("actor", &turn.actor), ("message", &turn.message)] {
        if let Some(text) = text {
            fields.insert(name.to_owned(), json!(&**text));
        }
    }
    if let Some(report) = turn.report.as_deref().and_then(|report| serde_json::from_str(report).ok()) {
        fields.insert("report".to_owned(), report);
    }
    let printed = outcomes.iter().map(|outcome| outcome_row(outcome, names));
    fields.insert("outcomes".to_owned(), printed.collect());
    Json::Object(fields)
}

/// Prints an outcome as it was written down.
pub(super) fn outcome_row(row: &OutcomeRow, names: &Names) -> Json {
    let mut fields = Map::new();
    fields.insert("index".to_owned(), json!(row.index));
    fields.insert("action".to_owned(), json!(row.action.as_str()));
    fields.insert("reason".to_owned(), json!(row.reason.as_str()));
    fields.insert("fact".to_owned(), row.fact.map_or(Json::Null, |fact| json!(fact.to_string())));
    if let Some(status) = row.status {
        fields.insert("status".to_owned(), json!(status.as_str()));
    }
    fields.insert("superseded".to_owned(), ids(&row.superseded));
    fields.insert("uncertainty".to_owned(), row.uncertainty.map_or(Json::Null, |u| json!(u.to_string())));
    fields.insert("entity".to_owned(), names.entity(&row.subject));
    fields.insert("policy".to_owned(), json!(row.policy));
    Json::Object(fields)
}
