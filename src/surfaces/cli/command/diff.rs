//! `hitherto diff`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::cell;
use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Narrowing;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::sight::{footer, items};

/// Show what the store came to believe between two instants
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Diff {
    /// Only of this entity [default: of all]
    #[arg(value_name = "ENTITY")]
    subject: Option<Entity>,
    /// Only this key
    #[arg(conflicts_with = "label")]
    key: Option<String>,
    /// Only this label
    #[arg(long, value_name = "LABEL", requires = "subject")]
    label: Option<String>,
    /// The other end of the relation
    #[arg(long, value_name = "ENTITY", requires = "label")]
    object: Option<Entity>,
    /// The earlier known instant
    #[arg(long, value_name = "T")]
    known_a: String,
    /// The later known instant
    #[arg(long, value_name = "T")]
    known_b: String,
    /// Only what held at this instant [default: at any]
    #[arg(long, value_name = "T")]
    at: Option<String>,
    #[command(flatten)]
    narrowing: Narrowing,
}

impl Request for Diff {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("diff")
            .entity("subject", self.subject.as_ref())
            .maybe("key", self.key.as_ref())
            .maybe("label", self.label.as_ref())
            .entity("object", self.object.as_ref())
            .with("known_a", self.known_a.as_str())
            .with("known_b", self.known_b.as_str())
            .maybe("valid_at", self.at.as_ref());
        Ok(self.narrowing.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        let changes = items(&answer["result"]["changes"]);
        if changes.is_empty() {
            page.line("nothing changed between the two");
        } else {
            let mut table = Table::new([
                "class", "subject", "key", "object", "before", "after", "from", "until", "scope",
            ])
            .dull("scope", "/");
            for change in changes {
                table.row([
                    cell::plain(&change["class"]),
                    cell::entity(&change["subject"]),
                    cell::key(change),
                    if change["object"].is_object() {
                        cell::entity(&change["object"])
                    } else {
                        cell::plain(&Json::Null)
                    },
                    cell::value(&change["before"]),
                    cell::value(&change["after"]),
                    cell::from(&change["valid_from"]),
                    cell::until(&change["valid_until"]),
                    cell::plain(&change["scope"]),
                ]);
            }
            page.table(&table);
        }
        footer(answer, page);
    }
}
