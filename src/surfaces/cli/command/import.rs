//! `hitherto import`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value as Json, json};

use super::stats::counts;
use crate::surfaces::cli::arguments::Globals;
use crate::surfaces::cli::exit::Exit;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::interrupt::Interrupts;
use crate::surfaces::cli::legible::legible;
use crate::surfaces::cli::output;
use crate::surfaces::cli::page::{Page, Table};
use crate::surfaces::cli::session::Session;
use crate::surfaces::{import_export, import_ops};

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Write requests of the protocol, one a line; a file imported again does no harm
    Ops,
    /// A whole store, as `hitherto export` writes it, into an empty one
    Export,
}

/// Read files of requests, or a whole store
///
/// Files are JSON Lines, plain or gzip. Consecutive requests of the same
/// `known_at` are one turn.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Import {
    /// The files, in order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What they hold
    #[arg(long, value_name = "FORMAT", default_value = "ops")]
    format: Format,
}

impl Import {
    pub(in crate::surfaces::cli) async fn run(&self, globals: &Globals) -> Result<Exit, Failure> {
        // Nothing is written when one of the files is not there at all.
        for file in &self.files {
            std::fs::File::open(file)
                .map_err(|error| Failure::io(&format!("cannot read {}", file.display()), &error))?;
        }
        let session = Session::open(globals, true).await?;
        let mut interrupts = Interrupts::new();
        let exit = tokio::select! {
            exit = self.read_all(&session, globals.json()) => exit,
            // Every turn up to here is kept whole.
            () = interrupts.next() => Err(Failure::Interrupted),
        };
        session.close(exit).await
    }

    async fn read_all(&self, session: &Session, json: bool) -> Result<Exit, Failure> {
        let mut reports = Vec::new();
        for file in &self.files {
            let bar = bar(file);
            let mut progress = |done: u64, total: u64, ops: u64| {
                bar.set_length(total);
                bar.set_position(done);
                bar.set_message(format!("{ops} lines"));
            };
            let report = match self.format {
                Format::Ops => import_ops(&session.graph, file, &mut progress).await.map(|report| {
                    let actions: Map<String, Json> =
                        report.actions.iter().map(|(action, count)| ((*action).to_owned(), json!(count))).collect();
                    json!({"requests": report.ops, "turns": report.turns, "imported_before": report.skipped, "actions": actions})
                }),
                Format::Export => import_export(&session.graph, file, &mut progress).await.map(|report| json!({"lines": report.counts})),
            };
            bar.finish_and_clear();
            let mut report = report.map_err(|error| self.failure(session, &error))?;
            report["file"] = Json::from(file.display().to_string());
            if !json {
                show(&report)?;
            }
            reports.push(report);
        }
        if json {
            output::line(&json!({"ok": true, "files": reports}).to_string())?;
        }
        Ok(Exit::Fine)
    }

    fn failure(&self, session: &Session, error: &crate::Error) -> Failure {
        let failure = session.failure(error);
        if self.format == Format::Ops && error.to_string().contains("\"op\"") {
            failure.hint("a file that `hitherto export` wrote needs --format export")
        } else {
            failure
        }
    }
}

/// Returns a bar on standard error, which draws nothing where that is no terminal.
fn bar(file: &Path) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {percent}% {msg}, {eta} left") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_prefix(legible(&file.display().to_string()));
    bar
}

fn show(report: &Json) -> Result<(), Failure> {
    let mut page = Page::default();
    page.line(legible(report["file"].as_str().unwrap_or_default()));
    let mut table = Table::pairs();
    for (name, count) in report.as_object().into_iter().flatten().filter(|(_, count)| count.is_u64()) {
        table.pair(name.replace('_', " "), count.to_string());
    }
    page.table(&table);
    page.section("Actions", &counts(&report["actions"]));
    page.section("Lines", &counts(&report["lines"]));
    output::line(page.text())
}
