//! `hitherto tx`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Coordinates;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{footer, outcomes};

/// Show one transaction and what it did
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Tx {
    /// Its number
    id: u64,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Tx {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(self.coordinates.add(Body::new("tx").with("id", self.id)).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let turn = &answer["result"];
        let mut table = Table::pairs();
        table.pair("transaction", cell::plain(&turn["tx"]));
        table.pair("kind", cell::plain(&turn["kind"]));
        table.pair("known at", cell::plain(&turn["known_at"]));
        if turn["imported"] == true {
            table.pair("imported at", cell::plain(&turn["committed_at"]));
        }
        table.pair("actor", cell::plain(&turn["actor"]));
        table.pair("message", cell::plain(&turn["message"]));
        table.pair("report", cell::value(&turn["report"]));
        page.table(&table);
        page.section("Outcomes", &outcomes(&turn["outcomes"]));
        footer(answer, page);
    }
}
