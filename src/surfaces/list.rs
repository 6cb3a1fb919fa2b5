//! Requests that list: entities, uncertainties, findings, pairs, rules.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::cursor::Cursor;
use super::fields::Fields;
use super::print;
use super::read::{Paging, answered, names_of};
use crate::error::Error;
use crate::facts::Uncertainty;
use crate::identity::{EntityId, EntityType, Name};
use crate::policy::parse;
use crate::{Graph, ReadOptions};

pub(super) async fn entities(
    graph: &Graph,
    mut fields: Fields,
    options: &ReadOptions,
    paging: &Paging,
) -> Result<Json, Error> {
    let kind = match fields.text("type")? {
        None => None,
        Some(word) => Some(EntityType::parse(&word).map_err(|e| Error::from(e).at_field("type"))?.0),
    };
    let prefix = match fields.text("prefix")? {
        None => String::new(),
        Some(text) if text.trim().is_empty() => String::new(),
        Some(text) => Name::new(&text).map_err(|e| Error::from(e).at_field("prefix"))?.as_str().to_owned(),
    };
    fields.finish()?;
    let last = paging.cursor.as_ref().and_then(|cursor| cursor.last.as_ref());
    let after = last.and_then(|(kind, name)| {
        let kind = EntityType::parse(kind).ok()?.0;
        Some(EntityId { kind, name: Name::new(name).ok()? })
    });
    let read = graph.entities(kind, &prefix, after.as_ref(), paging.limit, options).await?;
    let mut extra = Map::new();
    if let (true, Some((entity, _))) = (read.result.more, read.result.entries.last()) {
        let last = Some((entity.kind.as_str().to_owned(), entity.name.as_str().to_owned()));
        extra.insert("next".to_owned(), json!(Cursor { basis: read.basis, offset: 0, last }.print()));
    }
    let entities: Vec<Json> = read
        .result
        .entries
        .iter()
        .map(|(entity, name)| json!({"entity": print::named(entity, name)}))
        .collect();
    Ok(answered(&read, json!({"entities": entities}), extra))
}

pub(super) async fn uncertainties(
    graph: &Graph,
    mut fields: Fields,
    options: &ReadOptions,
    paging: &Paging,
) -> Result<Json, Error> {
    let status = fields.word(
        "status",
        |word| match word {
            "open" => Some(Some(true)),
            "closed" => Some(Some(false)),
            "all" => Some(None),
            _ => None,
        },
        &["open", "closed", "all"],
    )?;
    fields.finish()?;
    let mut read = graph.uncertainties(status.unwrap_or(Some(true)), options).await?;
    let mut extra = Map::new();
    let list = paging.part(std::mem::take(&mut read.result), &read.basis, &mut extra);
    let about = list.iter().flat_map(|(doubt, _): &(Arc<Uncertainty>, _)| {
        std::iter::once(doubt.subject.clone()).chain(doubt.candidates.iter().cloned())
    });
    let names = names_of(graph, about).await?;
    let list: Vec<Json> = list
        .iter()
        .map(|(doubt, sides)| print::uncertainty(doubt, sides, read.at.known_at, &names))
        .collect();
    Ok(answered(&read, json!({"uncertainties": list}), extra))
}

pub(super) async fn fsck(graph: &Graph, mut fields: Fields) -> Result<Json, Error> {
    let repair = fields.flag("repair")?;
    fields.finish()?;
    let (checked, findings) = graph.check(repair).await?;
    let checked: Map<String, Json> =
        checked.into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect();
    let findings: Vec<Json> = findings
        .iter()
        .map(|f| json!({"check": f.check, "where": f.place, "says": f.says, "repaired": f.repaired}))
        .collect();
    let mut fields = Map::new();
    fields.insert("result".to_owned(), json!({"checked": checked, "findings": findings}));
    Ok(print::ok(fields))
}

pub(super) async fn duplicates(graph: &Graph, mut fields: Fields) -> Result<Json, Error> {
    let floor = fields.float("floor")?.unwrap_or(crate::maintenance::FLOOR);
    fields.finish()?;
    if !(0.5..=1.0).contains(&floor) {
        return Err(
            Error::invalid("floor_range", format!("floor {floor} is not from 0.5 to 1")).at_field("floor")
        );
    }
    let pairs: Vec<Json> = graph
        .duplicates(floor)
        .await?
        .iter()
        .map(|(a, b, pair, shared)| {
            let shared: Vec<&str> = shared.iter().map(|key| &**key).collect();
            json!({
                "a": print::named(&a.entity, &a.display),
                "b": print::named(&b.entity, &b.display),
                "score": pair.score,
                "why": pair.why.as_str(),
                "shared": shared,
                "act": {"op": "relate", "subject": print::named(&a.entity, &a.display), "label": "same_as", "object": print::named(&b.entity, &b.display)},
            })
        })
        .collect();
    let mut fields = Map::new();
    fields.insert("result".to_owned(), json!({"pairs": pairs}));
    Ok(print::ok(fields))
}

pub(super) fn rules(graph: &Graph, op: &str, fields: Fields) -> Result<Json, Error> {
    fields.finish()?;
    let rules = graph.rules();
    let result = if op == "policy" {
        let declared: Vec<Json> = rules.policies.patches().map(parse::patch_json).collect();
        let root = parse::policy_json("/", &rules.policies.effective("/"));
        json!({"version": rules.version, "policy": root, "declared": declared})
    } else {
        let declared: Vec<Json> = rules.slots.iter().map(parse::slot_json).collect();
        json!({"version": rules.version, "slots": declared})
    };
    let mut fields = Map::new();
    fields.insert("result".to_owned(), result);
    Ok(print::ok(fields))
}
