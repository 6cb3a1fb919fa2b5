//! Requests that read.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use super::cursor::Cursor;
use super::fields::{Fields, missing, within, wrong};
use super::list::{duplicates, entities, fsck, rules, uncertainties};
use super::print::{self, Names};
use super::write::what;
use crate::error::Error;
use crate::identity::EntityId;
use crate::query::{Because, Condition, Direction, Sight, Walk};
use crate::time::{Period, Timestamp};
use crate::{Basis, Graph, Read, ReadOptions};

/// The operations that read.
pub(super) const OPERATIONS: [&str; 19] = [
    "get",
    "profile",
    "timeline",
    "history",
    "holders",
    "neighbours",
    "path",
    "diff",
    "explain",
    "entities",
    "uncertainties",
    "pending",
    "tx",
    "stats",
    "fsck",
    "review",
    "policy",
    "slots",
    "duplicates",
];

/// How many entries a list has where no limit is named, and at the most.
const LIMIT: usize = 10_000;
const MOST: usize = 100_000;
/// How deep a walk may go.
const DEPTH: u64 = 5;

/// Which part of a list is asked for.
pub(super) struct Paging {
    pub(super) limit: usize,
    pub(super) cursor: Option<Cursor>,
}

impl Paging {
    /// Returns the part of a list that is asked for, and says where it goes on.
    pub(super) fn part<T>(&self, list: Vec<T>, read: &Basis, extra: &mut Map<String, Json>) -> Vec<T> {
        let offset = self.cursor.as_ref().map_or(0, |cursor| cursor.offset);
        let total = list.len();
        let part: Vec<T> = list.into_iter().skip(offset).take(self.limit).collect();
        if offset + part.len() < total {
            let next = Cursor { basis: *read, offset: offset + part.len(), last: None };
            extra.insert("next".to_owned(), json!(next.print()));
        }
        extra.insert("total".to_owned(), json!(total));
        part
    }
}

fn options(fields: &mut Fields) -> Result<(ReadOptions, Paging), Error> {
    let limit = match fields.count("limit")? {
        Some(0) => return Err(Error::invalid("limit_invalid", "limit 0 is below 1").at_field("limit")),
        Some(limit) => usize::try_from(limit).unwrap_or(MOST).min(MOST),
        None => LIMIT,
    };
    let cursor = fields.text("cursor")?.map(|text| Cursor::parse(&text)).transpose()?;
    let basis = match fields.take("basis")? {
        None => cursor.as_ref().map(|cursor| cursor.basis),
        Some(given) => Some(basis(given).map_err(within("basis"))?),
    };
    let options = ReadOptions {
        valid_at: fields.instant("valid_at")?,
        known_at: fields.instant("known_at")?,
        scope: fields.scope("scope")?,
        include_forgotten: fields.flag("include_forgotten")?,
        basis,
        timeout: fields.count("timeout_ms")?.map(Duration::from_millis),
    };
    Ok((options, Paging { limit, cursor }))
}

fn basis(given: Json) -> Result<Basis, Error> {
    let mut fields = Fields::new(given, "basis")?;
    let tx = fields.count("tx")?.ok_or_else(|| missing("basis.tx"))?;
    let known_at = fields.instant("known_at")?.ok_or_else(|| missing("basis.known_at"))?;
    let valid_at = fields.instant("valid_at")?.ok_or_else(|| missing("basis.valid_at"))?;
    fields.finish()?;
    Ok(Basis { tx, known_at, valid_at })
}

/// Prints the answer to a read.
pub(super) fn answered<T>(read: &Read<T>, result: Json, extra: Map<String, Json>) -> Json {
    let mut fields = Map::new();
    fields.insert("basis".to_owned(), print::basis(&read.basis));
    fields.insert("result".to_owned(), result);
    fields.extend(extra);
    print::ok(fields)
}

