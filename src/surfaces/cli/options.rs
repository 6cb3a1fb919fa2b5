//! Options that several commands share.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::Value as Json;

use super::entity::Entity;
use super::request::Body;
use super::value::json_argument;
use crate::facts::{Action, SourceKind};
use crate::reconcile::TimeRef;

/// From where a read looks.
#[derive(Args, Debug)]
#[command(next_help_heading = "Where to look from")]
pub(super) struct Coordinates {
    /// What held at this instant: RFC 3339 with an offset, or a date [default: now]
    #[arg(long, value_name = "T")]
    at: Option<String>,
    /// What the store believed at this instant [default: the latest]
    #[arg(long, value_name = "T")]
    known: Option<String>,
    #[command(flatten)]
    rest: Narrowing,
}

/// What a read leaves out, and how much of a list it shows.
#[derive(Args, Debug)]
#[command(next_help_heading = "Where to look from")]
pub(super) struct Narrowing {
    /// Only this scope and its ancestors [default: all scopes]
    #[arg(long, value_name = "PATH")]
    scope: Option<String>,
    /// Show what was forgotten, too
    #[arg(long)]
    include_forgotten: bool,
    /// Show at most so many entries
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Go on where an earlier answer stopped
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
    /// Repeat the answer that had this basis (JSON)
    #[arg(long, value_name = "JSON", value_parser = json_argument)]
    basis: Option<Json>,
    /// Answer in part after so many milliseconds
    #[arg(long, value_name = "MS")]
    timeout_ms: Option<u64>,
}

impl Coordinates {
    /// Adds them to a request.
    pub(super) fn add(&self, body: Body) -> Body {
        self.rest.add(body.maybe("valid_at", self.at.as_ref()).maybe("known_at", self.known.as_ref()))
    }
}

impl Narrowing {
    /// Adds them to a request.
    pub(super) fn add(&self, body: Body) -> Body {
        body.maybe("scope", self.scope.as_ref())
            .flag("include_forgotten", self.include_forgotten)
            .maybe("limit", self.limit.as_ref())
            .maybe("cursor", self.cursor.as_ref())
            .maybe("basis", self.basis.as_ref())
            .maybe("timeout_ms", self.timeout_ms.as_ref())
    }
}

/// The slot that a read is about.
#[derive(Args, Debug)]
pub(super) struct Slot {
    /// The key
    #[arg(required_unless_present = "label", conflicts_with = "label")]
    key: Option<String>,
    /// The label of a relation, in place of a key
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// The other end of the relation
    #[arg(long, value_name = "ENTITY", requires = "label")]
    object: Option<Entity>,
}

impl Slot {
    /// Adds it to a request.
    pub(super) fn add(&self, body: Body) -> Body {
        body.maybe("key", self.key.as_ref())
            .maybe("label", self.label.as_ref())
            .entity("object", self.object.as_ref())
    }

    /// Returns the key, where it is one.
    pub(super) fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Returns the key or the label.
    pub(super) fn name(&self) -> &str {
        self.key.as_deref().or(self.label.as_deref()).unwrap_or_default()
    }
}

/// When a claim holds, and where.
#[derive(Args, Debug)]
#[command(next_help_heading = "When and where it holds")]
pub(super) struct Validity {
    /// From when it holds: RFC 3339 with an offset, a date, or `beginning` [default: when it was observed, else now]
    #[arg(long, value_name = "T")]
    from: Option<String>,
    /// Until when it holds, that instant excluded, or `open` [default: the next believed change, else open]
    #[arg(long, value_name = "T")]
    until: Option<String>,
    /// The scope it holds in [default: /]
    #[arg(long, value_name = "PATH")]
    scope: Option<String>,
    /// The time that its words speak of
    #[arg(long, value_name = "WORD", value_parser = words(TimeRef::ALL.iter().map(|word| word.as_str())))]
    time_ref: Option<String>,
}

/// Where a claim comes from.
#[derive(Args, Debug)]
#[command(next_help_heading = "Where it comes from")]
pub(super) struct Origin {
    /// The kind of its source [default: turn]
    #[arg(long, value_name = "KIND", value_parser = words(SourceKind::ALL.iter().map(|word| word.as_str())))]
    source_kind: Option<String>,
    /// The name of its source
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// The place in the source
    #[arg(long = "ref", value_name = "REF")]
    reference: Option<String>,
    /// The first character in the source, and the one after the last
    #[arg(long, num_args = 2, value_names = ["FROM", "UNTIL"])]
    span: Option<Vec<u64>>,
    /// The session it was said in
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// How far the source is trusted, from 0 to 1; recorded, decides nothing
    #[arg(long, value_name = "X", value_parser = finite)]
    trust: Option<f64>,
    /// When the claim was made or read
    #[arg(long, value_name = "T")]
    observed_at: Option<String>,
    /// A fact that it was derived from; may be repeated
    #[arg(long, value_name = "FACT")]
    derived_from: Vec<String>,
    /// The sentence it was read from
    #[arg(long, value_name = "TEXT")]
    raw: Option<String>,
    /// Anything to keep with it (JSON)
    #[arg(long, value_name = "JSON", value_parser = json_argument)]
    metadata: Option<Json>,
}

