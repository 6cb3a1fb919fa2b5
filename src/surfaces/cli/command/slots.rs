//! `hitherto slots`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::Value as Json;

use crate::policy::PRESETS;
use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Writing;
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::{ABSENT, Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::items;
use crate::surfaces::cli::value::json_argument;

/// List the declared slots, or declare some
///
/// A slot says how the claims on a key compete: one value or a list, with a
/// confirmation or without. Without an option the declared slots are listed.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Slots {
    /// Declare the slots of a preset
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(PRESETS), conflicts_with_all = ["declare", "set"])]
    preset: Option<String>,
    /// Declare one slot of this name
    #[arg(long, value_name = "NAME", conflicts_with = "set")]
    declare: Option<String>,
    /// Another spelling of the slot; may be repeated
    #[arg(long, value_name = "NAME", requires = "declare")]
    alias: Vec<String>,
    /// Whether it is a list
    #[arg(long, value_name = "BOOL", requires = "declare")]
    multi: Option<bool>,
    /// Whether a change waits for a person
    #[arg(long, value_name = "BOOL", requires = "declare")]
    confirm: Option<bool>,
    /// Whether its values are kept word for word
    #[arg(long, value_name = "BOOL", requires = "declare")]
    verbatim: Option<bool>,
    /// A category, for your own use
    #[arg(long, value_name = "WORD", requires = "declare")]
    category: Option<String>,
    /// Whether its claims hold or happened
    #[arg(long, value_name = "KIND", requires = "declare", value_parser = ["state", "event"])]
    kind: Option<String>,
    /// What makes two items of a list the same: all of it, or what comes before a spaced dash or digit
    #[arg(long, value_name = "HOW", requires = "declare", value_parser = ["head", "whole"])]
    identity: Option<String>,
    /// What it is for
    #[arg(long, value_name = "TEXT", requires = "declare")]
    description: Option<String>,
    /// The declarations as a JSON list
    #[arg(long, value_name = "JSON", value_parser = json_argument)]
    set: Option<Json>,
    #[command(flatten)]
    writing: Writing,
}

impl Slots {
    fn set(&self) -> Option<Json> {
        if let Some(preset) = &self.preset {
            return Some(Json::from(format!("preset:{preset}")));
        }
        let Some(name) = &self.declare else { return self.set.clone() };
        let slot = Body::part()
            .with("name", name.as_str())
            .list("aliases", &self.alias)
            .maybe("multi", self.multi.as_ref())
            .maybe("confirm", self.confirm.as_ref())
            .maybe("verbatim", self.verbatim.as_ref())
            .maybe("category", self.category.as_ref())
            .maybe("kind", self.kind.as_ref())
            .maybe("identity", self.identity.as_ref())
            .maybe("description", self.description.as_ref());
        Some(Json::Array(vec![slot.json()]))
    }
}

impl Request for Slots {
    fn makes_store(&self) -> bool {
        self.set().is_some()
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("slots");
        Ok(match self.set() {
            Some(set) => self.writing.add(body.with("set", set)).json(),
            None => body.json(),
        })
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let result = &answer["result"];
        if !result.is_object() {
            outcome::declaration(answer, page);
            return;
        }
        let mut table = Table::new([
            "slot",
            "aliases",
            "list",
            "confirm",
            "verbatim",
            "category",
            "kind",
            "identity",
            "description",
        ])
        .dull("list", "no")
        .dull("confirm", "no")
        .dull("verbatim", "no")
        .dull("identity", "whole");
        for slot in items(&result["slots"]) {
            table.row([
                cell::plain(&slot["name"]),
                cell::list(&slot["aliases"]),
                yes(&slot["multi"]),
                yes(&slot["confirm"]),
                yes(&slot["verbatim"]),
                cell::plain(&slot["category"]),
                cell::plain(&slot["kind"]),
                cell::plain(&slot["identity"]),
                cell::plain(&slot["description"]),
            ]);
        }
        if table.is_empty() {
            page.line(
                "no slots are declared: every key holds one value (presets: hitherto slots --preset NAME)",
            );
        } else {
            page.table(&table);
            page.gap();
            page.line(outcome::declared(result));
        }
    }
}

fn yes(flag: &Json) -> String {
    match flag {
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        _ => ABSENT.to_owned(),
    }
}
