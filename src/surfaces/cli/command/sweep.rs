//! `hitherto sweep`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::{Trial, Writing};
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::items;

/// Resolve placeholders that one entity alone can stand for
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Sweep {
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    trial: Trial,
}

impl Request for Sweep {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(self.trial.add(self.writing.add(Body::new("sweep"))).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        if outcome::gone(answer, page) {
            return;
        }
        let mut resolved = Table::new(["placeholder", "entity", "relations"]);
        for swept in items(&answer["resolved"]) {
            resolved.row([
                cell::entity(&swept["placeholder"]),
                cell::entity(&swept["entity"]),
                cell::plain(&swept["relations"]),
            ]);
        }
        let mut ambiguous = Table::new(["placeholder", "candidates", "uncertainty"]);
        for doubt in items(&answer["ambiguous"]) {
            ambiguous.row([
                cell::entity(&doubt["placeholder"]),
                cell::entities(&doubt["candidates"]),
                cell::plain(&doubt["uncertainty"]),
            ]);
        }
        let mut unresolved = Table::new(["placeholder"]);
        for placeholder in items(&answer["unresolved"]) {
            unresolved.row([cell::entity(placeholder)]);
        }
        let mut near = Table::new(["placeholder", "entity", "score"]);
        for pair in items(&answer["suggestions"]) {
            near.row([
                cell::entity(&pair["placeholder"]),
                cell::entity(&pair["entity"]),
                cell::score(&pair["score"]),
            ]);
        }
        if resolved.is_empty() && ambiguous.is_empty() && unresolved.is_empty() {
            page.line("there are no placeholders");
        }
        page.section("Resolved", &resolved);
        page.section("Ambiguous", &ambiguous);
        page.section("Unresolved", &unresolved);
        page.section("Near names (left to you)", &near);
        page.gap();
        outcome::stamp(answer, page);
    }
}
