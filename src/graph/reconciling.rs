//! A turn: resolve, decide, plan, apply, candidate by candidate.

use std::sync::Arc;

use super::sequencer::{Reply, Sequencer};
use super::turn::{Answer, Outcome, Proposal, Reference, Replied, Statement, Turn};
use super::workspace::Workspace;
use crate::error::{Error, ErrorKind};
use crate::facts::{
    Action, Claim, Fact, FactId, Line, LineKind, Reason, Scope, Status, Uncertainty, UncertaintyId,
};
use crate::identity::{EntityId, EntityType, fold, fold_slot};
use crate::policy::{Policy, Slot, SlotKind};
use crate::query::Content;
use crate::reconcile::{
    Candidate, Decision, Effect, Ids, Plan, Ruling, Says, SlotState, TimeRef, decide, is_change, plan, settle,
};
use crate::store::{MessageRow, OutcomeRow};
use crate::time::Timestamp;

/// The most candidates that one turn may have where everything is kept in
/// memory: the engine's cost of a transaction there grows with the square of
/// its rows (10,000 rows were seen to take 3.4 s).
pub(super) const IN_MEMORY_LIMIT: usize = 5_000;

/// What the candidates of a turn share.
struct Sitting {
    known_at: Timestamp,
    ids: Ids,
    /// How many ids of facts the earlier candidates were given.
    given: u32,
    /// The facts that undated candidates wrote or restated, with no word of change.
    undated: Vec<FactId>,
    actor: Option<Arc<str>>,
    rows: Vec<OutcomeRow>,
    outcomes: Vec<Outcome>,
}

/// A reference that has been resolved.
struct Resolved {
    entity: EntityId,
    written: Arc<str>,
    /// The entities it may mean, where it is ambiguous and stands as a placeholder.
    candidates: Vec<EntityId>,
}

impl Sequencer {
    /// Decides a turn and puts what it changes into the workspace.
    pub(super) async fn turn(&mut self, work: &mut Workspace<'_>, turn: &Turn) -> Reply {
        if let Some(reply) = self.replayed(work, &turn.options).await? {
            return Ok(reply);
        }
        if self.store.is_in_memory() && turn.candidates.len() > IN_MEMORY_LIMIT {
            let message = format!(
                "candidates has {} entries, a turn in memory takes up to {IN_MEMORY_LIMIT}",
                turn.candidates.len()
            );
            return Err(Error::invalid("turn_too_large", message).at_field("candidates"));
        }
        let known_at = self.stamp(&turn.options)?;
        let mut sitting = Sitting {
            known_at,
            ids: self.ids(),
            given: 0,
            undated: Vec::new(),
            actor: turn.options.actor.clone(),
            rows: Vec::with_capacity(turn.candidates.len()),
            outcomes: Vec::with_capacity(turn.candidates.len()),
        };
        let heard = self.heard_before(work, turn).await?;
        for (index, proposal) in turn.candidates.iter().enumerate() {
            self.candidate(work, &mut sitting, index, proposal, heard.as_ref())
                .await
                .map_err(|error| error.at_index(index))?;
        }
        let mut answer = Answer { tx: None, known_at: None, outcomes: sitting.outcomes, ..Answer::default() };
        let changed = work.has_changed();
        if turn.options.dry_run || !changed {
            work.roll_back();
            answer.known_at = turn.options.known_at.or_else(|| self.newest_known());
            if turn.options.dry_run {
                answer.known_at = Some(known_at);
            } else {
                self.keep_answer(work, &turn.options, &answer);
            }
            return Ok(Replied::New(answer));
        }
        let mut row = self.turn_row("turn", known_at, &turn.options);
        row.message.clone_from(&turn.message);
        row.outcomes = sitting.rows.len() as u64;
        answer.tx = Some(row.tx);
        answer.known_at = Some(known_at);
        if let Some(message) = &turn.message {
            work.batch.messages.push(remembered(message, &sitting.rows, &turn.candidates));
        }
        work.batch.turns.push((row, sitting.rows));
        self.keep_answer(work, &turn.options, &answer);
        Ok(Replied::New(answer))
    }

