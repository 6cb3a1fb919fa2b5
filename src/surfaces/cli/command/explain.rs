//! `hitherto explain`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Coordinates;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{chain, doubts, footer, items, one};

/// Show where a fact comes from and what became of it
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Explain {
    /// The id of a fact
    fact: String,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Explain {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(self.coordinates.add(Body::new("explain").with("fact", self.fact.as_str())).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let result = &answer["result"];
        page.table(&one(&result["fact"]));
        page.section("Evidence", &evidence(&result["evidence"]));
        page.section("What it replaced and what replaced it", &chain(&result["chain"]));
        page.section("The decision that made it", &decision(&result["decision"]));
        page.section("Uncertainties", &doubts(&result["uncertainties"]));
        footer(answer, page);
    }
}

fn evidence(list: &Json) -> Table {
    let mut table = Table::new([
        "known from",
        "source",
        "observed at",
        "session",
        "span",
        "conf.",
        "actor",
        "derived from",
        "raw",
    ]);
    for held in items(list) {
        table.row([
            cell::plain(&held["known_from"]),
            cell::source(held),
            cell::plain(&held["observed_at"]),
            cell::plain(&held["session"]),
            cell::list(&held["span"]),
            cell::plain(&held["confidence"]),
            cell::plain(&held["actor"]),
            cell::list(&held["derived_from"]),
            cell::plain(&held["raw"]),
        ]);
    }
    table
}

fn decision(decision: &Json) -> Table {
    let (turn, outcome) = (&decision["turn"], &decision["outcome"]);
    let mut table = Table::pairs();
    table.pair("action", cell::plain(&outcome["action"]));
    table.pair("reason", cell::plain(&outcome["reason"]));
    table.pair("policy", cell::plain(&outcome["policy"]));
    table.pair("transaction", cell::plain(&turn["tx"]));
    table.pair("known at", cell::plain(&turn["known_at"]));
    if turn["imported"] == true {
        table.pair("imported at", cell::plain(&turn["committed_at"]));
    }
    table.pair("actor", cell::plain(&turn["actor"]));
    table.pair("message", cell::plain(&turn["message"]));
    table
}