/// Answers a request that reads.
pub(super) async fn read(graph: &Graph, op: &str, mut fields: Fields) -> Result<Json, Error> {
    match op {
        "fsck" => return fsck(graph, fields).await,
        "duplicates" => return duplicates(graph, fields).await,
        "policy" | "slots" => return rules(graph, op, fields),
        _ => {}
    }
    let (options, paging) = options(&mut fields)?;
    let extra = Map::new();
    match op {
        "get" => get(graph, fields, &options).await,
        "profile" => profile(graph, fields, &options, &paging).await,
        "timeline" => {
            let subject = fields.need_reference("subject")?;
            let what = what(graph, &mut fields, true).await?.ok_or_else(|| missing("key"))?;
            let from = fields.start("from")?.unwrap_or(Timestamp::BEGINNING);
            let until = fields.end("until")?.unwrap_or(Timestamp::OPEN);
            let window = Period::new(from, until).map_err(|e| Error::from(e).at_field("until"))?;
            fields.finish()?;
            let mut read = graph.timeline(&subject, &what, window, &options).await?;
            let mut extra = extra;
            let segments = paging.part(std::mem::take(&mut read.result), &read.basis, &mut extra);
            let segments: Vec<Json> = segments.iter().map(print::segment).collect();
            Ok(answered(&read, json!({"segments": segments}), extra))
        }
        "history" => {
            let subject = fields.need_reference("subject")?;
            let what = what(graph, &mut fields, true).await?.ok_or_else(|| missing("key"))?;
            fields.finish()?;
            let mut read = graph.history(&subject, &what, &options).await?;
            let mut extra = extra;
            let entries = paging.part(std::mem::take(&mut read.result), &read.basis, &mut extra);
            let names = Names::new(std::mem::take(&mut read.names));
            let entries: Vec<Json> =
                entries.iter().map(|e| print::entry(e, read.at.known_at, &names)).collect();
            Ok(answered(&read, json!({"entries": entries}), extra))
        }
        "holders" => holders(graph, fields, &options, &paging).await,
        "neighbours" => neighbours(graph, fields, &options, &paging).await,
        "path" => path(graph, fields, &options).await,
        "diff" => diff(graph, fields, &options, &paging).await,
        "explain" => explain(graph, fields, &options).await,
        "entities" => entities(graph, fields, &options, &paging).await,
        "uncertainties" => uncertainties(graph, fields, &options, &paging).await,
        "pending" => {
            fields.finish()?;
            let mut read = graph.pending(&options).await?;
            let mut extra = extra;
            let waiting = paging.part(std::mem::take(&mut read.result), &read.basis, &mut extra);
            let names = names_of(graph, waiting.iter().map(|fact| fact.subject.clone())).await?;
            let waiting: Vec<Json> =
                waiting.iter().map(|f| print::pending(f, read.at.known_at, &names)).collect();
            Ok(answered(&read, json!({"pending": waiting}), extra))
        }
        "tx" => {
            let id = fields.count("id")?.ok_or_else(|| missing("id"))?;
            fields.finish()?;
            let read = graph.turn(id, &options).await?;
            let (turn, outcomes) = &read.result;
            let names = names_of(graph, outcomes.iter().map(|outcome| outcome.subject.clone())).await?;
            let printed = print::turn(turn, outcomes, &names);
            Ok(answered(&read, printed, extra))
        }
        "stats" => {
            fields.finish()?;
            let read = graph.statistics(&options).await?;
            let counts: Map<String, Json> =
                read.result.counts.iter().map(|(name, count)| ((*name).to_owned(), json!(count))).collect();
            Ok(answered(&read, Json::Object(counts), extra))
        }
        "review" => {
            let id = fields.need_text("id")?;
            fields.finish()?;
            let unknown = || {
                Error::new(crate::ErrorKind::NotFound, "id_unknown", format!("there is no decision {id}"))
                    .at_field("id")
            };
            let tx = id.strip_prefix('D').and_then(|tx| u64::from_str(tx).ok()).ok_or_else(unknown)?;
            let read = graph.review(tx, &options).await?;
            let facts: Vec<Json> = read
                .result
                .iter()
                .map(|reviewed| {
                    let mut fields = Map::new();
                    fields.insert("fact".to_owned(), json!(reviewed.fact.to_string()));
                    fields.insert("now".to_owned(), json!(reviewed.fate.as_str()));
                    if let Some(by) = reviewed.by {
                        fields.insert("by".to_owned(), json!(by.to_string()));
                    }
                    Json::Object(fields)
                })
                .collect();
            Ok(answered(&read, json!({"facts": facts}), extra))
        }
        other => Err(super::dispatch::unknown(other)),
    }
}

