//! `hitherto note`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Claim;
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};

/// Keep a free sentence about an entity
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Note {
    /// Whom it is about
    #[arg(value_name = "ENTITY")]
    subject: Entity,
    /// The sentence
    text: String,
    /// How close at hand it is kept [default: l1]
    #[arg(long, value_name = "TIER", value_parser = ["l1", "l2", "l3"])]
    tier: Option<String>,
    #[command(flatten)]
    claim: Claim,
}

impl Request for Note {
    fn makes_store(&self) -> bool {
        true
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("note")
            .entity("subject", Some(&self.subject))
            .with("text", self.text.as_str())
            .maybe("tier", self.tier.as_ref());
        Ok(self.claim.add(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        outcome::show(answer, page);
    }
}
