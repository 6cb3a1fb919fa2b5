//! Reads: a coordinate, a basis, an answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Graph;
use super::published::Newest;
use super::turn::Reference;
use crate::error::{Error, ErrorKind};
use crate::facts::{FactId, Scope};
use crate::identity::EntityId;
use crate::query::{
    Change, Condition, Coordinate, Entry, Explained, Got, Neighbourhood, Profile, Resolution, Route,
    Rulebook, Segment, Snapshot, Walk, What,
};
use crate::store::{OutcomeRow, TurnRow};
use crate::time::{Period, Timestamp};

/// What an answer rests on: handing it back repeats the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Basis {
    /// The last transaction that counts.
    pub tx: u64,
    /// The known instant.
    pub known_at: Timestamp,
    /// The valid instant.
    pub valid_at: Timestamp,
}

/// From where and how to look.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The valid instant; now where absent.
    pub valid_at: Option<Timestamp>,
    /// The known instant; the latest where absent.
    pub known_at: Option<Timestamp>,
    /// The scope; all of them where absent.
    pub scope: Option<Scope>,
    /// Whether forgotten facts are shown.
    pub include_forgotten: bool,
    /// The basis of an earlier answer.
    pub basis: Option<Basis>,
    /// How long the answer may take before it is cut short.
    pub timeout: Option<Duration>,
}

/// An answer with what it rests on.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// What it rests on.
    pub basis: Basis,
    /// The point that was looked from.
    pub at: Coordinate,
    /// The names, as first written, of the entities in it.
    pub names: Vec<(EntityId, Arc<str>)>,
    /// The answer.
    pub result: T,
}

/// A part of a list.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The entries.
    pub entries: Vec<T>,
    /// Whether more follow.
    pub more: bool,
}

/// What a read begins with.
pub(super) struct Opening {
    pub(super) basis: Basis,
    pub(super) at: Coordinate,
    pub(super) rules: Arc<Rulebook>,
    pub(super) newest: Newest,
    settled: Timestamp,
}

impl Graph {
    /// Fixes the point that a read looks from. *Now* is read once, after the
    /// newest transaction is, so that a default read sees every turn that was
    /// acknowledged before it.
    pub(super) async fn opening(&self, options: &ReadOptions) -> Result<Opening, Error> {
        if self.inner.closed.load(Ordering::Acquire) {
            return Err(super::closed());
        }
        let (newest, rules, settled) = self.inner.published.begin();
        let now = self.inner.clock.now().max(newest.known_at);
        let (tx, bound, rules) = match options.basis {
            Some(basis) if basis.tx != newest.tx => {
                let stamp = match basis.tx {
                    0 => Some(Timestamp::BEGINNING),
                    tx => self.inner.store.reader.stamp(tx).await?,
                };
                let unknown = || {
                    Error::invalid("basis_unknown", format!("basis.tx {} is no transaction", basis.tx))
                        .at_field("basis")
                };
                let bound = stamp.ok_or_else(unknown)?;
                (basis.tx, bound, self.inner.published.rules_at(bound))
            }
            _ => (newest.tx, newest.known_at, rules),
        };
        let latest = if newest.tx == 0 { now } else { bound };
        let known_at = options.known_at.or(options.basis.map(|basis| basis.known_at)).unwrap_or(latest);
        let valid_at = options.valid_at.or(options.basis.map(|basis| basis.valid_at)).unwrap_or(now);
        Ok(Opening {
            basis: Basis { tx, known_at, valid_at },
            at: Coordinate {
                valid_at,
                known_at: known_at.min(bound),
                bound,
                include_forgotten: options.include_forgotten,
            },
            rules,
            newest,
            settled,
        })
    }