    fn newest_known(&self) -> Option<Timestamp> {
        Some(self.newest.known_at).filter(|at| at.is_bounded())
    }

    /// Decides one candidate.
    async fn candidate(
        &mut self,
        work: &mut Workspace<'_>,
        sitting: &mut Sitting,
        index: usize,
        proposal: &Proposal,
        heard: Option<&MessageRow>,
    ) -> Result<(), Error> {
        let subject = self.subject(work, proposal).await?;
        let rules = Arc::clone(&self.rules);
        let key = match &proposal.says {
            Statement::Attribute { key, .. } | Statement::ValueEnds { key, .. } => Some(key),
            _ => None,
        };
        let slot = key.and_then(|key| rules.slots.declared(key));
        let object = self.object(work, proposal).await?;
        let candidate = candidate(proposal, &subject, object.as_ref(), slot, sitting.actor.clone());
        let policy = self.policy(&candidate.scope);
        let lines = lines(candidate.says.line(), slot);
        work.draft(&subject.entity, &subject.written).await?;
        let deep = work
            .get(&subject.entity)
            .is_some_and(|draft| needs_past(&candidate, draft.before.horizon, sitting.known_at));
        for line in &lines {
            work.bring_in(&subject.entity, line, deep || line.kind == LineKind::Event).await?;
        }
        let ruling = Ruling { policy: &policy, slot, known_at: sitting.known_at, undated: &sitting.undated };
        let draft = work.get(&subject.entity).expect("the draft was just made");
        let gathered;
        let facts: &[Arc<Fact>] = match &lines[..] {
            [line] => draft.line(line),
            lines => {
                gathered = gather(lines.iter().map(|line| draft.line(line)));
                &gathered
            }
        };
        let heard = heard.and_then(|heard| heard_fact(heard, &candidate, facts));
        let decision = match heard {
            Some(fact) => Decision {
                action: Action::Dedup,
                reason: Reason::RepeatedMessage,
                effect: Effect::Support(vec![fact]),
                opens: None,
                against: Vec::new(),
                as_state: false,
            },
            None => decide(SlotState::new(facts), &candidate, ruling),
        };
        let candidate = if decision.as_state { as_state(candidate, slot) } else { candidate };
        let planned = plan(&decision, &candidate, facts, &draft.doubts, sitting.known_at, &mut sitting.ids);
        let name = Arc::clone(&draft.display);
        if heard.is_none()
            && !is_change(&candidate)
            && candidate.is_undated()
            && let Some(fact) = planned.fact
        {
            sitting.undated.push(fact);
        }
        let content = match facts.iter().find(|fact| Some(fact.id) == heard) {
            Some(fact) => Some(Content::of(&fact.claim)),
            None => content(&candidate, &planned, facts),
        };
        let written = planned.fact.filter(|id| planned.facts.contains_key(id));
        self.record(
            work,
            sitting,
            index,
            proposal,
            &candidate,
            (decision.action, decision.reason),
            planned,
            (name, content),
        );
        // A message heard before says nothing new: nothing follows from it.
        if heard.is_some() {
            return Ok(());
        }
        if let Some(object) = object.filter(|_| written.is_some()) {
            let opened = self.note_object(work, sitting, &candidate, object, written).await?;
            if let (Some(opened), Some(outcome)) = (opened, sitting.outcomes.last_mut())
                && outcome.uncertainty.is_none()
            {
                outcome.uncertainty = Some(opened);
                outcome.reason = Reason::AmbiguousReference;
                if let Some(row) = sitting.rows.last_mut() {
                    row.uncertainty = Some(opened);
                    row.reason = Reason::AmbiguousReference;
                }
            }
        }
        settle_slot(work, &candidate.subject, &lines, &policy, slot, sitting.known_at);
        Ok(())
    }

