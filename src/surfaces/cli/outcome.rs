//! What a write did.

use serde_json::Value as Json;

use super::cell;
use super::hint;
use super::page::Page;
use super::sight::{items, outcomes};

/// Shows the answer to a write.
pub(super) fn show(answer: &Json, page: &mut Page) {
    if gone(answer, page) {
        return;
    }
    let list = &answer["outcomes"];
    page.table(&outcomes(list));
    page.gap();
    stamp(answer, page);
    for outcome in items(list) {
        if let Some(hint) = outcome["type_given"].as_str().and_then(hint::of_type) {
            page.line(hint);
        }
    }
    if items(list).iter().any(|outcome| outcome["uncertainty"].is_string()) {
        page.line("two claims clash: `hitherto uncertainties` shows both sides");
    } else if items(list).iter().any(|outcome| outcome["reason"] == "confirmation") {
        page.line("it waits for a person: `hitherto pending`, then `hitherto confirm` or `reject`");
    }
}

/// Says that what a key answered is kept no more; whether it is so.
pub(super) fn gone(answer: &Json, page: &mut Page) -> bool {
    let is_gone = answer["purged"] == true;
    if is_gone {
        page.line("this was done before under the same key; what it answered has been purged since");
    }
    is_gone
}

/// Says which transaction was written, if any.
pub(super) fn stamp(answer: &Json, page: &mut Page) {
    let known_at = cell::plain(&answer["known_at"]);
    if answer["dry_run"] == true {
        page.line("dry run: nothing was stored");
    } else if answer["already"] == true {
        page.line("decided so before: nothing was written");
    } else if answer["tx"].is_u64() {
        page.line(format!("transaction {}, known from {known_at}", cell::plain(&answer["tx"])));
    } else {
        page.line("nothing changed, no transaction was written");
    }
}

/// Shows the answer to a declaration.
pub(super) fn declaration(answer: &Json, page: &mut Page) {
    if gone(answer, page) {
        return;
    }
    if answer["tx"].is_null() && answer["known_at"].is_null() {
        // Before the first turn it uses up no transaction.
        page.line("declared: in force from the beginning, as nothing was said before it");
    } else {
        stamp(answer, page);
    }
}

/// Says which transaction declared what is in force.
pub(super) fn declared(result: &Json) -> String {
    match result["version"].as_u64() {
        None | Some(0) if ["declared", "slots"].iter().all(|list| items(&result[*list]).is_empty()) => {
            "these are the defaults: nothing was declared".to_owned()
        }
        None | Some(0) => "in force from the beginning".to_owned(),
        Some(version) => format!("declared in transaction {version}"),
    }
}
