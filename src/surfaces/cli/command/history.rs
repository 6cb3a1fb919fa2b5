//! `hitherto history`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::{Coordinates, Slot};
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{chain, footer, items};

/// Show every claim on a key in the order it became known
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct History {
    /// Whom to look up
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    #[command(flatten)]
    slot: Slot,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for History {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = self.slot.add(Body::new("history").entity("subject", Some(&self.subject)));
        Ok(self.coordinates.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let entries = &answer["result"]["entries"];
        if items(entries).is_empty() {
            page.nothing(format!("nothing was ever said of {}", self.slot.name()));
        } else {
            page.table(&chain(entries));
        }
        footer(answer, page);
    }

    fn looked_up(&self) -> Option<(&Entity, Option<&str>)> {
        Some((&self.subject, self.slot.key()))
    }
}