    /// Puts a plan into the workspace and its outcome into the answer.
    #[expect(clippy::too_many_arguments, reason = "one call, naming what was found")]
    fn record(
        &self,
        work: &mut Workspace<'_>,
        sitting: &mut Sitting,
        index: usize,
        proposal: &Proposal,
        candidate: &Candidate,
        (action, reason): (Action, Reason),
        planned: Plan,
        (name, content): (Arc<str>, Option<Content>),
    ) {
        // What an earlier candidate of the turn wrote is that one's.
        let wrote = sitting.ids.facts_since(sitting.given);
        sitting.given = sitting.ids.facts_given();
        sitting.rows.push(OutcomeRow {
            index: u32::try_from(index).unwrap_or(u32::MAX),
            action,
            reason,
            subject: candidate.subject.clone(),
            line: candidate.says.line(),
            fact: planned.fact,
            wrote,
            status: planned.status,
            superseded: planned.superseded.clone(),
            uncertainty: planned.uncertainty,
            policy: self.rules.version,
        });
        sitting.outcomes.push(Outcome {
            index,
            action,
            reason,
            fact: planned.fact,
            content,
            status: planned.status,
            superseded: planned.superseded,
            uncertainty: planned.uncertainty,
            entity: (candidate.subject.clone(), name),
            unlisted: proposal.subject.unlisted.clone(),
            policy: self.rules.version,
        });
        work.put(
            &candidate.subject,
            planned.facts.into_values(),
            planned.uncertainties.into_values(),
            sitting.known_at,
        );
    }

    /// Finds whom a candidate is about.
    async fn subject(&self, work: &Workspace<'_>, proposal: &Proposal) -> Result<Resolved, Error> {
        let reference = &proposal.subject;
        if let Some(known) = typed(reference) {
            return Ok(known);
        }
        let (found, placeholder) = work.bearers(&reference.name, self.newest.known_at).await?;
        let may_be_placeholder = matches!(proposal.says, Statement::Relation { .. });
        let unknown = || Resolved {
            entity: EntityId { kind: EntityType::Unknown, name: reference.name.clone() },
            written: Arc::clone(&reference.written),
            candidates: Vec::new(),
        };
        match &found[..] {
            [one] => Ok(Resolved {
                entity: one.clone(),
                written: Arc::clone(&reference.written),
                candidates: Vec::new(),
            }),
            [] if placeholder || may_be_placeholder => Ok(unknown()),
            [] => {
                let message = format!("subject {:?} names no entity: give its type", &*reference.written);
                Err(Error::new(ErrorKind::Invalid, "unresolved_subject", message).at_field("subject"))
            }
            several if may_be_placeholder => Ok(Resolved { candidates: several.to_vec(), ..unknown() }),
            several => {
                let names: Vec<String> = several.iter().map(ToString::to_string).collect();
                let message = format!(
                    "subject {:?} names several entities: {}; give its type",
                    &*reference.written,
                    names.join(", ")
                );
                Err(Error::new(ErrorKind::Invalid, "ambiguous_subject", message).at_field("subject"))
            }
        }
    }

    /// Finds the object of a relation: one entity, or a placeholder.
    async fn object(&self, work: &mut Workspace<'_>, proposal: &Proposal) -> Result<Option<Resolved>, Error> {
        let (Statement::Relation { object: reference, .. }
        | Statement::RelationEnds { object: Some(reference), .. }) = &proposal.says
        else {
            return Ok(None);
        };
        let mut resolved = if let Some(known) = typed(reference) {
            known
        } else {
            let (found, _) = work.bearers(&reference.name, self.newest.known_at).await?;
            let placeholder = EntityId { kind: EntityType::Unknown, name: reference.name.clone() };
            let written = Arc::clone(&reference.written);
            match &found[..] {
                [one] => Resolved { entity: one.clone(), written, candidates: Vec::new() },
                [] => Resolved { entity: placeholder, written, candidates: Vec::new() },
                several => Resolved { entity: placeholder, written, candidates: several.to_vec() },
            }
        };
        let draft = work.draft(&resolved.entity, &resolved.written).await?;
        resolved.written = Arc::clone(&draft.display);
        Ok(Some(resolved))
    }

