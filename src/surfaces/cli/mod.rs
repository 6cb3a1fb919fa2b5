//! The command line.
//!
//! A command is a file in `command/`: what the user may type, the request of
//! the protocol that it stands for, and how its answer is shown. Nothing here
//! decides anything about the store. Only `output.rs` prints.

mod arguments;
mod cell;
#[cfg(test)]
mod codes;
mod command;
mod entity;
mod exit;
mod failure;
mod hint;
mod interrupt;
mod legible;
mod lines;
mod options;
mod outcome;
mod output;
mod page;
#[cfg(test)]
mod reference;
mod request;
mod session;
mod sight;
mod value;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

use arguments::Cli;
use failure::Failure;

/// The engine's recursion on deep statements wants more than the default 2 MiB.
const STACK: usize = 10 << 20;

/// Runs the command line of this process and returns how it ended.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    log();
    let json = cli.globals.json();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build();
    let exit = match runtime {
        Ok(runtime) => {
            let exit = runtime.block_on(cli.command.run(&cli.globals));
            // A thread that still waits for a line nobody types is not waited for.
            runtime.shutdown_background();
            exit
        }
        Err(error) => Err(Failure::io("cannot start the threads of the runtime", &error)),
    };
    exit.unwrap_or_else(|failure| failure.report(json)).into()
}

/// Sends the log to standard error, as `HITHERTO_LOG` asks (`hitherto=debug`).
fn log() {
    let asked = std::env::var("HITHERTO_LOG").ok().filter(|filter| !filter.trim().is_empty());
    let filter = match asked.as_deref().map(EnvFilter::try_new) {
        None => EnvFilter::new("hitherto=warn"),
        Some(Ok(filter)) => filter,
        Some(Err(error)) => {
            output::complain("warning", &format!("HITHERTO_LOG is no filter: {error}"));
            EnvFilter::new("hitherto=warn")
        }
    };
    // An embedder that has a log of its own keeps it.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}
