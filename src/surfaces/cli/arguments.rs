//! The command line, as clap reads it.

use clap::{Args, Parser, Subcommand};

use super::command::{
    assert::Assert, care, completions::Completions, demo::Demo, diff::Diff, doubts, duplicates::Duplicates,
    entities::Entities, erasing, event::Event, exec::Exec, explain::Explain, export::Export, fsck::Fsck,
    get::Get, history::History, holders::Holders, import::Import, init::Init, neighbours::Neighbours,
    note::Note, path::Path, policy::Policy, profile::Profile, relate::Relate, retract::Retract, slots::Slots,
    stats::Stats, sweep::Sweep, timeline::Timeline, tx::Tx,
};
use super::exit::Exit;
use super::failure::Failure;
use super::request::Request;
use super::session::Session;

const AFTER: &str = "\
An ENTITY is written type/name: 'person/Mara Quill'. Without a type the name is looked up.
A VALUE that reads as a JSON number, true, false, list, object or quoted string is one; all else is text.
An instant T is RFC 3339 with an offset, or a date: 2025-02-01T09:00:00Z, 2025-02-01.
Start with `hitherto demo`.";

/// A bitemporal knowledge graph: what held when, and what was believed when.
#[derive(Parser, Debug)]
#[command(name = "hitherto", version, after_help = AFTER, max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) globals: Globals,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Global options")]
pub(super) struct Globals {
    /// The store: a directory, or a URL such as mem://
    #[arg(
        long,
        global = true,
        value_name = "DIR|URL",
        env = "HITHERTO_STORE",
        default_value = "./hitherto.store"
    )]
    store: String,
    /// Print the answer as the protocol writes it, on one line
    #[arg(long, global = true)]
    json: bool,
    /// How much memory the read cache may take, in MiB; 0 turns it off
    #[arg(long, global = true, value_name = "MIB", default_value_t = 256)]
    cache_mb: usize,
}

impl Globals {
    /// Returns the store as it was given.
    pub(super) fn store(&self) -> &str {
        &self.store
    }

    /// Returns the store as a URL: a directory that is none names an embedded one.
    pub(super) fn url(&self) -> String {
        if self.store.contains("://") { self.store.clone() } else { format!("surrealkv://{}", self.store) }
    }

    /// Whether answers are printed as they are.
    pub(super) fn json(&self) -> bool {
        self.json
    }

    /// Returns the bytes that the read cache may take.
    pub(super) fn cache_bytes(&self) -> usize {
        self.cache_mb.saturating_mul(1 << 20)
    }

    /// Returns the same options for another store.
    pub(super) fn at(&self, store: &str) -> Self {
        Self { store: store.to_owned(), ..self.clone() }
    }
}

/// The commands, in the order of the help.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    Demo(Demo),
    Init(Init),
    Assert(Box<Assert>),
    Relate(Box<Relate>),
    Event(Box<Event>),
    Note(Box<Note>),
    Retract(Box<Retract>),
    Get(Get),
    Profile(Profile),
    Timeline(Timeline),
    History(History),
    Holders(Holders),
    Neighbours(Neighbours),
    Path(Path),
    Diff(Diff),
    Explain(Explain),
    Entities(Entities),
    Tx(Tx),
    Stats(Stats),
    Uncertainties(doubts::Uncertainties),
    Pending(doubts::Pending),
    Confirm(care::Confirm),
    Reject(care::Reject),
    Resolve(care::Resolve),
    Forget(erasing::Forget),
    Purge(erasing::Purge),
    EraseScope(erasing::EraseScope),
    Sweep(Sweep),
    Fsck(Fsck),
    Duplicates(Duplicates),
    Policy(Policy),
    Slots(Slots),
    Exec(Exec),
    Import(Import),
    Export(Export),
    Completions(Completions),
}

impl Command {
    /// Returns the command where it is one request.
    pub(super) fn as_request(&self) -> Option<&dyn Request> {
        Some(match self {
            Self::Assert(command) => &**command,
            Self::Relate(command) => &**command,
            Self::Event(command) => &**command,
            Self::Note(command) => &**command,
            Self::Retract(command) => &**command,
            Self::Get(command) => command,
            Self::Profile(command) => command,
            Self::Timeline(command) => command,
            Self::History(command) => command,
            Self::Holders(command) => command,
            Self::Neighbours(command) => command,
            Self::Path(command) => command,
            Self::Diff(command) => command,
            Self::Explain(command) => command,
            Self::Entities(command) => command,
            Self::Tx(command) => command,
            Self::Stats(command) => command,
            Self::Uncertainties(command) => command,
            Self::Pending(command) => command,
            Self::Confirm(command) => command,
            Self::Reject(command) => command,
            Self::Resolve(command) => command,
            Self::Forget(command) => command,
            Self::Purge(command) => command,
            Self::EraseScope(command) => command,
            Self::Sweep(command) => command,
            Self::Fsck(command) => command,
            Self::Duplicates(command) => command,
            Self::Policy(command) => command,
            Self::Slots(command) => command,
            Self::Demo(_)
            | Self::Init(_)
            | Self::Exec(_)
            | Self::Import(_)
            | Self::Export(_)
            | Self::Completions(_) => {
                return None;
            }
        })
    }

    /// Carries the command out.
    pub(super) async fn run(&self, globals: &Globals) -> Result<Exit, Failure> {
        match self {
            Self::Demo(command) => command.run(globals).await,
            Self::Init(command) => command.run(globals).await,
            Self::Exec(command) => command.run(globals).await,
            Self::Import(command) => command.run(globals).await,
            Self::Export(command) => command.run(globals).await,
            Self::Completions(command) => command.run(),
            one_request => match one_request.as_request() {
                Some(request) => Session::once(globals, request).await,
                None => Ok(Exit::Fine),
            },
        }
    }
}
