//! Candidates and sources as the protocol writes them.

use std::str::FromStr;
use std::sync::Arc;

use serde_json::Value as Json;

use super::fields::{Fields, missing, value, within};
use crate::error::Error;
use crate::facts::{Action, FactId, Scope, Source, SourceKind, Tier};
use crate::reconcile::{Target, TimeRef};
use crate::time::{Period, Timestamp};
use crate::{Proposal, Statement};

/// The operations that say something.
pub(super) const CANDIDATES: [&str; 5] = ["assert", "relate", "event", "note", "retract"];

/// Reads a candidate of the operation `op`, leaving what belongs to its turn.
pub(super) fn candidate(op: &str, fields: &mut Fields) -> Result<Proposal, Error> {
    let subject = fields.need_reference("subject")?;
    let mut at = None;
    let event = fields.word(
        "kind",
        |word| ["state", "event"].contains(&word).then_some(word == "event"),
        &["state", "event"],
    )?;
    if event == Some(true) && !matches!(op, "assert" | "event") {
        let message = format!("kind \"event\" does not go with op {op:?}");
        return Err(Error::invalid("value_invalid", message).at_field("kind"));
    }
    let says = match op {
        "assert" => Statement::Attribute {
            key: fields.need_key("key")?,
            value: value(fields.need("value")?, "value")?,
            event,
        },
        "relate" => {
            let label = fields.need_key("label")?;
            Statement::Relation { label, object: fields.need_reference("object")? }
        }
        "event" => {
            at = fields.instant("at")?;
            Statement::Attribute {
                key: fields.need_key("key")?,
                value: value(fields.need("value")?, "value")?,
                event: Some(true),
            }
        }
        "note" => {
            let text = fields.need_text("text")?;
            if text.trim().is_empty() {
                return Err(Error::invalid("value_empty", "text is empty").at_field("text"));
            }
            let tier = fields.word("tier", Tier::parse, &["l1", "l2", "l3"])?.unwrap_or(Tier::L1);
            let _ = value(Json::String(text.to_string()), "text")?;
            Statement::Note { text, tier }
        }
        "retract" if fields.has("label") || fields.has("object") => {
            let label = fields.need_key("label")?;
            Statement::RelationEnds { label, object: fields.reference("object")? }
        }
        "retract" => {
            let key = fields.need_key("key")?;
            Statement::ValueEnds { key, value: fields.value("value")? }
        }
        other => {
            let message = format!("op {other:?} is none of {}", CANDIDATES.join(", "));
            return Err(Error::invalid("op_unknown", message).at_field("op"));
        }
    };
    let (valid_from, valid_until) = period(fields, at)?;
    let source = source(fields)?;
    let confidence = confidence(fields)?;
    let kinds: Vec<&str> = Action::ALL.iter().map(|action| action.as_str()).collect();
    let times: Vec<&str> = TimeRef::ALL.iter().map(|time| time.as_str()).collect();
    Ok(Proposal {
        subject,
        says,
        scope: fields.scope("scope")?.unwrap_or_else(Scope::root),
        valid_from,
        valid_until,
        time_ref: fields.word("time_ref", TimeRef::parse, &times)?.unwrap_or(TimeRef::Unknown),
        action: fields.word("action", Action::parse, &kinds)?,
        target: target(fields)?,
        confidence,
        source: Arc::new(source),
        raw: fields.text("raw")?,
        metadata: fields.value("metadata")?,
    })
}

/// Reads the period of a candidate; a start that is not before its end is refused.
fn period(
    fields: &mut Fields,
    at: Option<Timestamp>,
) -> Result<(Option<Timestamp>, Option<Timestamp>), Error> {
    let (from, until) = (fields.start("valid_from")?, fields.end("valid_until")?);
    if let Some(at) = at {
        if from.is_some() || until.is_some() {
            let message = "at goes without valid_from and valid_until";
            return Err(Error::invalid("period_twice", message).at_field("at"));
        }
        return Ok((Some(at), Some(at.next())));
    }
    if let (Some(from), Some(until)) = (from, until) {
        Period::new(from, until).map_err(|e| Error::from(e).at_field("valid_until"))?;
    }
    Ok((from, until))
}

