//! Requests that write.

use std::str::FromStr;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::fields::{Fields, missing};
use super::print;
use super::wire::{self, CANDIDATES};
use crate::error::Error;
use crate::facts::{FactId, LineKind, Tier, UncertaintyId};
use crate::identity::EntityType;
use crate::maintenance::{Selection, SweepReport};
use crate::policy::{PRESETS, parse, preset};
use crate::query::What;
use crate::store::IMPORT_KEY;
use crate::{Answer, Choice, Erasure, Graph, Key, Proposal, Render, Replied, Turn, WriteOptions};

/// The operations that write, besides those that say something.
pub(super) const OPERATIONS: [&str; 13] = [
    "turn",
    "forget",
    "purge",
    "erase_scope",
    "confirm",
    "reject",
    "resolve",
    "sweep",
    "promote",
    "demote",
    "decide",
    "policy",
    "slots",
];

/// Carries out a request that writes.
pub(super) async fn write(graph: &Graph, op: &str, mut fields: Fields, body: &str) -> Result<Json, Error> {
    let mut options = WriteOptions {
        known_at: fields.instant("known_at")?,
        actor: fields.text("actor")?,
        key: None,
        dry_run: fields.flag("dry_run")?,
        chain: None,
    };
    let key = fields.text("idempotency_key")?;
    if key.as_ref().is_some_and(|key| key.trim().is_empty()) {
        return Err(Error::invalid("value_empty", "idempotency_key is empty").at_field("idempotency_key"));
    }
    let dry_run = options.dry_run;
    // How the answer is printed is how it is kept under its key.
    let kept = |key: Arc<str>, print: fn(&Answer, bool) -> Json| Key {
        body: blake3::hash(body.as_bytes()).to_hex().to_string().into(),
        // Keys of imports are kept for good, and without their answers.
        render: (!key.starts_with(IMPORT_KEY))
            .then(|| Arc::new(move |answer: &Answer| print(answer, false).to_string()) as Render),
        key,
    };
    let print = match op {
        "forget" | "purge" | "erase_scope" => printed_erasure,
        "sweep" => printed_sweep,
        "decide" => printed_decision,
        _ => printed,
    };
    options.key = key.map(|key| kept(key, print));
    let replied = match op {
        "turn" => {
            let candidates = wire::candidates(&mut fields)?;
            say(graph, candidates, fields, options).await?
        }
        op if CANDIDATES.contains(&op) => {
            let candidate = wire::candidate(op, &mut fields)?;
            say(graph, vec![candidate], fields, options).await?
        }
        "policy" | "slots" => declare(graph, op, fields, options).await?,
        "confirm" | "reject" | "resolve" | "decide" => settle(graph, op, fields, options).await?,
        _ => tend(graph, op, fields, options).await?,
    };
    match replied {
        Replied::New(answer) => Ok(print(&answer, dry_run)),
        Replied::Kept(text) => serde_json::from_str(&text).map_err(|_| {
            Error::new(crate::ErrorKind::Corrupt, "answer_broken", "the answer that was kept cannot be read")
        }),
        Replied::Gone(tx) => {
            let mut fields = Map::new();
            if let Some(tx) = tx {
                fields.insert("tx".to_owned(), json!(tx));
            }
            fields.insert("purged".to_owned(), Json::Bool(true));
            Ok(print::ok(fields))
        }
    }
}

/// Hands in a turn.
async fn say(
    graph: &Graph,
    candidates: Vec<Proposal>,
    mut fields: Fields,
    options: WriteOptions,
) -> Result<Replied<Answer>, Error> {
    let turn = Turn { candidates, message: fields.text("message")?, options };
    fields.finish()?;
    graph.submit(turn).await
}

/// Declares a policy or slots.
async fn declare(
    graph: &Graph,
    op: &str,
    mut fields: Fields,
    options: WriteOptions,
) -> Result<Replied<Answer>, Error> {
    let set = fields.need("set")?;
    fields.finish()?;
    if op == "policy" {
        return graph.declare_policy(parse::policy(&set)?, options).await;
    }
    let patches = match set.as_str().and_then(|word| word.strip_prefix("preset:")) {
        Some(name) => preset(name).ok_or_else(|| {
            let message = format!("preset {name:?} is none of {}", PRESETS.join(", "));
            Error::invalid("preset_unknown", message).at_field("set")
        })?,
        None => parse::slots(&set)?,
    };
    graph.declare_slots(patches, options).await
}

