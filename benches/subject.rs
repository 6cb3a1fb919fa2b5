//! Hitherto itself, as a Rust program that embeds it would use it.

use std::path::Path;
use std::sync::Arc;

use hitherto::facts::{LineKind, Scope, Source, SourceKind, Value};
use hitherto::identity::{EntityType, Name};
use hitherto::query::{Condition, What};
use hitherto::reconcile::TimeRef;
use hitherto::time::Timestamp;
use hitherto::{
    Answer, Graph, Options, Proposal, ReadOptions, Reference, Replied, Statement, Turn, WriteOptions,
};

use crate::Outcome;
use crate::corpus::{Corpus, Point};

/// The type of every entity.
pub(crate) const KIND: &str = "project";

/// Opens a durable store in a directory.
pub(crate) async fn open(directory: &Path, cache_bytes: Option<usize>) -> Outcome<Graph> {
    let mut options = Options::new(format!("surrealkv://{}", directory.display())).durable(true);
    if let Some(bytes) = cache_bytes {
        options = options.cache_bytes(bytes);
    }
    Ok(Graph::open(options).await?)
}

/// Returns the reference to an entity whose name is normalised already.
pub(crate) fn reference(name: &str) -> Outcome<Reference> {
    Ok(Reference {
        kind: Some(EntityType::Project),
        name: Name::new(name)?,
        written: name.into(),
        unlisted: None,
    })
}

/// Returns which slot an attribute is.
pub(crate) fn attribute(key: &str) -> What {
    What { kind: LineKind::Attribute, key: key.into(), object: None }
}

/// Returns that a key has a text.
pub(crate) fn condition(key: &str, value: &str) -> Condition {
    Condition { key: key.into(), value: Value::text(value) }
}

/// Returns how a point is looked from.
pub(crate) fn seen_from(point: Point) -> ReadOptions {
    ReadOptions { valid_at: Some(point.valid_at), known_at: Some(point.known_at), ..ReadOptions::default() }
}

/// Returns a source of a name.
pub(crate) fn source(kind: SourceKind, name: &str) -> Arc<Source> {
    Arc::new(Source { name: Some(name.into()), ..Source::of(kind) })
}

/// Returns a candidate as plain as can be.
pub(crate) fn proposal(subject: &Reference, says: Statement, source: &Arc<Source>) -> Proposal {
    Proposal {
        subject: subject.clone(),
        says,
        scope: Scope::root(),
        valid_from: None,
        valid_until: None,
        time_ref: TimeRef::Current,
        action: None,
        target: None,
        confidence: None,
        source: Arc::clone(source),
        raw: None,
        metadata: None,
    }
}

/// Returns the statement that a key has a text.
pub(crate) fn says(key: &Arc<str>, value: &str) -> Statement {
    Statement::Attribute { key: Arc::clone(key), value: Value::text(value), event: None }
}

/// Returns a turn of some candidates.
pub(crate) fn turn(candidates: Vec<Proposal>, known_at: Option<Timestamp>) -> Turn {
    Turn { candidates, message: None, options: WriteOptions { known_at, ..WriteOptions::default() } }
}

/// Carries out a turn.
pub(crate) async fn submit(graph: &Graph, turn: Turn) -> Outcome<Answer> {
    match graph.submit(turn).await? {
        Replied::New(answer) => Ok(answer),
        Replied::Kept(_) | Replied::Gone(_) => Err("a turn without a key was answered from memory".into()),
    }
}

/// Writes a corpus.
pub(crate) async fn load(graph: &Graph, corpus: &Corpus) -> Outcome<()> {
    let names: Vec<Reference> = corpus.names.iter().map(|name| reference(name)).collect::<Result<_, _>>()?;
    let source = source(SourceKind::Upsert, "bench");
    for step in &corpus.turns {
        let candidates = step.claims.iter().map(|claim| {
            let says = says(&claim.key, &claim.value);
            Proposal { valid_from: Some(claim.from), ..proposal(&names[claim.entity], says, &source) }
        });
        submit(graph, turn(candidates.collect(), Some(step.known_at))).await?;
    }
    Ok(())
}

/// Returns the text of a value.
pub(crate) fn text(value: &Value) -> &str {
    match value {
        Value::Text(text) => text,
        _ => "",
    }
}

/// Asks a line of the protocol and fails unless the answer is ok.
pub(crate) async fn ask(graph: &Graph, line: &str) -> Outcome<serde_json::Value> {
    let answer: serde_json::Value = serde_json::from_str(&hitherto::answer(graph, line).await)?;
    if answer["ok"] == true { Ok(answer) } else { Err(format!("{line} was answered {answer}").into()) }
}
