//! Looking after a store: statistics, checks, reviews.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Graph;
use super::reading::{Read, ReadOptions};
use crate::error::{Error, ErrorKind};
use crate::facts::{Claim, Fact, FactId, Standing, Status, words};
use crate::identity::{EntityId, EntityType};
use crate::maintenance::{Bearer, Finding, Pair, check_entity, duplicates};
use crate::store::{EntityUnit, Era, is_indexed};

/// How many entities are fetched at once when all are visited.
const PAGE: usize = 256;

/// Counts of what is stored.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Counts by name.
    pub counts: Vec<(&'static str, u64)>,
}

words! {
    /// What has become of a fact since a decision was taken on it.
    ///
    /// ```
    /// use hitherto::Fate;
    ///
    /// assert_eq!(Fate::Believed.as_str(), "believed");
    /// ```
    Fate {
        /// It is believed still.
        Believed = "believed",
        /// Another took its place.
        Corrected = "corrected",
        /// Its period is over.
        Ended = "ended",
        /// Belief in it ended with no successor.
        Retracted = "retracted",
        /// It was forgotten.
        Forgotten = "forgotten",
        /// It is not there any more.
        Purged = "purged",
    }
}

/// A fact of a decision, as it stands now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The fact.
    pub fact: FactId,
    /// What has become of it.
    pub fate: Fate,
    /// By which fact.
    pub by: Option<FactId>,
}

impl Graph {
    /// Lists every entity there is.
    pub(super) async fn everybody(&self) -> Result<Vec<EntityId>, Error> {
        let mut all = Vec::new();
        for kind in EntityType::ALL {
            all.extend(self.inner.store.reader.roll(kind, "", None).await?.into_iter().map(|row| row.entity));
        }
        Ok(all)
    }