    /// Makes the object of a relation that was written known, and opens the
    /// uncertainty of a reference that several entities bear.
    async fn note_object(
        &self,
        work: &mut Workspace<'_>,
        sitting: &mut Sitting,
        candidate: &Candidate,
        object: Resolved,
        written: Option<FactId>,
    ) -> Result<Option<UncertaintyId>, Error> {
        work.note_object(&object.entity);
        if object.candidates.is_empty() {
            return Ok(None);
        }
        let draft = work.draft(&object.entity, &object.written).await?;
        let open = draft.doubts.iter().find(|u| u.reason == Reason::AmbiguousReference && u.closed.is_none());
        let mut doubt = match open {
            Some(open) => Uncertainty::clone(open),
            None => Uncertainty {
                id: sitting.ids.uncertainty(),
                subject: object.entity.clone(),
                key: candidate.says.key().into(),
                scope: candidate.scope.clone(),
                reason: Reason::AmbiguousReference,
                sides: Vec::new(),
                candidates: Vec::new(),
                opened_at: sitting.known_at,
                closed: None,
            },
        };
        doubt.candidates = object.candidates;
        doubt.sides.extend(written.map(|fact| (fact, sitting.known_at)));
        let id = doubt.id;
        work.put(&object.entity, [], [doubt], sitting.known_at);
        Ok(Some(id))
    }

    /// Returns what an exact message wrote before, where that is all that this
    /// turn's candidates name and all of it still holds.
    async fn heard_before(&self, work: &mut Workspace<'_>, turn: &Turn) -> Result<Option<MessageRow>, Error> {
        let Some(message) = &turn.message else { return Ok(None) };
        let hash = message_hash(message);
        let pending = work.batch.messages.iter().rev().find(|row| *row.hash == *hash).cloned();
        let Some(row) = (match pending {
            Some(row) => Some(row),
            None => self.store.reader.message(&hash).await?,
        }) else {
            return Ok(None);
        };
        for proposal in &turn.candidates {
            let Ok(subject) = self.subject(work, proposal).await else { return Ok(None) };
            let Some((line, scope)) = self.named_slot(proposal) else { return Ok(None) };
            let wrote = row
                .wrote
                .iter()
                .any(|(s, l, sc, _)| *s == subject.entity && *l == line && **sc == *scope.as_str());
            if !wrote {
                return Ok(None);
            }
        }
        for (entity, line, _, fact) in &row.wrote {
            let name: Arc<str> = entity.name.as_str().into();
            work.draft(entity, &name).await?;
            work.bring_in(entity, line, line.kind == LineKind::Event).await?;
            let draft = work.get(entity).expect("the draft was just made");
            let found = draft.line(line).iter().find(|held| held.id == *fact);
            let active = found
                .is_some_and(|held| held.status_at(Timestamp::MAX) == Status::Active && !held.is_forgotten());
            if !active {
                return Ok(None);
            }
        }
        Ok(Some(row))
    }

    /// Returns the line and scope of the slot that a proposal names.
    fn named_slot(&self, proposal: &Proposal) -> Option<(Line, Scope)> {
        let (kind, key) = match &proposal.says {
            Statement::Attribute { key, event, .. } => {
                let kind = if *event == Some(true) { LineKind::Event } else { LineKind::Attribute };
                (kind, fold_slot(self.rules.slots.declared(key).map_or(key, |slot| &slot.name)))
            }
            Statement::Relation { label, .. } => (LineKind::Relation, label.to_string()),
            Statement::Note { .. } => (LineKind::Note, String::new()),
            Statement::ValueEnds { .. } | Statement::RelationEnds { .. } => return None,
        };
        Some((Line::new(kind, &key), proposal.scope.clone()))
    }
}