/// Looks up the names of entities, warm ones without an engine call.
pub(super) async fn names_of(
    graph: &Graph,
    entities: impl Iterator<Item = EntityId>,
) -> Result<Names, Error> {
    let mut names = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for entity in entities {
        if seen.insert(entity.clone()) {
            let name = graph.display(&entity).await?;
            names.push((entity, name));
        }
    }
    Ok(Names::new(names))
}

async fn get(graph: &Graph, mut fields: Fields, options: &ReadOptions) -> Result<Json, Error> {
    let subject = fields.need_reference("subject")?;
    let what = what(graph, &mut fields, true).await?.ok_or_else(|| missing("key"))?;
    fields.finish()?;
    let mut read = graph.get(&subject, &what, options).await?;
    let names = Names::new(std::mem::take(&mut read.names));
    let got = &read.result;
    let show = |sights: &[Sight]| -> Vec<Json> {
        sights.iter().map(|sight| print::sight(sight, read.at.known_at, &names)).collect()
    };
    let mut result = Map::new();
    if got.is_list {
        result.insert("values".to_owned(), Json::Array(show(&got.current)));
    } else {
        let current = got.current.first();
        let value =
            current.map_or(Json::Null, |sight| print::content(&crate::query::Content::of(&sight.fact.claim)));
        result.insert("value".to_owned(), value);
        let fact = current.map_or(Json::Null, |sight| print::sight(sight, read.at.known_at, &names));
        result.insert("fact".to_owned(), fact);
    }
    if !got.others.is_empty() {
        let name = if got.because == Some(Because::SeveralScopes) { "facts" } else { "others" };
        result.insert(name.to_owned(), Json::Array(show(&got.others)));
    }
    result.insert("contested".to_owned(), Json::Array(show(&got.contested)));
    result.insert("because".to_owned(), got.because.map_or(Json::Null, |because| json!(because.as_str())));
    Ok(answered(&read, Json::Object(result), Map::new()))
}

async fn profile(
    graph: &Graph,
    mut fields: Fields,
    options: &ReadOptions,
    paging: &Paging,
) -> Result<Json, Error> {
    let subject = fields.need_reference("subject")?;
    fields.finish()?;
    let mut read = graph.profile(&subject, options).await?;
    let (entity, profile) = std::mem::take(&mut read.result);
    let names = Names::new(std::mem::take(&mut read.names));
    let known_at = read.at.known_at;
    let shown = match (&entity, &profile.display) {
        (Some(entity), Some(name)) => print::named(entity, name),
        (Some(entity), None) => print::named(entity, &subject.written),
        (None, _) => json!({"name": &*subject.written}),
    };
    let sides = if profile.uncertainties.is_empty() {
        Vec::new()
    } else {
        graph
            .sides(&profile.uncertainties, &ReadOptions { basis: Some(read.basis), ..options.clone() })
            .await?
    };
    // The lists follow one upon the other, so that a limit cuts across them.
    let mut list: Vec<(&str, Json)> = Vec::new();
    for (name, sights) in [
        ("attributes", &profile.attributes),
        ("relations", &profile.relations),
        ("notes", &profile.notes),
        ("events", &profile.events),
        ("contested", &profile.contested),
    ] {
        list.extend(sights.iter().map(|sight| {
            let mut printed = print::sight(sight, known_at, &names);
            if let (Json::Object(fields), true) = (&mut printed, profile.shadowed.contains(&sight.fact.id)) {
                fields.insert("effective".to_owned(), Json::Bool(false));
            }
            (name, printed)
        }));
    }
    list.extend(
        sides
            .iter()
            .map(|(doubt, sides)| ("uncertainties", print::uncertainty(doubt, sides, known_at, &names))),
    );
    let mut extra = Map::new();
    let mut result = Map::new();
    result.insert("entity".to_owned(), shown);
    for name in ["attributes", "relations", "notes", "events", "contested", "uncertainties"] {
        result.insert(name.to_owned(), Json::Array(Vec::new()));
    }
    for (name, printed) in paging.part(list, &read.basis, &mut extra) {
        if let Some(Json::Array(items)) = result.get_mut(name) {
            items.push(printed);
        }
    }
    Ok(answered(&read, Json::Object(result), extra))
}