    /// Reports pairs of entities that may be one and the same, each with the
    /// keys on which they agree.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn duplicates(&self, floor: f64) -> Result<Vec<(Bearer, Bearer, Pair, Vec<Arc<str>>)>, Error> {
        let mut bearers: Vec<Bearer> = Vec::new();
        for kind in EntityType::ALL.into_iter().filter(|kind| *kind != EntityType::Unknown) {
            for page in self.inner.store.reader.roll(kind, "", None).await?.chunks(PAGE) {
                let entities: Vec<EntityId> = page.iter().map(|row| row.entity.clone()).collect();
                let units = self.inner.store.reader.entities(&entities).await?;
                for (row, unit) in page.iter().cloned().zip(units) {
                    let shown = unit.head.iter().filter(|fact| !fact.is_forgotten());
                    let scopes = shown.map(|fact| fact.scope.clone()).collect();
                    bearers.push(Bearer { entity: row.entity, display: row.display, scopes });
                }
            }
        }
        bearers.sort_by(|a, b| a.entity.cmp(&b.entity));
        let mut reported = Vec::new();
        for pair in duplicates(&bearers, floor) {
            let (a, b) = (bearers[pair.a].clone(), bearers[pair.b].clone());
            let shared = self.shared_keys(&a.entity, &b.entity).await?;
            reported.push((a, b, pair, shared));
        }
        Ok(reported)
    }

    /// Lists the keys on which two entities hold one value.
    async fn shared_keys(&self, a: &EntityId, b: &EntityId) -> Result<Vec<Arc<str>>, Error> {
        let (a, b) = (self.inner.store.reader.entity(a).await?, self.inner.store.reader.entity(b).await?);
        let counts = |fact: &&Arc<Fact>| {
            fact.standing == Standing::Claim && !fact.is_forgotten() && fact.is_believed()
        };
        let agrees = |fact: &Fact| {
            b.line(&fact.line).iter().filter(counts).any(|other| other.claim.says_the_same(&fact.claim))
        };
        let keys: BTreeSet<Arc<str>> = a
            .head
            .iter()
            .filter(counts)
            .filter(|fact| agrees(fact))
            .map(|fact| fact.claim.key().into())
            .collect();
        Ok(keys.into_iter().collect())
    }

    /// Counts what is stored.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn statistics(&self, options: &ReadOptions) -> Result<Read<Statistics>, Error> {
        let opening = self.opening(options).await?;
        let reader = &self.inner.store.reader;
        let mut counts = Vec::new();
        for (name, table) in [
            ("entities", "entity"),
            ("facts", "fact"),
            ("turns", "turn"),
            ("uncertainties", "uncertainty"),
            ("policies", "policy"),
            ("decisions", "decision"),
        ] {
            counts.push((name, reader.count(table).await?));
        }
        counts.push(("uncertainties_open", reader.doubtful(true).await?.len() as u64));
        counts.push(("engine_calls", self.engine_calls()));
        Ok(Read { basis: opening.basis, at: opening.at, names: Vec::new(), result: Statistics { counts } })
    }

    /// Checks everything that is stored; with `repair`, mends what is derived.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store, where it cannot be read at all.
    pub async fn check(&self, repair: bool) -> Result<(Vec<(&'static str, u64)>, Vec<Finding>), Error> {
        let reader = &self.inner.store.reader;
        let newest = self.inner.published.newest();
        let rules = self.inner.published.rules();
        let (mut entities, mut facts, mut doubts) = (0, 0, 0);
        let mut findings = Vec::new();
        let mut holders: BTreeSet<Vec<String>> = BTreeSet::new();
        let mut inbound: BTreeSet<Vec<String>> = BTreeSet::new();
        let mut names: BTreeSet<Vec<String>> = BTreeSet::new();
        let mut objects: BTreeSet<EntityId> = BTreeSet::new();
        let mut known: BTreeSet<EntityId> = BTreeSet::new();
        let mut placeholders = 0;
        for kind in EntityType::ALL {
            for page in reader.roll(kind, "", None).await?.chunks(PAGE) {
                for row in page.iter().cloned() {
                    let entity = row.entity;
                    let unit = reader.entity(&entity).await?;
                    let mut all: Vec<(Era, Arc<Fact>)> =
                        unit.head.iter().map(|f| (Era::Head, Arc::clone(f))).collect();
                    let past = reader.past(&entity, &unit, None).await?;
                    let events = reader.events(&entity, &unit).await?;
                    all.extend(past.iter().map(|f| (Era::Past, Arc::clone(f))));
                    all.extend(events.iter().map(|f| (Era::Events, Arc::clone(f))));
                    findings.extend(tally(&entity, &unit, &past, &events));
                    let own = reader.doubts(&entity, &unit).await?;
                    doubts += own.len() as u64;
                    facts += all.len() as u64;
                    entities += 1;
                    for (era, fact) in &all {
                        index_rows(*era, fact, &mut holders, &mut inbound);
                        objects.extend(fact.claim.object().cloned());
                    }
                    let list: Vec<Arc<Fact>> = all.into_iter().map(|(_, fact)| fact).collect();
                    findings.extend(check_entity(
                        &list,
                        &own,
                        newest.known_at,
                        &rules.policies,
                        &rules.slots,
                    ));
                    names.insert(vec![entity.name.as_str().to_owned(), entity.kind.as_str().to_owned()]);
                    placeholders += u64::from(kind == EntityType::Unknown);
                    known.insert(entity);
                }
            }
        }
        for object in objects.difference(&known) {
            findings.push(Finding::new(
                "dangling",
                object.to_string(),
                "a relation ends at an entity that is not on the roll",
            ));
        }
        for (table, wanted) in [("holder", &holders), ("inbound", &inbound), ("name", &names)] {
            let held: BTreeSet<Vec<String>> = reader.index_rows(table).await?.into_iter().collect();
            for row in wanted.difference(&held) {
                findings.push(Finding::new(
                    "index",
                    format!("{table}:{row:?}"),
                    "a fact has no row in the index",
                ));
            }
            // A row too many only costs a look; a value that is held no more
            // leaves its row of the past behind on purpose.
            let stale = held.difference(wanted).filter(|row| !is_past_row(table, row));
            for row in stale {
                findings.push(Finding::new(
                    "index",
                    format!("{table}:{row:?}"),
                    "a row of the index has no fact",
                ));
            }
        }
        if repair && findings.iter().any(|finding| finding.check == "index") {
            self.inner.store.writer.rebuild(&holders, &inbound, &names).await?;
            for finding in findings.iter_mut().filter(|finding| finding.check == "index") {
                finding.repaired = true;
            }
        }
        let checked = vec![
            ("entities", entities),
            ("facts", facts),
            ("uncertainties", doubts),
            ("holders", holders.len() as u64),
            ("inbound", inbound.len() as u64),
            ("placeholders", placeholders),
        ];
        Ok((checked, findings))
    }

    /// Says what has become of the facts that a decision was taken on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] where there is no such decision.
    pub async fn review(&self, tx: u64, options: &ReadOptions) -> Result<Read<Vec<Reviewed>>, Error> {
        let opening = self.opening(options).await?;
        let unknown = || {
            Error::new(ErrorKind::NotFound, "id_unknown", format!("there is no decision D{tx}"))
                .at_field("id")
        };
        let decision = self.inner.store.reader.decision(tx).await?.ok_or_else(unknown)?;
        let snapshot = self.snapshot(&opening);
        let mut reviewed = Vec::new();
        for id in decision.facts {
            let found = snapshot.find(id).await?;
            let (fate, by) = match &found {
                None => (Fate::Purged, None),
                Some((fact, _, _)) => fate(fact, opening.at, &snapshot).await?,
            };
            reviewed.push(Reviewed { fact: id, fate, by });
        }
        Ok(Read { basis: opening.basis, at: opening.at, names: Vec::new(), result: reviewed })
    }
}

