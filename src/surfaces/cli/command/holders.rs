//! `hitherto holders`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Coordinates;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{footer, items};
use crate::surfaces::cli::value::ValueForm;

/// Find the entities that have certain values
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Holders {
    /// What they have, all of it: `'role=Team lead' site=Leith`
    #[arg(required = true, value_name = "KEY=VALUE")]
    conditions: Vec<String>,
    #[command(flatten)]
    form: ValueForm,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Holders {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let conditions = self.conditions.iter().map(|condition| {
            let (key, value) = condition.split_once('=').ok_or_else(|| {
                Failure::usage(format!("{condition:?} is no condition"))
                    .hint("a condition is KEY=VALUE: 'role=Team lead'")
            })?;
            Ok(Body::part().with("key", key).with("value", self.form.read(value)?).json())
        });
        let body = Body::new("holders").with("where", conditions.collect::<Result<Vec<Json>, Failure>>()?);
        Ok(self.coordinates.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let subjects = items(&answer["result"]["subjects"]);
        if subjects.is_empty() {
            page.line("nobody holds all of this at this point");
        } else {
            let mut table = Table::new(["entity"]);
            for subject in subjects {
                table.row([cell::entity(subject)]);
            }
            page.table(&table);
        }
        footer(answer, page);
    }
}
