//! `hitherto get`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::{Coordinates, Slot};
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{because, facts, footer, items, one};

/// Show the value of one key of an entity
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Get {
    /// Whom to look up
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    #[command(flatten)]
    slot: Slot,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Get {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = self.slot.add(Body::new("get").entity("subject", Some(&self.subject)));
        Ok(self.coordinates.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let result = &answer["result"];
        if result["fact"].is_object() {
            page.table(&one(&result["fact"]));
        } else if !items(&result["values"]).is_empty() {
            page.table(&facts(&result["values"]));
        } else if result["because"] == "never_recorded" {
            page.nothing(format!("no {}: {}", self.slot.name(), because(&result["because"])));
        } else {
            page.line(format!("no {}: {}", self.slot.name(), because(&result["because"])));
        }
        page.section("In several scopes", &facts(&result["facts"]));
        page.section("In scopes further up", &facts(&result["others"]));
        page.section("Contested", &facts(&result["contested"]));
        footer(answer, page);
    }

    fn looked_up(&self) -> Option<(&Entity, Option<&str>)> {
        Some((&self.subject, self.slot.key()))
    }
}
