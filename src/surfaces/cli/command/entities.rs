//! `hitherto entities`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::hint;
use crate::surfaces::cli::options::Coordinates;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{footer, items};

/// List the entities of which something is believed
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Entities {
    /// Only of this type
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only those whose name begins so
    #[arg(long, value_name = "TEXT")]
    prefix: Option<String>,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Entities {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body =
            Body::new("entities").maybe("type", self.kind.as_ref()).maybe("prefix", self.prefix.as_ref());
        Ok(self.coordinates.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let list = items(&answer["result"]["entities"]);
        if list.is_empty() {
            page.line("no entities at this point");
            if let Some(hint) = self.kind.as_deref().and_then(hint::of_type) {
                page.line(hint);
            }
        } else {
            let mut table = Table::new(["entity"]);
            for listed in list {
                table.row([cell::entity(&listed["entity"])]);
            }
            page.table(&table);
        }
        footer(answer, page);
    }
}