/// Returns the entity that a reference names by its type, if it does.
fn typed(reference: &Reference) -> Option<Resolved> {
    let kind = reference.kind.filter(|kind| *kind != EntityType::Unknown)?;
    Some(Resolved {
        entity: EntityId { kind, name: reference.name.clone() },
        written: Arc::clone(&reference.written),
        candidates: Vec::new(),
    })
}

/// Makes the candidate of a proposal, its names resolved and its key folded.
fn candidate(
    proposal: &Proposal,
    subject: &Resolved,
    object: Option<&Resolved>,
    slot: Option<&Slot>,
    actor: Option<Arc<str>>,
) -> Candidate {
    let folded = |key: &Arc<str>| slot.map_or_else(|| Arc::clone(key), |slot| slot.name.as_str().into());
    let says = match &proposal.says {
        Statement::Attribute { key, value, event } => {
            let is_event =
                event.unwrap_or_else(|| slot.is_some_and(|slot| slot.kind == Some(SlotKind::Event)));
            let (key, value) = (folded(key), value.clone());
            Says::Holds(if is_event { Claim::Event { key, value } } else { Claim::Attribute { key, value } })
        }
        Statement::Relation { label, .. } => match object {
            Some(object) => Says::Holds(Claim::Relation {
                label: Arc::clone(label),
                object: object.entity.clone(),
                object_name: Arc::clone(&object.written),
            }),
            None => Says::RelationEnds { label: Arc::clone(label), object: None },
        },
        Statement::Note { text, tier } => Says::Holds(Claim::Note { text: Arc::clone(text), tier: *tier }),
        Statement::ValueEnds { key, value } => Says::ValueEnds { key: folded(key), value: value.clone() },
        Statement::RelationEnds { label, .. } => Says::RelationEnds {
            label: Arc::clone(label),
            object: object.map(|object| (object.entity.clone(), Arc::clone(&object.written))),
        },
    };
    Candidate {
        subject: subject.entity.clone(),
        says,
        scope: proposal.scope.clone(),
        valid_from: proposal.valid_from,
        valid_until: proposal.valid_until,
        time_ref: proposal.time_ref,
        proposal: proposal.action,
        target: proposal.target.clone(),
        confidence: proposal.confidence.unwrap_or_else(|| proposal.source.kind.default_confidence()),
        source: Arc::clone(&proposal.source),
        actor,
        raw: proposal.raw.clone(),
        metadata: proposal.metadata.clone(),
    }
}

/// Reads an event as the change of state that it was decided to be.
fn as_state(candidate: Candidate, slot: Option<&Slot>) -> Candidate {
    let says = match (candidate.says, slot) {
        (Says::Holds(Claim::Event { value, .. }), Some(slot)) => {
            Says::Holds(Claim::Attribute { key: slot.name.as_str().into(), value })
        }
        (says, _) => says,
    };
    Candidate { says, ..candidate }
}

/// Lets what follows from a change of a slot by itself follow.
pub(super) fn settle_slot(
    work: &mut Workspace<'_>,
    subject: &EntityId,
    lines: &[Line],
    policy: &Policy,
    slot: Option<&Slot>,
    known_at: Timestamp,
) {
    let Some(draft) = work.get(subject) else { return };
    let facts = gather(lines.iter().map(|line| draft.line(line)));
    let of_slot = |doubt: &&Arc<Uncertainty>| {
        doubt.closed.is_none()
            && lines.iter().any(|line| *line.key == *doubt.key || *line.key == *fold_slot(&doubt.key))
    };
    let open: Vec<Arc<Uncertainty>> = draft.doubts.iter().filter(of_slot).cloned().collect();
    if open.is_empty() && !facts.iter().any(|fact| fact.is_held()) {
        return;
    }
    let (changed, closed) = settle(&facts, &open, known_at, policy, slot);
    work.put(subject, changed.into_values(), closed.into_values(), known_at);
}

