//! Importing operations, and whole stores, from a file.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use serde_json::Value as Json;

use super::fields::Fields;
use super::lines::{Lines, hash};
use super::wire::{self, CANDIDATES};
use super::{json, respond};
use crate::error::{Error, ErrorKind};
use crate::time::Timestamp;
use crate::{Chain, Graph, Key, Manifest, Proposal, Replied, RestoreReport, Turn, Waiting, WriteOptions};

/// How many turns an import has under way at once.
const AHEAD: usize = 64;

/// Told of every turn: bytes read, bytes there are, operations done.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64, u64) + Send);

/// What an import of operations did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// How many operations there were.
    pub ops: u64,
    /// How many turns they made.
    pub turns: u64,
    /// How many operations had been imported before.
    pub skipped: u64,
    /// How often each action was taken.
    pub actions: BTreeMap<&'static str, u64>,
}

/// A turn under way: the line it began at and how many operations it has.
struct Underway {
    line: u64,
    ops: u64,
    waiting: Waiting,
}

/// The candidates that are gathered into the next turn.
#[derive(Default)]
struct Gathered {
    line: u64,
    known_at: Option<Timestamp>,
    candidates: Vec<Proposal>,
}

/// Imports operations, one a line: consecutive ones of one `known_at` are one
/// turn, and each turn has an idempotency key of the file's hash and its place,
/// so that importing a file again is harmless.
///
/// # Errors
///
/// An [`Error`] that names the line at fault. Every line is read before the
/// first is stored; what a turn is refused for later stops the import there,
/// and the turns before it stay.
pub async fn import_ops(graph: &Graph, path: &Path, progress: Progress<'_>) -> Result<ImportReport, Error> {
    check(path)?;
    let mut import = Import {
        graph,
        lines: Lines::open(path)?,
        hash: hash(path)?,
        chain: Chain::default(),
        report: ImportReport::default(),
        underway: VecDeque::new(),
        ordinal: 0,
    };
    let mut gathered = Gathered::default();
    while let Some((number, line)) = import.lines.next()? {
        let request = json::parse(&line)?;
        let op = request.get("op").and_then(Json::as_str).unwrap_or_default();
        let plain = CANDIDATES.contains(&op)
            && ["idempotency_key", "actor", "message", "dry_run"]
                .iter()
                .all(|field| request.get(field).is_none());
        if !plain {
            import.send(std::mem::take(&mut gathered), progress).await?;
            import.drain(0, progress).await?;
            import.other(number, request).await?;
            continue;
        }
        let (candidate, known_at) = candidate(request).map_err(|e| import.lines.about(number, &e))?;
        let joins = known_at.is_some() && known_at == gathered.known_at;
        if !joins {
            import.send(std::mem::take(&mut gathered), progress).await?;
            gathered = Gathered { line: number, known_at, candidates: Vec::new() };
        }
        gathered.candidates.push(candidate);
    }
    import.send(gathered, progress).await?;
    import.drain(0, progress).await?;
    Ok(import.report)
}

/// Imports an export into an empty store: whole, or not at all.
///
/// # Errors
///
/// An [`Error`] that names the line at fault; every line is checked before the
/// first is stored. A store whose import was cut short does not open again.
pub async fn import_export(
    graph: &Graph,
    path: &Path,
    progress: Progress<'_>,
) -> Result<RestoreReport, Error> {
    let mut manifest = Manifest::default();
    let mut lines = Lines::open(path)?;
    while let Some((number, line)) = lines.next()? {
        let checked = json::parse(&line).and_then(|line| manifest.read(line));
        checked.map_err(|e| lines.about(number, &e))?;
    }
    let report = manifest.finish()?;
    let mut restore = graph.begin_restore().await?;
    let mut again = Manifest::default();
    let mut lines = Lines::open(path)?;
    let mut done = 0;
    while let Some((number, line)) = lines.next()? {
        let read = json::parse(&line).and_then(|line| again.read(line));
        if let Some(row) = read.map_err(|e| lines.about(number, &e))? {
            restore.put(row).await?;
            done += 1;
            if done % 1_000 == 0 {
                let (read, total) = lines.progress();
                progress(read, total, done);
            }
        }
    }
    restore.finish().await?;
    Ok(report)
}

