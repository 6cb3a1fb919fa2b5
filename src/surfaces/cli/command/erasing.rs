//! Taking facts away: `hitherto forget`, `purge` and `erase-scope`.

use clap::Args;
use serde_json::Value as Json;

use super::stats::counts;
use crate::surfaces::cli::cell;
use crate::surfaces::cli::entity::Entity;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::options::{Trial, Writing};
use crate::surfaces::cli::outcome;
use crate::surfaces::cli::page::Page;
use crate::surfaces::cli::request::{Body, Request};
use crate::surfaces::cli::value::ValueForm;

/// Which facts.
#[derive(Args, Debug)]
struct Selection {
    /// Whose facts, and the relations that end there
    #[arg(value_name = "ENTITY", required_unless_present = "fact")]
    subject: Option<Entity>,
    /// Only this key
    #[arg(conflicts_with = "label")]
    key: Option<String>,
    /// Only this value of it
    #[arg(long, value_name = "VALUE", requires = "key", allow_negative_numbers = true)]
    value: Option<String>,
    #[command(flatten)]
    form: ValueForm,
    /// Only relations of this label
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// Only relations to this entity
    #[arg(long, value_name = "ENTITY", requires = "label")]
    object: Option<Entity>,
    /// Only this fact
    #[arg(long, value_name = "FACT")]
    fact: Option<String>,
    /// Only in this scope and beneath it
    #[arg(long, value_name = "PATH")]
    scope: Option<String>,
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    trial: Trial,
}

impl Selection {
    fn request(&self, op: &str) -> Result<Json, Failure> {
        let body = Body::new(op)
            .entity("subject", self.subject.as_ref())
            .maybe("key", self.key.as_ref())
            .maybe("value", self.form.read_some(self.value.as_ref())?.as_ref())
            .maybe("label", self.label.as_ref())
            .entity("object", self.object.as_ref())
            .maybe("fact", self.fact.as_ref())
            .maybe("scope", self.scope.as_ref());
        Ok(self.trial.add(self.writing.add(body)).json())
    }
}

/// Stop using facts; they stay on record for audits
///
/// Every ordinary read leaves them out, reads of the past included;
/// `--include-forgotten` shows them.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Forget {
    #[command(flatten)]
    selection: Selection,
}

impl Request for Forget {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        self.selection.request("forget")
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        show(answer, page);
    }
}

/// Remove facts for good, with all their history
///
/// They are gone from every past known time as well. Look first: `--dry-run`.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Purge {
    #[command(flatten)]
    selection: Selection,
}

impl Request for Purge {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        self.selection.request("purge")
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        show(answer, page);
    }
}

/// Remove everything in a scope and beneath it for good
///
/// Look first: `--dry-run`.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct EraseScope {
    /// The scope: `/org/acme`
    path: String,
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    trial: Trial,
}

impl Request for EraseScope {
    fn makes_store(&self) -> bool {
        false
    }

    fn request(&self) -> Result<Json, Failure> {
        let body = Body::new("erase_scope").with("path", self.path.as_str());
        Ok(self.trial.add(self.writing.add(body)).json())
    }

    fn show(&self, answer: &Json, page: &mut Page) {
        show(answer, page);
    }
}

fn show(answer: &Json, page: &mut Page) {
    if outcome::gone(answer, page) {
        return;
    }
    page.line(format!("facts matched: {}", cell::plain(&answer["matched"])));
    let mut rows = answer["counts"].clone();
    if let Some(rows) = rows.as_object_mut() {
        rows.retain(|_, count| *count != 0);
    }
    page.section("Rows", &counts(&rows));
    page.gap();
    outcome::stamp(answer, page);
    if answer["compaction_pending"] == true {
        page.line("the rows are gone; their bytes leave the files when the store is compacted");
    }
}
