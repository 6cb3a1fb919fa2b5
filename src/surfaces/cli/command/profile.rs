//! `hitherto profile`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Coordinates;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{doubts, facts, footer, items};

/// Show everything that holds of an entity
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Profile {
    /// Whom to look up
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Profile {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(self.coordinates.add(Body::new("profile").entity("subject", Some(&self.subject))).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let result = &answer["result"];
        let name = cell::entity(&result["entity"]);
        let lists = ["attributes", "relations", "notes", "events", "contested", "uncertainties"];
        if lists.iter().all(|list| items(&result[*list]).is_empty()) {
            page.nothing(format!("nothing holds of {name} at this point"));
        } else {
            page.line(name);
        }
        page.section("Attributes", &facts(&result["attributes"]));
        page.section("Relations", &facts(&result["relations"]));
        page.section("Notes", &facts(&result["notes"]));
        page.section("Events", &facts(&result["events"]));
        page.section("Contested (claimed, but not current)", &facts(&result["contested"]));
        page.section("Open uncertainties", &doubts(&result["uncertainties"]));
        footer(answer, page);
    }

    fn looked_up(&self) -> Option<(&Entity, Option<&str>)> {
        Some((&self.subject, None))
    }
}
