//! `hitherto relate`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Claim;
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};

/// Say that two entities are related
///
/// An end without a type that names nobody yet becomes a placeholder, which
/// `hitherto sweep` resolves once somebody of that name is there.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Relate {
    /// One end
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    /// What the one is to the other: `employed_by`
    label: String,
    /// The other end
    #[arg(value_name = "OBJECT")]
    object: Entity,
    #[command(flatten)]
    claim: Claim,
}

impl Request for Relate {
    fn makes_store(&self) -> bool {
        true
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("relate")
            .entity("subject", Some(&self.subject))
            .with("label", self.label.as_str())
            .entity("object", Some(&self.object));
        Ok(self.claim.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        outcome::show(answer, page);
    }
}
