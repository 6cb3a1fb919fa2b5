//! Facts, outcomes and doubts as tables, and the line on what an answer rests.

use serde_json::Value as Json;

use super::cell;
use super::page::{ABSENT, Page, Table};
use crate::query::Because;

const NOTHING: &Vec<Json> = &Vec::new();

/// Returns the items of a list; none where it is absent.
pub(super) fn items(list: &Json) -> &Vec<Json> {
    list.as_array().unwrap_or(NOTHING)
}

/// Returns facts as a table: what they say, when it holds, who says so.
pub(super) fn facts(list: &Json) -> Table {
    let mut table =
        Table::new(["key", "value", "from", "until", "scope", "conf.", "evidence", "source", "mark", "fact"])
            .dull("until", "open")
            .dull("scope", "/")
            .dull("conf.", "1.0")
            .dull("evidence", "1");
    for fact in items(list) {
        table.row([
            cell::key(fact),
            cell::content(fact),
            cell::from(&fact["valid_from"]),
            cell::until(&fact["valid_until"]),
            cell::plain(&fact["scope"]),
            cell::plain(&fact["confidence"]),
            cell::plain(&fact["evidence"]),
            cell::source(&fact["source"]),
            cell::mark(fact),
            cell::plain(&fact["fact"]),
        ]);
    }
    table
}

/// Returns relations as a table, with both ends.
pub(super) fn edges(list: &Json) -> Table {
    let mut table = Table::new(["subject", "label", "object", "from", "until", "scope", "mark", "fact"])
        .dull("until", "open")
        .dull("scope", "/");
    for fact in items(list) {
        table.row([
            cell::entity(&fact["subject"]),
            cell::key(fact),
            cell::content(fact),
            cell::from(&fact["valid_from"]),
            cell::until(&fact["valid_until"]),
            cell::plain(&fact["scope"]),
            cell::mark(fact),
            cell::plain(&fact["fact"]),
        ]);
    }
    table
}

/// Returns the entries of a history as a table.
pub(super) fn chain(list: &Json) -> Table {
    let mut table = Table::new([
        "known from",
        "action",
        "value",
        "from",
        "until",
        "status",
        "known until",
        "replaces",
        "replaced by",
        "scope",
        "source",
        "mark",
        "fact",
    ])
    .dull("scope", "/");
    for fact in items(list) {
        table.row([
            cell::plain(&fact["known_from"]),
            cell::plain(&fact["action"]),
            cell::content(fact),
            cell::from(&fact["valid_from"]),
            cell::until(&fact["valid_until"]),
            cell::plain(&fact["status"]),
            cell::plain(&fact["known_until"]),
            cell::list(&fact["supersedes"]),
            cell::list(&fact["superseded_by"]),
            cell::plain(&fact["scope"]),
            cell::source(&fact["source"]),
            cell::mark(fact),
            cell::plain(&fact["fact"]),
        ]);
    }
    table
}

/// Returns one fact as a table of its parts.
pub(super) fn one(fact: &Json) -> Table {
    let mut table = Table::pairs();
    table.pair("subject", cell::entity(&fact["subject"]));
    table.pair(if fact["label"].is_string() { "label" } else { "key" }, cell::key(fact));
    table.pair("value", cell::content(fact));
    table.pair("holds from", cell::period(fact));
    if fact["claimed"].is_object() {
        table.pair("claimed from", cell::period(&fact["claimed"]));
    }
    let mut known = cell::plain(&fact["known_from"]);
    if fact["known_until"].is_string() {
        known = format!("{known} until {}", cell::plain(&fact["known_until"]));
    }
    table.pair("known from", known);
    if fact["scope"] != "/" {
        table.pair("scope", cell::plain(&fact["scope"]));
    }
    table.pair("source", cell::source(&fact["source"]));
    table.pair("pillar", cell::plain(&fact["pillar"]));
    table.pair("confidence", cell::plain(&fact["confidence"]));
    table.pair("evidence", cell::plain(&fact["evidence"]));
    table.pair("status", cell::plain(&fact["status"]));
    table.pair("mark", cell::mark(fact));
    table.pair("metadata", cell::value(&fact["metadata"]));
    table.pair("fact", cell::plain(&fact["fact"]));
    table
}