/// Carries out what a person decided.
async fn settle(
    graph: &Graph,
    op: &str,
    mut fields: Fields,
    options: WriteOptions,
) -> Result<Replied<Answer>, Error> {
    match op {
        "confirm" => {
            let id = FactId::from_str(&fields.need_text("id")?).map_err(|e| Error::from(e).at_field("id"))?;
            fields.finish()?;
            graph.confirm(id, options).await
        }
        "reject" => {
            let id = FactId::from_str(&fields.need_text("id")?).map_err(|e| Error::from(e).at_field("id"))?;
            let note = fields.text("note")?;
            fields.finish()?;
            graph.reject(id, note, options).await
        }
        "resolve" => {
            let id = UncertaintyId::from_str(&fields.need_text("id")?)
                .map_err(|e| Error::from(e).at_field("id"))?;
            let choice = match &*fields.need_text("choose")? {
                "neither" => Choice::Neither,
                "dismiss" => Choice::Dismiss,
                side => Choice::Side(
                    FactId::from_str(side)
                        .map_err(|e| Error::invalid("choice_unknown", e.to_string()).at_field("choose"))?,
                ),
            };
            fields.finish()?;
            graph.resolve(id, choice, options).await
        }
        _ => {
            let (label, facts) = decision(graph, fields).await?;
            graph.decide(label, facts, options).await
        }
    }
}

/// Carries out what looks after the store.
async fn tend(
    graph: &Graph,
    op: &str,
    mut fields: Fields,
    options: WriteOptions,
) -> Result<Replied<Answer>, Error> {
    match op {
        "forget" | "purge" | "erase_scope" => {
            let erasure = erasure(graph, op, fields).await?.unwrap_or_else(|| {
                // Nobody of that name: as an erasure of a fact that there is not.
                let nothing = Some(FactId { tx: 0, place: 0 });
                let selection = Selection { fact: nothing, ..Selection::default() };
                Erasure { selection, purge: false, name: "forget" }
            });
            graph.erase(erasure, options).await
        }
        "sweep" => {
            fields.finish()?;
            graph.sweep(options).await
        }
        "promote" | "demote" => {
            let id = fields.fact_id("fact")?.ok_or_else(|| missing("fact"))?;
            let tier =
                fields.word("tier", Tier::parse, &["l1", "l2", "l3"])?.ok_or_else(|| missing("tier"))?;
            fields.finish()?;
            graph.move_tier(id, tier, options).await
        }
        other => Err(super::dispatch::unknown(other)),
    }
}

fn printed(answer: &Answer, dry_run: bool) -> Json {
    print::ok(print::answer(answer, dry_run))
}

fn printed_erasure(answer: &Answer, dry_run: bool) -> Json {
    let mut fields = print::answer(answer, false);
    fields.remove("outcomes");
    let counts = answer.counts.unwrap_or_default();
    let by_name: Map<String, Json> =
        counts.by_name().iter().map(|(name, n)| ((*name).to_owned(), json!(n))).collect();
    fields.insert("dry_run".to_owned(), Json::Bool(dry_run));
    fields.insert("matched".to_owned(), json!(counts.matched));
    fields.insert("counts".to_owned(), Json::Object(by_name));
    // A purge takes rows out; their bytes go when the engine rewrites its files.
    let pending = answer.tx.is_some() && answer.purged;
    fields.insert("compaction_pending".to_owned(), Json::Bool(pending));
    print::ok(fields)
}

fn printed_sweep(answer: &Answer, dry_run: bool) -> Json {
    let mut fields = print::answer(answer, false);
    fields.remove("outcomes");
    fields.insert("dry_run".to_owned(), Json::Bool(dry_run));
    let nothing = SweepReport::default();
    let report = answer.sweep.as_ref().unwrap_or(&nothing);
    let entity = |(entity, name): &(crate::identity::EntityId, Arc<str>)| print::named(entity, name);
    let resolved = report.resolved.iter().map(|swept| {
        json!({"placeholder": entity(&swept.placeholder), "entity": entity(&swept.entity), "relations": swept.relations})
    });
    fields.insert("resolved".to_owned(), resolved.collect());
    let ambiguous = report.ambiguous.iter().map(|(placeholder, candidates, doubt)| {
        let candidates: Vec<Json> = candidates.iter().map(entity).collect();
        let doubt = doubt.map_or(Json::Null, |doubt| json!(doubt.to_string()));
        json!({"placeholder": entity(placeholder), "candidates": candidates, "uncertainty": doubt})
    });
    fields.insert("ambiguous".to_owned(), ambiguous.collect());
    fields.insert("unresolved".to_owned(), report.unresolved.iter().map(entity).collect());
    let suggestions = report
        .suggestions
        .iter()
        .map(|(placeholder, other, score)| json!({"placeholder": entity(placeholder), "entity": entity(other), "score": score}));
    fields.insert("suggestions".to_owned(), suggestions.collect());
    print::ok(fields)
}

