//! `hitherto fsck`.

use clap::Args;
use serde_json::Value as Json;

use super::stats::counts;
use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::items;

/// Check everything that is stored
///
/// Ends with 1 when something is wrong and was not repaired.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Fsck {
    /// Rebuild what is derived: the rows of the indexes
    #[arg(long)]
    repair: bool,
}

impl Request for Fsck {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(Body::new("fsck").flag("repair", self.repair).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let result = &answer["result"];
        let mut table = Table::new(["check", "where", "says", "repaired"]);
        for finding in items(&result["findings"]) {
            let repaired = if finding["repaired"] == true { "yes" } else { "no" };
            table.row([
                cell::plain(&finding["check"]),
                cell::plain(&finding["where"]),
                cell::plain(&finding["says"]),
                repaired.to_owned(),
            ]);
        }
        if table.is_empty() {
            page.line("all is well");
        }
        page.section("Findings", &table);
        page.section("Checked", &counts(&result["checked"]));
    }

    fn found_trouble(&self, answer: &Json) -> bool {
        items(&answer["result"]["findings"]).iter().any(|finding| finding["repaired"] != true)
    }
}
