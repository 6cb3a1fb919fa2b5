//! `hitherto neighbours`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Coordinates;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{edges, footer, items};

/// Walk the relations around an entity
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Neighbours {
    /// Where to start
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    /// How many steps to go, 1 to 5 [default: 1]
    #[arg(long, value_name = "N")]
    depth: Option<u64>,
    /// Which way to go [default: both]
    #[arg(long, value_name = "WAY", value_parser = ["out", "in", "both"])]
    direction: Option<String>,
    /// Follow only this label; may be repeated
    #[arg(long, value_name = "LABEL")]
    label: Vec<String>,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Neighbours {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("neighbours")
            .entity("subject", Some(&self.subject))
            .maybe("depth", self.depth.as_ref())
            .maybe("direction", self.direction.as_ref())
            .list("labels", &self.label);
        Ok(self.coordinates.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let result = &answer["result"];
        if items(&result["edges"]).is_empty() && items(&result["entities"]).is_empty() {
            page.nothing("no relations at this point");
        }
        let mut table = Table::new(["steps", "entity"]);
        for found in items(&result["entities"]) {
            table.row([cell::plain(&found["distance"]), cell::entity(&found["entity"])]);
        }
        page.section("Entities", &table);
        page.section("Relations", &edges(&result["edges"]));
        footer(answer, page);
    }

    fn looked_up(&self) -> Option<(&Entity, Option<&str>)> {
        Some((&self.subject, None))
    }
}