fn printed_decision(answer: &Answer, dry_run: bool) -> Json {
    let mut fields = print::answer(answer, dry_run);
    fields.remove("outcomes");
    if let Some(tx) = answer.tx {
        fields.insert("decision".to_owned(), json!(format!("D{tx}")));
    }
    print::ok(fields)
}

/// Reads which facts are to be erased; none where the subject is nobody.
async fn erasure(graph: &Graph, op: &str, mut fields: Fields) -> Result<Option<Erasure>, Error> {
    let name = match op {
        "forget" => "forget",
        "purge" => "purge",
        _ => "erase_scope",
    };
    if name == "erase_scope" {
        let path = fields.scope("path")?.ok_or_else(|| missing("path"))?;
        fields.finish()?;
        let selection = Selection { scope: Some(path), ..Selection::default() };
        return Ok(Some(Erasure { selection, purge: true, name }));
    }
    let mut selection = Selection {
        fact: fields.fact_id("fact")?,
        scope: fields.scope("scope")?,
        value: fields.value("value")?,
        label: fields.key("label")?,
        ..Selection::default()
    };
    if let Some(key) = fields.key("key")? {
        let (spellings, declared) = graph.spellings(&key);
        selection.keys = Some(spellings);
        selection.exact_key = (!declared).then_some(key);
    }
    let object = fields.reference("object")?;
    let subject = match (fields.reference("subject")?, selection.fact) {
        (None, None) => return Err(missing("subject")),
        (subject, _) => subject,
    };
    fields.finish()?;
    if let Some(object) = object {
        match graph.find_entity(&object, "object").await? {
            Some(object) => selection.object = Some(object),
            None => return Ok(None),
        }
    }
    if let Some(subject) = subject {
        // An explicit `unknown` names the placeholder itself.
        match graph.find_entity(&subject, "subject").await? {
            Some(subject) => selection.subject = Some(subject),
            None => return Ok(None),
        }
    }
    Ok(Some(Erasure { selection, purge: name == "purge", name }))
}

/// Reads what a decision was taken on: facts, or all that an entity shows.
async fn decision(graph: &Graph, mut fields: Fields) -> Result<(Arc<str>, Vec<FactId>), Error> {
    let label = fields.need_text("label")?;
    let facts = match (fields.take("facts")?, fields.reference("subject")?) {
        (Some(Json::Array(ids)), None) => ids
            .iter()
            .map(|id| {
                FactId::from_str(id.as_str().unwrap_or_default())
                    .map_err(|e| Error::from(e).at_field("facts"))
            })
            .collect::<Result<_, _>>()?,
        (None, Some(subject)) => {
            let profile = graph.profile(&subject, &crate::ReadOptions::default()).await?.result.1;
            let lists = [&profile.attributes, &profile.relations, &profile.notes];
            lists.into_iter().flatten().map(|sight| sight.fact.id).collect()
        }
        (None, None) => return Err(missing("facts")),
        _ => {
            return Err(Error::invalid("value_invalid", "facts is no list of ids, or subject is there too")
                .at_field("facts"));
        }
    };
    fields.finish()?;
    Ok((label, facts))
}

/// Reads which slot a read is about.
pub(super) async fn what(graph: &Graph, fields: &mut Fields, need: bool) -> Result<Option<What>, Error> {
    if let Some(label) = fields.key("label")? {
        let object = match fields.reference("object")? {
            None => None,
            Some(object) => {
                let nobody =
                    crate::identity::EntityId { kind: EntityType::Unknown, name: object.name.clone() };
                Some(graph.find_entity(&object, "object").await?.unwrap_or(nobody))
            }
        };
        return Ok(Some(What { kind: LineKind::Relation, key: label, object }));
    }
    match fields.key("key")? {
        Some(key) => Ok(Some(What { kind: LineKind::Attribute, key, object: None })),
        None if need => Err(missing("key")),
        None => Ok(None),
    }
}
