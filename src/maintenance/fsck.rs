//! What can be wrong with the facts of one entity.

use std::collections::HashMap;
use std::sync::Arc;

use crate::facts::{Fact, FactId, LineKind, Pillar, Standing, Uncertainty};
use crate::policy::{Policies, Slots};
use crate::reconcile::competes;
use crate::time::{Period, Timestamp};

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which check found it.
    pub check: &'static str,
    /// Where.
    pub place: String,
    /// What.
    pub says: String,
    /// Whether it was mended.
    pub repaired: bool,
}

impl Finding {
    /// Returns a finding that is not mended.
    #[must_use]
    pub fn new(check: &'static str, place: impl Into<String>, says: impl Into<String>) -> Self {
        Self { check, place: place.into(), says: says.into(), repaired: false }
    }
}

/// Checks the facts and uncertainties of one entity: rectangles, links, sides.
#[must_use]
pub fn check_entity(
    facts: &[Arc<Fact>],
    doubts: &[Arc<Uncertainty>],
    newest: Timestamp,
    policies: &Policies,
    slots: &Slots,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let by_id: HashMap<FactId, &Fact> = facts.iter().map(|fact| (fact.id, &**fact)).collect();
    for fact in facts {
        let place = || format!("{} of {}", fact.id, fact.subject);
        if fact.recorded_at() > newest {
            findings.push(Finding::new("periods", place(), "it is known from after the newest transaction"));
        }
        if fact.coverage.rectangles().iter().any(|r| r.known.from() < fact.recorded_at()) {
            findings.push(Finding::new("periods", place(), "it is believed from before it was recorded"));
        }
        if fact.line != fact.claim.line() {
            findings.push(Finding::new("lines", place(), "it lies on another line than its claim"));
        }
        for earlier in &fact.supersedes {
            match by_id.get(earlier) {
                Some(other) if other.superseded_by.iter().any(|link| link.fact == fact.id) => {}
                Some(_) => findings.push(Finding::new(
                    "links",
                    place(),
                    format!("{earlier} does not know that it was superseded"),
                )),
                None if fact.line.kind == LineKind::Relation => {}
                None => findings.push(Finding::new(
                    "links",
                    place(),
                    format!("it supersedes {earlier}, which is not there"),
                )),
            }
            if *earlier >= fact.id && fact.held.is_none() {
                findings.push(Finding::new(
                    "links",
                    place(),
                    format!("it supersedes {earlier}, which is no earlier"),
                ));
            }
        }
        for link in &fact.superseded_by {
            match by_id.get(&link.fact) {
                Some(other) if other.supersedes.contains(&fact.id) => {}
                Some(_) => findings.push(Finding::new(
                    "links",
                    place(),
                    format!("{} does not know that it superseded it", link.fact),
                )),
                None if fact.line.kind == LineKind::Relation => {}
                None => findings.push(Finding::new(
                    "links",
                    place(),
                    format!("it was superseded by {}, which is not there", link.fact),
                )),
            }
        }
    }
    findings.extend(check_rectangles(facts, policies, slots));
    for doubt in doubts {
        let missing = doubt.sides.iter().all(|(side, _)| !by_id.contains_key(side));
        if missing && doubt.candidates.is_empty() {
            findings.push(Finding::new("uncertainties", doubt.id.to_string(), "none of its sides is there"));
        }
    }
    findings
}

/// Proves that in a slot of one pillar at most one value is believed at any point.
fn check_rectangles(facts: &[Arc<Fact>], policies: &Policies, slots: &Slots) -> Vec<Finding> {
    let mut places: HashMap<(LineKind, &str, Pillar, &str), Vec<&Fact>> = HashMap::new();
    for fact in facts.iter().filter(|fact| fact.standing == Standing::Claim && !fact.coverage.is_empty()) {
        let key = match fact.line.kind {
            // Every spelling of a declared slot is one place.
            LineKind::Attribute => slots.declared(&fact.line.key).map_or(&*fact.line.key, |slot| &slot.name),
            LineKind::Relation => &fact.line.key,
            LineKind::Event | LineKind::Note => continue,
        };
        places.entry((fact.line.kind, key, fact.pillar, fact.scope.as_str())).or_default().push(fact);
    }
    let mut findings = Vec::new();
    for ((kind, key, _, scope), facts) in places {
        let policy = policies.effective(scope);
        let slot = if kind == LineKind::Attribute { slots.declared(key) } else { None };
        // By the start of their valid time, so that each is compared only with
        // those that begin before it ends.
        let mut pieces: Vec<_> = facts
            .iter()
            .flat_map(|fact| fact.coverage.rectangles().iter().map(move |r| (*r, *fact)))
            .collect();
        pieces.sort_by_key(|(r, fact)| (r.valid.from(), fact.id));
        for (place, (rectangle, fact)) in pieces.iter().enumerate() {
            let reach =
                pieces[place + 1..].iter().take_while(|(r, _)| r.valid.from() < rectangle.valid.until());
            for (other_rectangle, other) in reach {
                // What different spellings said before they were declared one slot is
                // no clash; only what is believed of both today is.
                let is_latest = |known: Period| known.until() == Timestamp::OPEN;
                let counts = fact.line == other.line
                    || (is_latest(rectangle.known) && is_latest(other_rectangle.known));
                if fact.id != other.id
                    && counts
                    && rectangle.intersects(*other_rectangle)
                    && competes(fact, other, &policy, slot)
                {
                    findings.push(Finding::new(
                        "rectangles",
                        format!("{} of {}", fact.claim.key(), fact.subject),
                        format!("{} and {} are both believed over {}", fact.id, other.id, rectangle.valid),
                    ));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests;