/// Returns doubts as a table, one row a side.
pub(super) fn doubts(list: &Json) -> Table {
    let mut table = Table::new([
        "uncertainty",
        "reason",
        "about",
        "key",
        "scope",
        "side",
        "pillar",
        "evidence",
        "fact",
        "opened",
        "closed",
        "by",
        "resolution",
    ])
    .dull("scope", "/");
    for doubt in items(list) {
        let about = &doubt["about"];
        let mut sides: Vec<[String; 4]> = items(&doubt["sides"])
            .iter()
            .map(|side| {
                [
                    cell::value(&side["value"]),
                    cell::plain(&side["pillar"]),
                    cell::plain(&side["evidence"]),
                    cell::plain(&side["fact"]),
                ]
            })
            .collect();
        sides.extend(
            items(&doubt["candidates"]).iter().map(|entity| {
                [cell::entity(entity), ABSENT.to_owned(), ABSENT.to_owned(), ABSENT.to_owned()]
            }),
        );
        if sides.is_empty() {
            sides.push(std::array::from_fn(|_| ABSENT.to_owned()));
        }
        for (place, [value, pillar, evidence, fact]) in sides.into_iter().enumerate() {
            // What holds for all sides is said beside the first.
            let once = |text: String| if place == 0 { text } else { String::new() };
            table.row([
                once(cell::plain(&doubt["uncertainty"])),
                once(cell::plain(&doubt["reason"])),
                once(cell::entity(&about["subject"])),
                once(cell::plain(&about["key"])),
                once(cell::plain(&about["scope"])),
                value,
                pillar,
                evidence,
                fact,
                once(cell::plain(&doubt["opened_at"])),
                once(cell::plain(&doubt["closed_at"])),
                once(cell::plain(&doubt["closed_by"])),
                once(cell::plain(&doubt["resolution"])),
            ]);
        }
    }
    table
}

/// Returns outcomes as a table.
pub(super) fn outcomes(list: &Json) -> Table {
    let mut table =
        Table::new(["action", "reason", "entity", "value", "status", "fact", "replaces", "uncertainty"]);
    for outcome in items(list) {
        table.row([
            cell::plain(&outcome["action"]),
            cell::plain(&outcome["reason"]),
            cell::entity(&outcome["entity"]),
            cell::value(&outcome["value"]),
            cell::plain(&outcome["status"]),
            cell::plain(&outcome["fact"]),
            cell::list(&outcome["superseded"]),
            cell::plain(&outcome["uncertainty"]),
        ]);
    }
    table
}

/// Adds the lines that every read ends with: what the answer rests on, and
/// how to see the rest of it.
pub(super) fn footer(answer: &Json, page: &mut Page) {
    let basis = &answer["basis"];
    page.gap();
    page.line(format!(
        "as of valid {}, known {}, transaction {}",
        cell::plain(&basis["valid_at"]),
        cell::plain(&basis["known_at"]),
        cell::plain(&basis["tx"]),
    ));
    if answer["partial"] == true {
        page.line("time ran out: this is a part of the answer");
    }
    if let Some(cursor) = answer["next"].as_str() {
        page.line(format!("there is more: --cursor {cursor}"));
    }
}

/// Returns why an answer is empty, as a sentence.
pub(super) fn because(word: &Json) -> String {
    let Some(because) = word.as_str().and_then(Because::parse) else { return cell::plain(word) };
    let says = match because {
        Because::OutOfScope => "it is held only in scopes that this read leaves out",
        Because::NotYetKnown => "nothing was known of it at that known time; something was recorded later",
        Because::Contested => "only contested claims, none of which is current",
        Because::Forgotten => "what held then was forgotten",
        Because::Retracted => "it was retracted",
        Because::Ended => "what held has ended",
        Because::NotYetValid => "it begins to hold later",
        Because::NeverRecorded => "nothing of the kind was ever recorded",
        Because::SeveralScopes => "several scopes hold the key; name one with --scope",
    };
    format!("{says} ({})", because.as_str())
}
