//! `hitherto retract`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Claim;
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::value::ValueForm;

/// Say that something holds no more, or never did
///
/// The value ends at `--from` (now, if left out) and the past stays as it was;
/// `--from beginning --until open` says that it was never true.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Retract {
    /// Whom it is about
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    /// The key
    #[arg(required_unless_present = "label", conflicts_with = "label")]
    key: Option<String>,
    /// Only where this is the value
    #[arg(allow_negative_numbers = true)]
    value: Option<String>,
    #[command(flatten)]
    form: ValueForm,
    /// The label of a relation, in place of a key
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// The other end of the relation
    #[arg(long, value_name = "ENTITY", requires = "label")]
    object: Option<Entity>,
    #[command(flatten)]
    claim: Claim,
}

impl Request for Retract {
    fn makes_store(&self) -> bool {
        true
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("retract")
            .entity("subject", Some(&self.subject))
            .maybe("key", self.key.as_ref())
            .maybe("value", self.form.read_some(self.value.as_ref())?.as_ref())
            .maybe("label", self.label.as_ref())
            .entity("object", self.object.as_ref());
        Ok(self.claim.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        outcome::show(answer, page);
    }
}
