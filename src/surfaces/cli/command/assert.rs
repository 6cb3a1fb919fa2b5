//! `hitherto assert`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Claim;
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::value::ValueForm;

/// Say that a key of an entity has a value
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Assert {
    /// Whom it is about
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    /// The key
    key: String,
    /// The value
    #[arg(allow_negative_numbers = true)]
    value: String,
    #[command(flatten)]
    form: ValueForm,
    /// Whether it holds or happened [default: as the slot declares, else state]
    #[arg(long, value_name = "KIND", value_parser = ["state", "event"])]
    kind: Option<String>,
    #[command(flatten)]
    claim: Claim,
}

impl Request for Assert {
    fn makes_store(&self) -> bool {
        true
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("assert")
            .entity("subject", Some(&self.subject))
            .with("key", self.key.as_str())
            .with("value", self.form.read(&self.value)?)
            .maybe("kind", self.kind.as_ref());
        Ok(self.claim.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        outcome::show(answer, page);
    }
}