/// Says what has become of a fact, and through which other.
async fn fate(
    fact: &Fact,
    at: crate::query::Coordinate,
    snapshot: &crate::query::Snapshot<'_>,
) -> Result<(Fate, Option<FactId>), Error> {
    if fact.is_forgotten() {
        return Ok((Fate::Forgotten, None));
    }
    if fact.coverage.contains(at.valid_at, at.known_at)
        || fact.held.as_ref().is_some_and(|held| held.is_open_at(at.known_at))
    {
        return Ok((Fate::Believed, None));
    }
    let by = fact.superseded_by_at(at.known_at).last();
    if fact.status_at(at.known_at) == Status::Superseded
        && let Some(by) = by
    {
        let other = snapshot.find(by).await?;
        let ended = other.is_some_and(|(other, _, _)| other.standing == Standing::Removal);
        return Ok((if ended { Fate::Retracted } else { Fate::Corrected }, Some(by)));
    }
    Ok((Fate::Ended, None))
}

fn tally(entity: &EntityId, unit: &EntityUnit, past: &[Arc<Fact>], events: &[Arc<Fact>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (what, counted, found) in [("past", unit.past, past.len()), ("events", unit.events, events.len())] {
        if counted != found as u64 {
            findings.push(Finding::new(
                "counts",
                entity.to_string(),
                format!("{what} is counted as {counted} and is {found}"),
            ));
        }
    }
    if past.iter().filter_map(|fact| fact.believed_until()).any(|until| until > unit.horizon) {
        findings.push(Finding::new(
            "horizon",
            entity.to_string(),
            "what lies in the past reaches beyond its horizon",
        ));
    }
    findings
}

fn index_rows(
    era: Era,
    fact: &Fact,
    holders: &mut BTreeSet<Vec<String>>,
    inbound: &mut BTreeSet<Vec<String>>,
) {
    let era = match era {
        Era::Head => "0",
        Era::Past => "1",
        Era::Events => return,
    };
    if !is_indexed(fact) {
        return;
    }
    let subject = [fact.subject.kind.as_str().to_owned(), fact.subject.name.as_str().to_owned()];
    match &fact.claim {
        Claim::Attribute { value, .. } => {
            let mut row = vec![fact.line.key.to_string(), crate::store::value_key(value), era.to_owned()];
            row.extend(subject);
            holders.insert(row);
        }
        Claim::Relation { label, object, .. } => {
            let mut row = vec![
                object.kind.as_str().to_owned(),
                object.name.as_str().to_owned(),
                era.to_owned(),
                label.to_string(),
            ];
            row.extend(subject);
            inbound.insert(row);
        }
        Claim::Event { .. } | Claim::Note { .. } => {}
    }
}

fn is_past_row(table: &str, row: &[String]) -> bool {
    match table {
        "holder" | "inbound" => row.get(2).is_some_and(|era| era == "1"),
        _ => false,
    }
}