/// Returns the lines on which the facts lie that a claim on one may bear on:
/// every spelling of a declared slot, and its states where it is an event.
pub(super) fn lines(own: Line, slot: Option<&Slot>) -> Vec<Line> {
    let Some(slot) = slot.filter(|_| own.kind != LineKind::Relation) else {
        return vec![own];
    };
    let mut lines = vec![own.clone()];
    for key in slot.spellings() {
        lines.push(Line::new(own.kind, &key));
        if own.kind == LineKind::Event {
            lines.push(Line::new(LineKind::Attribute, &key));
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

/// Whether what has ended may bear on a candidate: it reaches back to it, files
/// something in history, or names a fact that may lie there.
fn needs_past(candidate: &Candidate, horizon: Timestamp, known_at: Timestamp) -> bool {
    candidate.start(known_at) < horizon || candidate.time_ref == TimeRef::Past || candidate.target.is_some()
}

/// Joins the facts of several lines in the order of their ids.
pub(super) fn gather<'f>(lines: impl Iterator<Item = &'f [Arc<Fact>]>) -> Vec<Arc<Fact>> {
    let mut facts: Vec<Arc<Fact>> = lines.flatten().cloned().collect();
    facts.sort_by_key(|fact| fact.id);
    facts
}

/// Returns what an outcome shows as its value: what was written, or what was said.
fn content(candidate: &Candidate, planned: &Plan, facts: &[Arc<Fact>]) -> Option<Content> {
    let named = planned.fact.and_then(|id| {
        let held = || facts.iter().find(|fact| fact.id == id).map(|fact| &fact.claim);
        planned.facts.get(&id).map(|fact| &fact.claim).or_else(held)
    });
    match (&candidate.says, named) {
        (Says::Holds(claim), _) | (_, Some(claim)) => Some(Content::of(claim)),
        (Says::ValueEnds { value: Some(value), .. }, None) => Some(Content::Value(value.clone())),
        (Says::RelationEnds { object: Some((object, name)), .. }, None) => {
            Some(Content::Object(object.clone(), Arc::clone(name)))
        }
        _ => None,
    }
}

/// Returns the hash under which a message is remembered: case folded, white
/// space collapsed.
pub(super) fn message_hash(message: &str) -> String {
    blake3::hash(fold(message).as_bytes()).to_hex().to_string()
}

/// Returns what a message wrote, for when it is heard again.
fn remembered(message: &str, rows: &[OutcomeRow], proposals: &[Proposal]) -> MessageRow {
    let wrote =
        rows.iter().filter(|row| !matches!(row.action, Action::Skip | Action::Retract)).filter_map(|row| {
            let scope: Arc<str> = proposals.get(row.index as usize)?.scope.as_str().into();
            Some((row.subject.clone(), row.line.clone(), scope, row.fact?))
        });
    MessageRow { hash: message_hash(message).into(), wrote: wrote.collect() }
}

/// Returns the fact that a message wrote into a candidate's slot.
fn heard_fact(heard: &MessageRow, candidate: &Candidate, facts: &[Arc<Fact>]) -> Option<FactId> {
    let line = candidate.says.line();
    let wrote = |(subject, l, scope, _): &&(EntityId, Line, Arc<str>, FactId)| {
        *subject == candidate.subject && *l == line && **scope == *candidate.scope.as_str()
    };
    let says = |id: &FactId| {
        facts.iter().any(|fact| {
            fact.id == *id && matches!(&candidate.says, Says::Holds(claim) if fact.claim.says_the_same(claim))
        })
    };
    let written: Vec<FactId> = heard.wrote.iter().filter(wrote).map(|(_, _, _, fact)| *fact).collect();
    written.iter().copied().find(|id| says(id)).or_else(|| written.first().copied())
}
