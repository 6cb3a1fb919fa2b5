//! A person's decisions: `hitherto confirm`, `reject` and `resolve`.

use clap::Args;
use serde_json::Value as Json;

use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::Writing;
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};

/// Let a proposal through
///
/// Signed with `--actor`, or else with the name of your account.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Confirm {
    /// The proposal, as `hitherto pending` lists it
    #[arg(value_name = "PROPOSAL")]
    id: String,
    #[command(flatten)]
    writing: Writing,
}

impl Request for Confirm {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        Ok(self.writing.add_signed(Body::new("confirm").with("id", self.id.as_str())).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        outcome::show(answer, page);
    }
}

/// Turn a proposal down
///
/// Signed with `--actor`, or else with the name of your account.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Reject {
    /// The proposal, as `hitherto pending` lists it
    #[arg(value_name = "PROPOSAL")]
    id: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    #[command(flatten)]
    writing: Writing,
}

impl Request for Reject {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("reject").with("id", self.id.as_str()).maybe("note", self.note.as_ref());
        Ok(self.writing.add_signed(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        outcome::show(answer, page);
    }
}

/// Decide between claims that clash
///
/// Signed with `--actor`, or else with the name of your account.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Resolve {
    /// The uncertainty, as `hitherto uncertainties` lists it
    #[arg(value_name = "UNCERTAINTY")]
    id: String,
    /// The fact of the side that holds; `neither` of them; or `dismiss`: the current one stands
    #[arg(value_name = "FACT|neither|dismiss")]
    choose: String,
    #[command(flatten)]
    writing: Writing,
}

impl Request for Resolve {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("resolve").with("id", self.id.as_str()).with("choose", self.choose.as_str());
        Ok(self.writing.add_signed(body).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        outcome::show(answer, page);
    }
}