fn confidence(fields: &mut Fields) -> Result<Option<f64>, Error> {
    match fields.take("confidence")? {
        None => Ok(None),
        Some(given) => match given.as_f64() {
            Some(number) if (0.0..=1.0).contains(&number) => Ok(Some(number)),
            _ => {
                let message = format!("confidence {given} is not a number from 0 to 1");
                Err(Error::invalid("confidence_range", message).at_field("confidence"))
            }
        },
    }
}

fn target(fields: &mut Fields) -> Result<Option<Target>, Error> {
    read_target(fields).map_err(within("target"))
}

fn read_target(fields: &mut Fields) -> Result<Option<Target>, Error> {
    match fields.take("target")? {
        None => Ok(None),
        // An id that nobody gave out names no believed fact and is ignored as such.
        Some(Json::String(id)) => {
            Ok(Some(Target::Fact(FactId::from_str(&id).unwrap_or(FactId { tx: 0, place: 0 }))))
        }
        Some(given) => {
            let mut fields = Fields::new(given, "target")?;
            let named = value(fields.need("value")?, "target.value")?;
            fields.finish()?;
            Ok(Some(Target::Value(named)))
        }
    }
}

/// Reads a source: an object, or a bare name of a turn.
fn source(fields: &mut Fields) -> Result<Source, Error> {
    read_source(fields).map_err(within("source"))
}

fn read_source(fields: &mut Fields) -> Result<Source, Error> {
    let given = match fields.take("source")? {
        None => return Ok(Source::of(SourceKind::Turn)),
        Some(Json::String(name)) => {
            return Ok(Source { name: named(Some(name.into())), ..Source::of(SourceKind::Turn) });
        }
        Some(given) => given,
    };
    let mut fields = Fields::new(given, "source")?;
    let kinds: Vec<&str> = SourceKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let kind = fields.word("kind", SourceKind::parse, &kinds)?.unwrap_or(SourceKind::Turn);
    let derived_from = match fields.take("derived_from")? {
        None => Vec::new(),
        Some(Json::Array(ids)) => ids
            .iter()
            .map(|id| {
                let text = id.as_str().unwrap_or_default();
                FactId::from_str(text)
                    .map_err(|e| Error::invalid("id_invalid", e.to_string()).at_field("source.derived_from"))
            })
            .collect::<Result<_, _>>()?,
        Some(_) => {
            return Err(Error::invalid("value_invalid", "source.derived_from is no list of ids")
                .at_field("source.derived_from"));
        }
    };
    let source = Source {
        kind,
        name: named(fields.text("name")?),
        reference: fields.text("ref")?,
        span: span(&mut fields)?,
        session: fields.text("session")?,
        trust: fields.float("trust")?,
        observed_at: fields.instant("observed_at")?,
        derived_from,
    };
    fields.finish()?;
    Ok(source)
}

/// A name of nothing but white space is nobody's.
fn named(name: Option<Arc<str>>) -> Option<Arc<str>> {
    name.filter(|name| !name.trim().is_empty())
}

fn span(fields: &mut Fields) -> Result<Option<(u64, u64)>, Error> {
    let wrong =
        || Error::invalid("value_invalid", "source.span is not two places in order").at_field("source.span");
    match fields.take("span")? {
        None => Ok(None),
        Some(Json::Array(ends)) => match ends.iter().map(Json::as_u64).collect::<Vec<_>>()[..] {
            [Some(from), Some(until)] if from <= until => Ok(Some((from, until))),
            _ => Err(wrong()),
        },
        Some(_) => Err(wrong()),
    }
}

/// Reads the candidates of a turn; what is wrong with one names its place.
pub(super) fn candidates(fields: &mut Fields) -> Result<Vec<Proposal>, Error> {
    let Json::Array(given) = fields.need("candidates")? else {
        return Err(Error::invalid("value_invalid", "candidates is no list").at_field("candidates"));
    };
    given
        .into_iter()
        .enumerate()
        .map(|(index, given)| one(given).map_err(|error| error.at_index(index)))
        .collect()
}

fn one(given: Json) -> Result<Proposal, Error> {
    let mut fields = Fields::new(given, "the candidate")?;
    let op = fields.text("op")?.ok_or_else(|| missing("op"))?;
    let candidate = candidate(&op, &mut fields)?;
    fields.finish()?;
    Ok(candidate)
}
