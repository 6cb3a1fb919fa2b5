//! What waits for a person: `hitherto uncertainties` and `hitherto pending`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Coordinates;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{doubts, footer, items};

/// List the claims that clash
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Uncertainties {
    /// Which of them [default: open]
    #[arg(long, value_name = "WHICH", value_parser = ["open", "closed", "all"])]
    status: Option<String>,
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Uncertainties {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(self.coordinates.add(Body::new("uncertainties").maybe("status", self.status.as_ref())).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let list = &answer["result"]["uncertainties"];
        if items(list).is_empty() {
            page.line("no such uncertainty");
        } else {
            page.table(&doubts(list));
            if items(list).iter().any(|doubt| doubt["status"] == "open") {
                page.gap();
                page.line("decide one: hitherto resolve UNCERTAINTY FACT, or `neither`, or `dismiss`");
            }
        }
        footer(answer, page);
    }
}

/// List the proposals that wait for a confirmation
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Pending {
    #[command(flatten)]
    coordinates: Coordinates,
}

impl Request for Pending {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(self.coordinates.add(Body::new("pending")).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let list = items(&answer["result"]["pending"]);
        if list.is_empty() {
            page.line("nothing waits");
        } else {
            let mut table = Table::new([
                "proposal", "asks to", "subject", "key", "value", "from", "until", "target", "scope",
                "source",
            ])
            .dull("until", "open")
            .dull("scope", "/");
            for held in list {
                table.row([
                    cell::plain(&held["fact"]),
                    cell::plain(&held["action"]),
                    cell::entity(&held["subject"]),
                    cell::key(held),
                    cell::content(held),
                    cell::from(&held["valid_from"]),
                    cell::until(&held["valid_until"]),
                    cell::plain(&held["target"]),
                    cell::plain(&held["scope"]),
                    cell::source(&held["source"]),
                ]);
            }
            page.table(&table);
            page.gap();
            page.line("decide one: hitherto confirm PROPOSAL, or hitherto reject PROPOSAL");
        }
        footer(answer, page);
    }
}