async fn holders(
    graph: &Graph,
    mut fields: Fields,
    options: &ReadOptions,
    paging: &Paging,
) -> Result<Json, Error> {
    let Json::Array(given) = fields.need("where")? else {
        return Err(Error::invalid("value_invalid", "where is no list of conditions").at_field("where"));
    };
    fields.finish()?;
    if given.is_empty() {
        return Err(Error::invalid("value_empty", "where names no condition").at_field("where"));
    }
    let mut conditions = Vec::new();
    for condition in given {
        let mut fields = Fields::new(condition, "where").map_err(within("where"))?;
        let key = fields.need_key("key")?;
        let value = super::fields::value(fields.need("value")?, "value")?;
        fields.finish()?;
        conditions.push(Condition { key, value });
    }
    let mut read = graph.holders(&conditions, options).await?;
    let mut extra = Map::new();
    let subjects = paging.part(std::mem::take(&mut read.result), &read.basis, &mut extra);
    let subjects: Vec<Json> = subjects.iter().map(|(entity, name)| print::named(entity, name)).collect();
    Ok(answered(&read, json!({"subjects": subjects}), extra))
}

fn walk(fields: &mut Fields, depth: &str, direction: Direction) -> Result<Walk, Error> {
    let labels = match fields.take("labels")? {
        None => None,
        Some(Json::Array(labels)) => Some(
            labels
                .iter()
                .map(|label| {
                    let Json::String(text) = label else {
                        return Err(wrong("labels", label, "a label"));
                    };
                    crate::identity::key(text)
                        .map_err(|e| Error::invalid(e.code(), format!("labels: {e}")).at_field("labels"))
                })
                .collect::<Result<Vec<Arc<str>>, _>>()?,
        ),
        Some(_) => {
            return Err(Error::invalid("value_invalid", "labels is no list of labels").at_field("labels"));
        }
    };
    let far = fields.count(depth)?.unwrap_or(if depth == "depth" { 1 } else { DEPTH });
    if far == 0 || far > DEPTH {
        return Err(
            Error::invalid("depth_range", format!("{depth} {far} is not from 1 to {DEPTH}")).at_field(depth)
        );
    }
    Ok(Walk { depth: u32::try_from(far).unwrap_or(1), direction, labels, scope: None, deadline: None })
}

async fn neighbours(
    graph: &Graph,
    mut fields: Fields,
    options: &ReadOptions,
    paging: &Paging,
) -> Result<Json, Error> {
    let subject = fields.need_reference("subject")?;
    let direction =
        fields.word("direction", Direction::parse, &["out", "in", "both"])?.unwrap_or(Direction::Both);
    let walk = walk(&mut fields, "depth", direction)?;
    fields.finish()?;
    let mut read = graph.neighbours(&subject, &walk, options).await?;
    let names = Names::new(std::mem::take(&mut read.names));
    let found = std::mem::take(&mut read.result);
    let mut extra = Map::new();
    if found.partial {
        extra.insert("partial".to_owned(), Json::Bool(true));
    }
    let edges = found.edges.iter().map(|sight| (true, print::sight(sight, read.at.known_at, &names)));
    let entities = found.entities.iter().map(|(entity, name, distance)| {
        let name = name.as_deref().unwrap_or(entity.name.as_str());
        (false, json!({"entity": print::named(entity, name), "distance": distance}))
    });
    let (edges, entities): (Vec<_>, Vec<_>) = paging
        .part(edges.chain(entities).collect(), &read.basis, &mut extra)
        .into_iter()
        .partition(|(is_edge, _)| *is_edge);
    let printed =
        |list: Vec<(bool, Json)>| -> Vec<Json> { list.into_iter().map(|(_, printed)| printed).collect() };
    Ok(answered(&read, json!({"edges": printed(edges), "entities": printed(entities)}), extra))
}