    pub(super) fn snapshot(&self, opening: &Opening) -> Snapshot<'_> {
        Snapshot::new(&self.inner.store.reader, opening.at, Arc::clone(&opening.rules))
    }

    /// Finds what a reference names; where several bear the name, an error
    /// that lists them.
    async fn named(
        &self,
        snapshot: &Snapshot<'_>,
        reference: &Reference,
        field: &str,
    ) -> Result<Option<EntityId>, Error> {
        match snapshot.resolve(reference.kind, &reference.name).await? {
            Resolution::Known(entity, _) => Ok(Some(entity)),
            Resolution::Nobody => Ok(None),
            Resolution::Several(entities) => {
                let names: Vec<String> = entities.iter().map(ToString::to_string).collect();
                let message = format!(
                    "{field} {:?} names several entities: {}; give its type",
                    &*reference.written,
                    names.join(", ")
                );
                Err(Error::invalid("ambiguous_subject", message).at_field(field))
            }
        }
    }

    /// Finds whom a reference names now, if anybody.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] where several bear the name.
    pub async fn find_entity(&self, reference: &Reference, field: &str) -> Result<Option<EntityId>, Error> {
        let opening = self.opening(&ReadOptions::default()).await?;
        self.named(&self.snapshot(&opening), reference, field).await
    }

    /// Returns the folded spellings of a key, and whether it is declared.
    #[must_use]
    pub fn spellings(&self, key: &str) -> (Vec<Arc<str>>, bool) {
        let slots = &self.inner.published.rules().slots;
        let spellings = slots.spellings(key).into_iter().map(Arc::from).collect();
        (spellings, slots.declared(key).is_some())
    }

    /// Returns the rules in force.
    #[must_use]
    pub fn rules(&self) -> Arc<Rulebook> {
        self.inner.published.rules()
    }

    /// Reads the value of a slot.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] where the reference is ambiguous, or one of the store.
    pub async fn get(
        &self,
        subject: &Reference,
        what: &What,
        options: &ReadOptions,
    ) -> Result<Read<Got>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let result = match self.named(&snapshot, subject, "subject").await? {
            Some(entity) => snapshot.get(&entity, what, options.scope.as_ref()).await?,
            None => Got { because: Some(crate::query::Because::NeverRecorded), ..Got::default() },
        };
        Ok(Read { basis: opening.basis, at: opening.at, names: snapshot.into_names(), result })
    }

    /// Reads the profile of an entity, with whom it is of where it is there.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub async fn profile(
        &self,
        subject: &Reference,
        options: &ReadOptions,
    ) -> Result<Read<(Option<EntityId>, Profile)>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let result = match self.named(&snapshot, subject, "subject").await? {
            Some(entity) => {
                let profile = snapshot.profile(&entity, options.scope.as_ref()).await?;
                (Some(entity), profile)
            }
            None => (None, Profile::default()),
        };
        Ok(Read { basis: opening.basis, at: opening.at, names: snapshot.into_names(), result })
    }

    /// Reads what held when, within a window.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub async fn timeline(
        &self,
        subject: &Reference,
        what: &What,
        window: Period,
        options: &ReadOptions,
    ) -> Result<Read<Vec<Segment>>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let result = match self.named(&snapshot, subject, "subject").await? {
            Some(entity) => snapshot.timeline(&entity, what, options.scope.as_ref(), window).await?,
            None => Vec::new(),
        };
        Ok(Read { basis: opening.basis, at: opening.at, names: snapshot.into_names(), result })
    }

    /// Reads the history of a slot.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub async fn history(
        &self,
        subject: &Reference,
        what: &What,
        options: &ReadOptions,
    ) -> Result<Read<Vec<Entry>>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let result = match self.named(&snapshot, subject, "subject").await? {
            Some(entity) => snapshot.history(&entity, what, options.scope.as_ref()).await?,
            None => Vec::new(),
        };
        Ok(Read { basis: opening.basis, at: opening.at, names: snapshot.into_names(), result })
    }

    /// Reads who meets every condition, each with its name as first written.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn holders(
        &self,
        conditions: &[Condition],
        options: &ReadOptions,
    ) -> Result<Read<Vec<(EntityId, Arc<str>)>>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let subjects = snapshot
            .holders(conditions, options.scope.as_ref(), opening.newest.known_at, opening.settled)
            .await?;
        let result = self.displayed(subjects).await?;
        Ok(Read { basis: opening.basis, at: opening.at, names: snapshot.into_names(), result })
    }

    /// Adds to entities their names as first written.
    pub(super) async fn displayed(
        &self,
        entities: Vec<EntityId>,
    ) -> Result<Vec<(EntityId, Arc<str>)>, Error> {
        let units = self.inner.store.reader.entities(&entities).await?;
        Ok(entities
            .into_iter()
            .zip(units)
            .map(|(entity, unit)| {
                let name = unit.display.clone().unwrap_or_else(|| entity.name.as_str().into());
                (entity, name)
            })
            .collect())
    }

    /// Returns the name of an entity as first written.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn display(&self, entity: &EntityId) -> Result<Arc<str>, Error> {
        let unit = self.inner.store.reader.entity(entity).await?;
        Ok(unit.display.clone().unwrap_or_else(|| entity.name.as_str().into()))
    }

    /// Walks from an entity.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub async fn neighbours(
        &self,
        subject: &Reference,
        walk: &Walk,
        options: &ReadOptions,
    ) -> Result<Read<Neighbourhood>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let walk = Walk { scope: options.scope.clone(), deadline: deadline(options), ..walk.clone() };
        let result = match self.named(&snapshot, subject, "subject").await? {
            Some(entity) => snapshot.neighbours(&entity, &walk).await?,
            None => Neighbourhood::default(),
        };
        Ok(Read { basis: opening.basis, at: opening.at, names: snapshot.into_names(), result })
    }

    /// Finds the shortest path between two entities, and whether the time ran out.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub async fn path(
        &self,
        from: &Reference,
        to: &Reference,
        walk: &Walk,
        options: &ReadOptions,
    ) -> Result<Read<(Option<Route>, bool)>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let walk = Walk { scope: options.scope.clone(), deadline: deadline(options), ..walk.clone() };
        let ends = (self.named(&snapshot, from, "from").await?, self.named(&snapshot, to, "to").await?);
        let result = match ends {
            (Some(from), Some(to)) => snapshot.path(&from, &to, &walk).await?,
            _ => (None, false),
        };
        Ok(Read { basis: opening.basis, at: opening.at, names: snapshot.into_names(), result })
    }

    /// Reads what changed between two known instants: about a slot, an entity,
    /// or everything that the turns between them touched.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub async fn diff(
        &self,
        subject: Option<&Reference>,
        what: Option<&What>,
        (known_a, known_b): (Timestamp, Timestamp),
        options: &ReadOptions,
    ) -> Result<Read<Vec<Change>>, Error> {
        let opening = self.opening(options).await?;
        let snapshot = self.snapshot(&opening);
        let known = (known_a.min(opening.at.bound), known_b.min(opening.at.bound));
        let scope = options.scope.as_ref();
        let mut changes = Vec::new();
        if let Some(subject) = subject {
            if let Some(entity) = self.named(&snapshot, subject, "subject").await? {
                changes = snapshot.diff(&entity, what, scope, known, options.valid_at).await?;
            }
        } else {
            for (entity, line) in self.touched(known).await? {
                let line = What { kind: line.kind, key: line.key, object: None };
                let is_asked = what.is_none_or(|what| {
                    let spelled = || what.key == line.key || self.spellings(&what.key).0.contains(&line.key);
                    what.kind == line.kind && spelled()
                });
                if is_asked {
                    changes.extend(snapshot.diff_line(&entity, &line, scope, known, options.valid_at).await?);
                }
            }
            let mut seen = std::collections::HashSet::new();
            changes.retain(|change| {
                seen.insert((
                    change.subject.clone(),
                    change.kind,
                    Arc::clone(&change.key),
                    change.scope.clone(),
                    change.valid,
                    format!("{:?}{:?}", change.before, change.after),
                ))
            });
        }
        Ok(Read { basis: opening.basis, at: opening.at, names: Vec::new(), result: changes })
    }

    /// Finds what the turns between two known instants touched.
    async fn touched(
        &self,
        known: (Timestamp, Timestamp),
    ) -> Result<std::collections::BTreeSet<(EntityId, crate::facts::Line)>, Error> {
        let reader = &self.inner.store.reader;
        let newest = self.inner.published.newest().tx;
        let (mut from, until) =
            (self.last_by(known.0, newest).await? + 1, self.last_by(known.1, newest).await?);
        let mut touched = std::collections::BTreeSet::new();
        while from <= until {
            let page = until.min(from + 511);
            for (_, outcomes) in reader.outcomes(from, page).await? {
                touched.extend(outcomes.into_iter().map(|outcome| (outcome.subject, outcome.line)));
            }
            from = page + 1;
        }
        Ok(touched)
    }

    /// Finds the last transaction by a known instant, by halving.
    async fn last_by(&self, known_at: Timestamp, newest: u64) -> Result<u64, Error> {
        let (mut low, mut high) = (0, newest);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match self.inner.store.reader.stamp(middle).await? {
                Some(stamp) if stamp <= known_at => low = middle,
                _ => high = middle - 1,
            }
        }
        Ok(low)
    }

    /// Explains a fact.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] where there is no such fact that may be shown.
    pub async fn explain(&self, id: FactId, options: &ReadOptions) -> Result<Read<Explained>, Error> {
        let opening = self.opening(options).await?;
        let unknown = || {
            Error::new(ErrorKind::NotFound, "id_unknown", format!("there is no fact {id}")).at_field("fact")
        };
        let snapshot = self.snapshot(&opening);
        let result = snapshot.explain(id).await?.ok_or_else(unknown)?;
        Ok(Read { basis: opening.basis, at: opening.at, names: snapshot.into_names(), result })
    }

    /// Reads a turn with its outcomes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] where there is no such transaction.
    pub async fn turn(
        &self,
        tx: u64,
        options: &ReadOptions,
    ) -> Result<Read<(TurnRow, Vec<OutcomeRow>)>, Error> {
        let opening = self.opening(options).await?;
        let unknown = || {
            Error::new(ErrorKind::NotFound, "id_unknown", format!("there is no transaction {tx}"))
                .at_field("id")
        };
        let found = if tx > opening.basis.tx { None } else { self.inner.store.reader.turn(tx).await? };
        Ok(Read {
            basis: opening.basis,
            at: opening.at,
            names: Vec::new(),
            result: found.ok_or_else(unknown)?,
        })
    }
}

fn deadline(options: &ReadOptions) -> Option<Instant> {
    options.timeout.map(|timeout| Instant::now() + timeout)
}
