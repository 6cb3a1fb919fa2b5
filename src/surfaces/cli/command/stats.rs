//! `hitherto stats`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::footer;

/// Count what is stored
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Stats {}

impl Request for Stats {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(Body::new("stats").json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        page.table(&counts(&answer["result"]));
        footer(answer, page);
    }
}

/// Returns counts by name as a table.
pub(in crate::surfaces::cli) fn counts(given: &Json) -> Table {
    let mut table = Table::pairs();
    for (name, count) in given.as_object().into_iter().flatten() {
        table.pair(name.replace('_', " "), cell::plain(count));
    }
    table
}
