//! `hitherto timeline`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::{Coordinates, Slot};
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{footer, items};

/// Show what held when, as it is believed
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Timeline {
    /// Whom to look up
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    #[command(flatten)]
    slot: Slot,
    /// Only from this instant on
    #[arg(long, value_name = "T")]
    from: Option<String>,
    /// Only until this instant
    #[arg(long, value_name = "T")]
    until: Option<String>,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Timeline {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = self.slot.add(Body::new("timeline").entity("subject", Some(&self.subject)));
        let body = body.maybe("from", self.from.as_ref()).maybe("until", self.until.as_ref());
        Ok(self.coordinates.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let segments = items(&answer["result"]["segments"]);
        if segments.is_empty() {
            page.nothing(format!("no {} in this stretch of time", self.slot.name()));
        } else {
            let mut table =
                Table::new(["from", "until", "value", "known from", "scope", "facts"]).dull("scope", "/");
            for segment in segments {
                table.row([
                    cell::from(&segment["valid_from"]),
                    cell::until(&segment["valid_until"]),
                    cell::content(segment),
                    cell::plain(&segment["known_from"]),
                    cell::plain(&segment["scope"]),
                    cell::list(&segment["facts"]),
                ]);
            }
            page.table(&table);
        }
        footer(answer, page);
    }

    fn looked_up(&self) -> Option<(&Entity, Option<&str>)> {
        Some((&self.subject, self.slot.key()))
    }
}