/// Writes everything that is stored as JSON Lines.
///
/// # Errors
///
/// As [`Graph::export`].
pub async fn export(graph: &Graph, out: &mut (dyn std::io::Write + Send)) -> Result<(), Error> {
    graph.export(out).await
}

/// Reads every line, so that a broken one is found before anything is stored.
fn check(path: &Path) -> Result<(), Error> {
    let mut lines = Lines::open(path)?;
    while let Some((number, line)) = lines.next()? {
        let checked = json::parse(&line).and_then(|request| {
            let op = request.get("op").and_then(Json::as_str).unwrap_or_default().to_owned();
            if CANDIDATES.contains(&&*op) {
                candidate(request).map(|_| ())
            } else {
                Fields::new(request, "the line").map(|_| ())
            }
        });
        checked.map_err(|e| lines.about(number, &e))?;
    }
    Ok(())
}

/// Reads a line that says something, and its known time.
fn candidate(request: Json) -> Result<(Proposal, Option<Timestamp>), Error> {
    let mut fields = Fields::new(request, "the line")?;
    let op = fields.need_text("op")?;
    let known_at = fields.instant("known_at")?;
    for field in ["actor", "message", "idempotency_key"] {
        fields.text(field)?;
    }
    fields.flag("dry_run")?;
    let candidate = wire::candidate(&op, &mut fields)?;
    fields.finish()?;
    Ok((candidate, known_at))
}

struct Import<'a> {
    graph: &'a Graph,
    lines: Lines,
    hash: String,
    chain: Chain,
    report: ImportReport,
    underway: VecDeque<Underway>,
    ordinal: u64,
}

impl Import<'_> {
    fn key(&mut self) -> String {
        self.ordinal += 1;
        format!("import:{}:{}", self.hash, self.ordinal)
    }

    /// Sends what was gathered on its way as one turn.
    async fn send(&mut self, gathered: Gathered, progress: Progress<'_>) -> Result<(), Error> {
        if gathered.candidates.is_empty() {
            return Ok(());
        }
        let key = Key { key: self.key().into(), body: self.hash.as_str().into(), render: None };
        let options = WriteOptions {
            known_at: gathered.known_at,
            key: Some(key),
            chain: Some(self.chain.clone()),
            ..WriteOptions::default()
        };
        let ops = gathered.candidates.len() as u64;
        let turn = Turn { candidates: gathered.candidates, message: None, options };
        let waiting = self.graph.enqueue(turn).await?;
        self.underway.push_back(Underway { line: gathered.line, ops, waiting });
        self.drain(AHEAD, progress).await
    }

    /// Waits until no more than so many turns are under way.
    async fn drain(&mut self, ahead: usize, progress: Progress<'_>) -> Result<(), Error> {
        while self.underway.len() > ahead {
            let Some(Underway { line, ops, waiting }) = self.underway.pop_front() else { break };
            let reply = waiting.reply().await.map_err(|error| {
                let line = line + error.index().unwrap_or(0) as u64;
                self.lines.about(line, &error)
            })?;
            self.report.ops += ops;
            self.report.turns += 1;
            match reply {
                Replied::New(answer) => {
                    for outcome in answer.outcomes {
                        *self.report.actions.entry(outcome.action.as_str()).or_default() += 1;
                    }
                }
                Replied::Kept(_) | Replied::Gone(_) => self.report.skipped += ops,
            }
            let (done, total) = self.lines.progress();
            progress(done, total, self.report.ops);
        }
        Ok(())
    }

    /// Carries out a line that is no plain candidate, as it stands.
    async fn other(&mut self, number: u64, mut request: Json) -> Result<(), Error> {
        let key = self.key();
        if let Json::Object(fields) = &mut request {
            fields.entry("idempotency_key").or_insert(Json::String(key));
        }
        let response = respond(self.graph, request).await;
        self.report.ops += 1;
        self.report.turns += 1;
        if response.get("ok") == Some(&Json::Bool(true)) {
            return Ok(());
        }
        let says = response.pointer("/error/message").and_then(Json::as_str).unwrap_or("it was refused");
        let error = Error::new(ErrorKind::Invalid, "line_refused", says.to_owned());
        Err(self.lines.about(number, &error))
    }
}
