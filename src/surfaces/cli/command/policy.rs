//! `hitherto policy`.

use clap::Args;
use serde_json::{Map, Value as Json};

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Writing;
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::items;
use crate::surfaces::cli::value::json_argument;

/// Show the policy in force, or change it
///
/// Without an option it is shown. What is not named keeps its value; a change
/// counts from its transaction on.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Policy {
    /// The least confidence that may replace something, from 0 to 1
    #[arg(long, value_name = "X")]
    confidence_floor: Option<f64>,
    /// Whether the weaker claim may never replace the stronger
    #[arg(long, value_name = "BOOL")]
    not_weaker: Option<bool>,
    /// Who may replace whose claims
    #[arg(long, value_name = "MODE", value_parser = ["recency", "authority", "review"])]
    mode: Option<String>,
    /// The rank of a source, replacing all ranks set before; may be repeated
    #[arg(long, value_name = "SOURCE=N")]
    rank: Vec<String>,
    /// A source that needs no confirmation, replacing all set before; may be repeated
    #[arg(long, value_name = "NAME")]
    trusted_source: Vec<String>,
    /// A label with one object at a time, replacing all set before; may be repeated
    #[arg(long, value_name = "LABEL")]
    functional_label: Vec<String>,
    /// The scope that the change is for [default: /]
    #[arg(long, value_name = "PATH")]
    scope: Option<String>,
    /// The change as JSON; options add to it
    #[arg(long, value_name = "JSON", value_parser = json_argument)]
    set: Option<Json>,
    #[command(flatten)]
    writing: Writing,
}

impl Policy {
    fn ranks(&self) -> Result<Map<String, Json>, Failure> {
        let rank = |text: &String| {
            let (source, rank) = text.rsplit_once('=')?;
            Some((source.to_owned(), Json::from(rank.trim().parse::<i64>().ok()?)))
        };
        self.rank
            .iter()
            .map(|text| {
                rank(text).ok_or_else(|| {
                    Failure::usage(format!("{text:?} is no rank")).hint("a rank is SOURCE=N: crm=2")
                })
            })
            .collect()
    }

    fn change(&self) -> Result<Option<Json>, Failure> {
        let ranks = self.ranks()?;
        let mut body = Body::part()
            .maybe("confidence_floor", self.confidence_floor.as_ref())
            .maybe("not_weaker", self.not_weaker.as_ref())
            .maybe("mode", self.mode.as_ref())
            .list("trusted_sources", &self.trusted_source)
            .list("functional_labels", &self.functional_label)
            .maybe("scope", self.scope.as_ref());
        if !ranks.is_empty() {
            body = body.with("ranks", ranks);
        }
        match (self.set.clone(), body.is_empty()) {
            (None, true) => Ok(None),
            (None, false) => Ok(Some(body.json())),
            (Some(Json::Object(mut given)), _) => {
                if let Json::Object(named) = body.json() {
                    given.extend(named);
                }
                Ok(Some(Json::Object(given)))
            }
            (Some(_), _) => Err(Failure::usage("--set is no JSON object")),
        }
    }
}

impl Request for Policy {
    fn makes_store(&self) -> bool {
        matches!(self.change(), Ok(Some(_)))
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("policy");
        Ok(match self.change()? {
            Some(change) => self.writing.add(body.with("set", change)).json(),
            None => body.json(),
        })
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let result = &answer["result"];
        if !result.is_object() {
            outcome::declaration(answer, page);
            return;
        }
        let mut table = Table::pairs();
        let fields = result["policy"].as_object().into_iter().flatten();
        for (name, value) in fields.filter(|(name, _)| *name != "scope") {
            table.pair(name.replace('_', " "), shown(value));
        }
        page.line("In force at /");
        page.table(&table);
        let mut changes = Table::new(["scope", "change"]);
        for change in items(&result["declared"]) {
            let mut rest = change.clone();
            let scope = rest.as_object_mut().and_then(|fields| fields.remove("scope")).unwrap_or_default();
            changes.row([cell::plain(&scope), cell::value(&rest)]);
        }
        page.section("Declared, by scope", &changes);
        page.gap();
        page.line(outcome::declared(result));
    }
}

fn shown(value: &Json) -> String {
    match value {
        Json::Array(_) => cell::list(value),
        Json::Object(ranks) if ranks.is_empty() => cell::plain(&Json::Null),
        Json::Object(ranks) => {
            let ranks: Vec<String> = ranks
                .iter()
                .map(|(source, rank)| cell::plain(&Json::from(format!("{source}={rank}"))))
                .collect();
            ranks.join(", ")
        }
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        other => cell::plain(other),
    }
}
