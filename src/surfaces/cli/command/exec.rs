//! `hitherto exec`: the protocol, line by line.

use std::path::PathBuf;

use clap::Args;
use tokio::sync::mpsc::Receiver;

use crate::surfaces::cli::arguments::Globals;
use crate::surfaces::cli::exit::Exit;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::interrupt::Interrupts;
use crate::surfaces::cli::lines::{Line, lines};
use crate::surfaces::cli::output;
use crate::surfaces::cli::session::Session;
use crate::surfaces::{answer, print};

/// Answer requests, one JSON object a line
///
/// Reads standard input, or a file, and prints one answer a line, in order and
/// at once, so that a program can hold a conversation. Empty lines are passed
/// over. An error is an answer, too; the run goes on, and ends with 1.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Exec {
    /// A file of requests [default: standard input]
    file: Option<PathBuf>,
    /// Stop after the first error
    #[arg(long)]
    stop_on_error: bool,
}

impl Exec {
    pub(in crate::surfaces::cli) async fn run(&self, globals: &Globals) -> Result<Exit, Failure> {
        let file = self.file.as_deref().filter(|file| file.as_os_str() != "-");
        let requests = lines(file)?;
        let session = Session::open(globals, true).await?;
        let exit = self.converse(&session, requests).await;
        session.close(exit).await
    }

    async fn converse(&self, session: &Session, mut requests: Receiver<Line>) -> Result<Exit, Failure> {
        let mut interrupts = Interrupts::new();
        let mut exit = Exit::Fine;
        loop {
            let line = tokio::select! {
                // A line that is there is not answered once somebody has said stop.
                biased;
                () = interrupts.next() => return Err(Failure::Interrupted),
                line = requests.recv() => line,
            };
            let (response, is_interrupted) = match line {
                None => return Ok(exit),
                Some(Line::Request(line)) => finish(session, &line, &mut interrupts).await?,
                Some(Line::Refused(error)) => (print::error(&error).to_string(), false),
                Some(Line::Unreadable(act, error)) => return Err(Failure::io(&act, &error)),
            };
            output::line(&response)?;
            if is_interrupted {
                return Err(Failure::Interrupted);
            }
            if !response.starts_with(r#"{"ok":true"#) {
                exit = Exit::Answered;
                if self.stop_on_error {
                    return Ok(exit);
                }
            }
        }
    }
}

/// Answers a line. The first Ctrl-C lets it finish, the second does not wait.
async fn finish(
    session: &Session,
    line: &str,
    interrupts: &mut Interrupts,
) -> Result<(String, bool), Failure> {
    let mut answering = std::pin::pin!(answer(&session.graph, line));
    tokio::select! {
        biased;
        response = &mut answering => return Ok((response, false)),
        () = interrupts.next() => {}
    }
    tokio::select! {
        response = &mut answering => Ok((response, true)),
        () = interrupts.next() => Err(Failure::Interrupted),
    }
}