async fn path(graph: &Graph, mut fields: Fields, options: &ReadOptions) -> Result<Json, Error> {
    let (from, to) = (fields.need_reference("from")?, fields.need_reference("to")?);
    let walk = walk(&mut fields, "max_depth", Direction::Out)?;
    fields.finish()?;
    let mut read = graph.path(&from, &to, &walk, options).await?;
    let names = Names::new(std::mem::take(&mut read.names));
    let (route, partial) = std::mem::take(&mut read.result);
    let mut extra = Map::new();
    if partial {
        extra.insert("partial".to_owned(), Json::Bool(true));
    }
    let result = match route {
        None => json!({"path": null}),
        Some(route) => {
            let edges: Vec<Json> =
                route.edges.iter().map(|sight| print::sight(sight, read.at.known_at, &names)).collect();
            json!({
                "path": edges,
                "valid_from": print::instant(route.valid.from()),
                "valid_until": print::instant(route.valid.until()),
            })
        }
    };
    Ok(answered(&read, result, extra))
}

async fn diff(
    graph: &Graph,
    mut fields: Fields,
    options: &ReadOptions,
    paging: &Paging,
) -> Result<Json, Error> {
    let subject = fields.reference("subject")?;
    let what = what(graph, &mut fields, false).await?;
    let known_a = fields.instant("known_a")?.ok_or_else(|| missing("known_a"))?;
    let known_b = fields.instant("known_b")?.ok_or_else(|| missing("known_b"))?;
    fields.finish()?;
    if known_a > known_b {
        let message = format!("known_a {known_a} is after known_b {known_b}");
        return Err(Error::invalid("period_inverted", message).at_field("known_b"));
    }
    let mut read = graph.diff(subject.as_ref(), what.as_ref(), (known_a, known_b), options).await?;
    let mut extra = Map::new();
    let changes = paging.part(std::mem::take(&mut read.result), &read.basis, &mut extra);
    let names = names_of(graph, changes.iter().map(|change| change.subject.clone())).await?;
    let changes: Vec<Json> = changes.iter().map(|change| print::change(change, &names)).collect();
    Ok(answered(&read, json!({"changes": changes}), extra))
}

async fn explain(graph: &Graph, mut fields: Fields, options: &ReadOptions) -> Result<Json, Error> {
    let id = fields.fact_id("fact")?.ok_or_else(|| missing("fact"))?;
    fields.finish()?;
    let mut read = graph.explain(id, options).await?;
    let names = Names::new(std::mem::take(&mut read.names));
    let known_at = read.at.known_at;
    let explained = &read.result;
    let sides = graph.sides(&explained.uncertainties, options).await?;
    let evidence: Vec<Json> = explained
        .entry
        .fact
        .evidence
        .iter()
        .filter(|e| e.known_from <= known_at)
        .map(print::evidence)
        .collect();
    let chain: Vec<Json> =
        explained.chain.iter().map(|entry| print::entry(entry, known_at, &names)).collect();
    let doubts: Vec<Json> =
        sides.iter().map(|(doubt, sides)| print::uncertainty(doubt, sides, known_at, &names)).collect();
    let mut turn = print::turn(&explained.turn, &[], &names);
    if let Json::Object(fields) = &mut turn {
        fields.remove("outcomes");
    }
    let result = json!({
        "fact": print::entry(&explained.entry, known_at, &names),
        "evidence": evidence,
        "chain": chain,
        "decision": {"turn": turn, "outcome": print::outcome_row(&explained.outcome, &names)},
        "uncertainties": doubts,
    });
    Ok(answered(&read, result, Map::new()))
}
