//! `hitherto duplicates`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::items;

/// List entities that may be one and the same; merges nothing
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Duplicates {
    /// How alike two names are at least, from 0.5 to 1 [default: 0.95]
    #[arg(long, value_name = "X")]
    floor: Option<f64>,
}

impl Request for Duplicates {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(Body::new("duplicates").maybe("floor", self.floor.as_ref()).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let mut table = Table::new(["one", "other", "score", "why", "shared"]);
        for pair in items(&answer["result"]["pairs"]) {
            table.row([
                cell::entity(&pair["a"]),
                cell::entity(&pair["b"]),
                cell::score(&pair["score"]),
                cell::plain(&pair["why"]),
                cell::list(&pair["shared"]),
            ]);
        }
        if table.is_empty() {
            page.line("no two entities look like one");
        } else {
            page.table(&table);
        }
    }
}
