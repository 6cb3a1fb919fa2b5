//! `hitherto demo`: a small store and a walk through it.

use clap::{Args, Parser};
use serde_json::{Value as Json, json};

use crate::surfaces::cli::arguments::{Cli, Globals};
use crate::surfaces::cli::exit::Exit;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::hint::quoted;
use crate::surfaces::cli::legible::legible;
use crate::surfaces::cli::output;
use crate::surfaces::cli::session::Session;
use crate::surfaces::respond;
use crate::time::Timestamp;
use crate::{ErrorKind, Graph, Options};

/// The story, a turn a line, in known order.
const STORY: &str = include_str!("../../../../fixtures/demo/story.jsonl");
/// Who wrote it, by which a demo store is known.
const TELLER: &str = "hitherto-demo";

/// A step of the walk: what to see, the command, what to try next.
struct Scene {
    says: &'static str,
    command: &'static [&'static str],
    next: &'static [&'static str],
}

const MARA: &str = "person/Mara Quill";
const WALK: [Scene; 6] = [
    Scene {
        says: "Everything that holds of Mara Quill now, with where it comes from.",
        command: &["profile", MARA],
        next: &["neighbours", MARA, "--depth", "2"],
    },
    Scene {
        says: "The same as of a valid time. On 1 May 2024 she was a field engineer and led nothing yet.",
        command: &["profile", MARA, "--at", "2024-05-01"],
        next: &["timeline", MARA, "role"],
    },
    Scene {
        says: "What was she on 1 August 2024? A team lead: a late correction says so.",
        command: &["get", MARA, "role", "--at", "2024-08-01"],
        next: &["profile", MARA, "--at", "2024-08-01"],
    },
    Scene {
        says: "The same day as of a known time. At the end of 2024 the store did not know better, and says so still.",
        command: &["get", MARA, "role", "--at", "2024-08-01", "--known", "2024-12-31"],
        next: &["diff", MARA, "--known-a", "2024-12-31", "--known-b", "2025-03-01"],
    },
    Scene {
        says: "How that came about: every claim on the key, in the order it became known. Nothing is overwritten.",
        command: &["history", MARA, "role"],
        next: &["explain", "F6.0"],
    },
    Scene {
        says: "A chat message contradicts the handbook. The handbook stands, the message is kept, and a person may decide.",
        command: &["uncertainties", "--status", "all"],
        next: &["get", "policy/Travel expenses", "daily_limit"],
    },
];

/// Make a small store and walk through it
///
/// The store is made in DIR, whatever --store says. Where it is already it is
/// shown as it is; a directory that holds anything else is left alone.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Demo {
    /// The directory of the store
    #[arg(value_name = "DIR", default_value = "./hitherto-demo")]
    directory: String,
}

impl Demo {
    pub(in crate::surfaces::cli) async fn run(&self, globals: &Globals) -> Result<Exit, Failure> {
        let globals = globals.at(&self.directory);
        let is_new = match Graph::open(Options::new(globals.url()).create(false)).await {
            Ok(graph) => {
                let told = is_demo(&graph).await;
                let _ = graph.close().await;
                if !told {
                    let message =
                        format!("the store at {} is not the demo, and is left as it is", self.directory);
                    return Err(Failure::usage(message).hint("name another directory: hitherto demo DIR"));
                }
                false
            }
            Err(error) if error.kind() == ErrorKind::NotFound => true,
            Err(error) => {
                return Err(
                    Failure::run(&error, globals.store()).hint("name another directory: hitherto demo DIR")
                );
            }
        };
        let session = Session::open(&globals, true).await?;
        let shown = self.show(&session, &globals, is_new).await;
        session.close(shown).await
    }

    async fn show(&self, session: &Session, globals: &Globals, is_new: bool) -> Result<Exit, Failure> {
        tell(session, globals).await?;
        let store = quoted(&self.directory);
        if globals.json() {
            output::line(&json!({"ok": true, "store": self.directory, "created": is_new}).to_string())?;
            return Ok(Exit::Fine);
        }
        let made = if is_new { "A small store was made at" } else { "The demo store is there already, at" };
        output::line(&format!("{made} {}. Six looks at it:", legible(&self.directory)))?;
        for scene in &WALK {
            output::line(&format!("\n── {}\n$ {}\n", scene.says, command(&store, scene.command)))?;
            let line =
                ["hitherto", "--store", &self.directory].into_iter().chain(scene.command.iter().copied());
            let cli = Cli::try_parse_from(line).map_err(|error| Failure::usage(error.to_string()))?;
            if let Some(request) = cli.command.as_request() {
                session.ask(request).await?;
            }
            output::line(&format!("\ntry next: {}", command(&store, scene.next)))?;
        }
        output::line("\nThen decide who is right about the limit, and look again:")?;
        for next in [&["resolve", "U5.0", "dismiss"][..], &["uncertainties", "--status", "all"]] {
            output::line(&format!("  {}", command(&store, next)))?;
        }
        output::line("and begin a store of your own:\n  hitherto init")?;
        Ok(Exit::Fine)
    }
}

/// Returns a command as it can be pasted.
fn command(store: &str, words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("hitherto --store {} {}", legible(store), words.join(" "))
}

/// Returns the newest transaction, if there is any.
async fn newest(graph: &Graph) -> u64 {
    respond(graph, json!({"op": "stats"})).await["basis"]["tx"].as_u64().unwrap_or(0)
}

/// Whether a store is the demo, or empty.
async fn is_demo(graph: &Graph) -> bool {
    newest(graph).await == 0
        || respond(graph, json!({"op": "tx", "id": 1})).await["result"]["actor"] == TELLER
}

/// Tells the story from where it was left: turns up to the newest known time
/// are there already.
async fn tell(session: &Session, globals: &Globals) -> Result<(), Failure> {
    let known = match newest(&session.graph).await {
        0 => None,
        tx => instant(&respond(&session.graph, json!({"op": "tx", "id": tx})).await["result"]["known_at"]),
    };
    for line in STORY.lines() {
        let turn: Json = serde_json::from_str(line)
            .map_err(|error| Failure::usage(format!("the story is broken: {error}")))?;
        if known.is_some_and(|known| instant(&turn["known_at"]).is_none_or(|at| at <= known)) {
            continue;
        }
        let answer = respond(&session.graph, turn).await;
        if answer["ok"] != true {
            return Err(Failure::answered(answer, globals.store()));
        }
    }
    Ok(())
}

fn instant(text: &Json) -> Option<Timestamp> {
    Timestamp::parse(text.as_str()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_shown_can_be_typed() {
        for scene in &WALK {
            for words in [scene.command, scene.next] {
                let line = std::iter::once("hitherto").chain(words.iter().copied());
                let cli = Cli::try_parse_from(line).expect("clap takes it");
                assert!(cli.command.as_request().is_some(), "{words:?} is a request");
            }
        }
    }

    #[test]
    fn the_story_goes_forward_in_known_time() {
        let stamps: Vec<Timestamp> = STORY
            .lines()
            .map(|line| {
                let turn: Json = serde_json::from_str(line).expect("a line is JSON");
                assert_eq!(turn["actor"], TELLER);
                instant(&turn["known_at"]).expect("a turn has a known time")
            })
            .collect();
        assert!(stamps.is_sorted_by(|a, b| a < b));
    }
}
