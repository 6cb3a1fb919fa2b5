//! `hitherto path`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Coordinates;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{edges, footer};

/// Find the shortest way from one entity to another
///
/// Relations are followed from subject to object only.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Path {
    /// Where to start
    from: Entity,
    /// Where to go
    to: Entity,
    /// How many steps to go at most, 1 to 5 [default: 5]
    #[arg(long, value_name = "N")]
    max_depth: Option<u64>,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Path {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("path")
            .entity("from", Some(&self.from))
            .entity("to", Some(&self.to))
            .maybe("max_depth", self.max_depth.as_ref());
        Ok(self.coordinates.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let result = &answer["result"];
        match result["path"].as_array() {
            None => page.line("no way leads there at this point"),
            Some(steps) if steps.is_empty() => page.line("that is where it starts"),
            Some(_) => {
                page.table(&edges(&result["path"]));
                page.gap();
                page.line(format!("the whole of it holds from {}", cell::period(result)));
            }
        }
        footer(answer, page);
    }
}