/// What the caller makes of a claim.
#[derive(Args, Debug)]
#[command(next_help_heading = "What you make of it")]
pub(super) struct Judgement {
    /// How sure the source is, from 0 to 1 [default: by the kind of source]
    #[arg(long, value_name = "X", value_parser = finite)]
    confidence: Option<f64>,
    /// The action proposed; it can only lower the effect
    #[arg(long, value_name = "ACTION", ignore_case = true, value_parser = words(Action::ALL.iter().map(|word| word.as_str())))]
    action: Option<String>,
    /// The fact that it is about
    #[arg(long, value_name = "FACT")]
    target: Option<String>,
}

/// How the turn is written down.
#[derive(Args, Debug)]
#[command(next_help_heading = "How it is written down")]
pub(super) struct Writing {
    /// The known time of the turn, after the newest one [default: now]
    #[arg(long, value_name = "T")]
    known_at: Option<String>,
    /// Who writes
    #[arg(long, value_name = "NAME", env = "HITHERTO_ACTOR")]
    actor: Option<String>,
    /// Makes a second sending of the same request harmless
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

/// Whether to store anything.
#[derive(Args, Debug)]
#[command(next_help_heading = "How it is written down")]
pub(super) struct Trial {
    /// Say what would be done, and store nothing
    #[arg(long)]
    dry_run: bool,
}

/// All that a claim can carry.
#[derive(Args, Debug)]
pub(super) struct Claim {
    #[command(flatten)]
    validity: Validity,
    #[command(flatten)]
    origin: Origin,
    #[command(flatten)]
    judgement: Judgement,
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    trial: Trial,
}

impl Claim {
    /// Adds all of it to a request.
    pub(super) fn add(&self, body: Body) -> Body {
        let Self { validity, origin, judgement, writing, trial } = self;
        let source = Body::part()
            .maybe("kind", origin.source_kind.as_ref())
            .maybe("name", origin.source.as_ref())
            .maybe("ref", origin.reference.as_ref())
            .maybe("span", origin.span.as_ref())
            .maybe("session", origin.session.as_ref())
            .maybe("trust", origin.trust.as_ref())
            .maybe("observed_at", origin.observed_at.as_ref())
            .list("derived_from", &origin.derived_from);
        let body = body
            .maybe("valid_from", validity.from.as_ref())
            .maybe("valid_until", validity.until.as_ref())
            .maybe("scope", validity.scope.as_ref())
            .maybe("time_ref", validity.time_ref.as_ref())
            .maybe("action", judgement.action.as_ref().map(|word| word.to_uppercase()).as_ref())
            .maybe("target", judgement.target.as_ref())
            .maybe("confidence", judgement.confidence.as_ref())
            .object("source", source)
            .maybe("raw", origin.raw.as_ref())
            .maybe("metadata", origin.metadata.as_ref());
        trial.add(writing.add(body))
    }
}

impl Writing {
    /// Adds it to a request.
    pub(super) fn add(&self, body: Body) -> Body {
        body.maybe("known_at", self.known_at.as_ref())
            .maybe("actor", self.actor.as_ref())
            .maybe("idempotency_key", self.idempotency_key.as_ref())
    }

    /// Adds it to a request that somebody has to answer for: the name of the
    /// account where no other is given.
    pub(super) fn add_signed(&self, body: Body) -> Body {
        let account = || std::env::var("USER").ok().filter(|name| !name.is_empty());
        let actor = self.actor.clone().or_else(account).unwrap_or_else(|| "operator".to_owned());
        self.add(body).with("actor", actor)
    }
}

impl Trial {
    /// Adds it to a request.
    pub(super) fn add(&self, body: Body) -> Body {
        body.flag("dry_run", self.dry_run)
    }
}

/// Returns the parser of a closed list of words, which suggests the nearest.
fn words(words: impl Iterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(words.collect::<Vec<_>>())
}

/// Reads a number that JSON can write.
fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("it is not a number".to_owned()),
    }
}
