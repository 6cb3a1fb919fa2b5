//! `hitherto init`.

use clap::Args;
use serde_json::json;

use crate::surfaces::cli::arguments::Globals;
use crate::surfaces::cli::exit::Exit;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::hint::quoted;
use crate::surfaces::cli::legible::legible;
use crate::surfaces::cli::output;
use crate::surfaces::cli::session::Session;
use crate::{ErrorKind, Graph, Options};

/// Make an empty store
///
/// Where there is one already it is opened, and left as it is.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Init {}

impl Init {
    pub(in crate::surfaces::cli) async fn run(&self, globals: &Globals) -> Result<Exit, Failure> {
        let is_new = match Graph::open(Options::new(globals.url()).create(false)).await {
            Ok(graph) => {
                let _ = graph.close().await;
                false
            }
            Err(error) if error.kind() == ErrorKind::NotFound => true,
            Err(error) => return Err(Failure::run(&error, globals.store())),
        };
        if is_new {
            let session = Session::open(globals, true).await?;
            session.close(Ok(Exit::Fine)).await?;
        }
        let store = globals.store();
        if globals.json() {
            output::line(&json!({"ok": true, "store": store, "created": is_new}).to_string())?;
        } else if is_new {
            output::line(&format!("made an empty store at {}", legible(store)))?;
            output::line("try next:")?;
            let store = legible(&quoted(store));
            output::line(&format!(
                "  hitherto --store {store} assert 'person/Mara Quill' role 'Team lead' --from 2024-07-01"
            ))?;
            output::line(&format!("  hitherto --store {store} profile 'person/Mara Quill'"))?;
        } else {
            output::line(&format!("there is a store at {} already; it is as it was", legible(store)))?;
        }
        Ok(Exit::Fine)
    }
}
