//! `hitherto event`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Claim;
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::value::ValueForm;

/// Say that something happened
///
/// Events never replace each other. At a point with `--at`, over a period with
/// `--from` and `--until`; with neither, when it was observed, else now.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Event {
    /// Whom it is about
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    /// The key
    key: String,
    /// What happened
    #[arg(allow_negative_numbers = true)]
    value: String,
    #[command(flatten)]
    form: ValueForm,
    /// When it happened
    #[arg(long, value_name = "T", conflicts_with_all = ["from", "until"])]
    at: Option<String>,
    #[command(flatten)]
    claim: Claim,
}

impl Request for Event {
    fn makes_store(&self) -> bool {
        true
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("event")
            .entity("subject", Some(&self.subject))
            .with("key", self.key.as_str())
            .with("value", self.form.read(&self.value)?)
            .maybe("at", self.at.as_ref());
        Ok(self.claim.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        outcome::show(answer, page);
    }
}
