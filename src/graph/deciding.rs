//! What people decide: proposals, uncertainties, tiers, snapshots of belief.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::care::Choice;
use super::reconciling::{gather, lines, settle_slot};
use super::sequencer::Sequencer;
use super::turn::{Answer, Outcome, WriteOptions};
use super::workspace::Workspace;
use crate::error::{Error, ErrorKind};
use crate::facts::{
    Action, Claim, Closing, Fact, FactId, Held, LineKind, Pillar, Reason, Resolution, Source, SourceKind,
    Standing, Status, Tier, Uncertainty, UncertaintyId,
};
use crate::policy::{Mode, Policy, Slot};
use crate::query::{Content, Coordinate, Snapshot};
use crate::reconcile::{
    Candidate, Cut, Decision, Effect, Ids, Plan, Ruling, Says, SlotState, TimeRef, decide, plan,
};
use crate::store::{DecisionRow, OutcomeRow, TurnRow};
use crate::time::{Period, Timestamp};

impl Sequencer {
    /// Finds a fact by its id, forgotten ones included.
    pub(super) async fn find(&self, id: FactId) -> Result<Option<(Arc<Fact>, TurnRow, OutcomeRow)>, Error> {
        let at = Coordinate {
            valid_at: self.newest.known_at,
            known_at: self.newest.known_at,
            bound: self.newest.known_at,
            include_forgotten: true,
        };
        let snapshot = Snapshot::new(&self.store.reader, at, Arc::clone(&self.rules));
        Ok(snapshot.find(id).await?)
    }

    async fn need(&self, id: FactId, what: &str) -> Result<Arc<Fact>, Error> {
        match self.find(id).await? {
            Some((fact, _, _)) if !fact.is_forgotten() => Ok(fact),
            _ => Err(Error::new(ErrorKind::NotFound, "id_unknown", format!("there is no {what} {id}"))
                .at_field("id")),
        }
    }

    /// Brings the facts of a fact's slot into the workspace, every spelling of it.
    async fn slot_of(&self, work: &mut Workspace<'_>, fact: &Fact) -> Result<Vec<Arc<Fact>>, Error> {
        let name: Arc<str> = fact.subject.name.as_str().into();
        work.draft(&fact.subject, &name).await?;
        let lines = lines(fact.line.clone(), self.declared(fact));
        for line in &lines {
            work.bring_in(&fact.subject, line, true).await?;
        }
        let draft = work.get(&fact.subject);
        Ok(draft.map(|draft| gather(lines.iter().map(|line| draft.line(line)))).unwrap_or_default())
    }

    /// Returns the declared slot of a fact.
    fn declared(&self, fact: &Fact) -> Option<&Slot> {
        match fact.line.kind {
            LineKind::Relation => None,
            _ => self.rules.slots.declared(fact.claim.key()),
        }
    }

    /// Lets a proposal through: what it asks for is done, without its gate.
    pub(super) async fn confirm(
        &mut self,
        work: &mut Workspace<'_>,
        id: FactId,
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let fact = self.need(id, "proposal").await?;
        if let Some(answer) = self.decided(&fact, Reason::Approved, "confirmed", options).await? {
            return Ok(answer);
        }
        let known_at = self.stamp(options)?;
        let mut ids = self.ids();
        let facts = self.slot_of(work, &fact).await?;
        let planned = self.let_through(&fact, &facts, known_at, &mut ids, options);
        let action = match (fact.standing, planned.superseded.is_empty()) {
            (Standing::Removal, _) => Action::Retract,
            (_, true) => Action::Add,
            (_, false) => Action::Supersede,
        };
        Ok(self.finish(
            work,
            &fact,
            planned,
            Resolution::Confirmed,
            (action, Reason::Approved),
            known_at,
            options,
        ))
    }

    /// Turns a proposal or a held claim down.
    pub(super) async fn reject(
        &mut self,
        work: &mut Workspace<'_>,
        id: FactId,
        note: Option<&Arc<str>>,
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let fact = self.need(id, "proposal").await?;
        if let Some(answer) = self.decided(&fact, Reason::Rejected, "rejected", options).await? {
            return Ok(answer);
        }
        let known_at = self.stamp(options)?;
        self.slot_of(work, &fact).await?;
        let mut planned = Plan { fact: Some(id), status: Some(Status::Historical), ..Plan::default() };
        planned.facts.insert(id, turned_down(&fact, known_at, Reason::Rejected));
        let answer = self.finish(
            work,
            &fact,
            planned,
            Resolution::Rejected,
            (Action::Archive, Reason::Rejected),
            known_at,
            options,
        );
        if let (Some(note), Some((row, _))) = (note, work.batch.turns.last_mut()) {
            row.report = Some(serde_json::json!({ "note": &**note }).to_string().into());
        }
        Ok(answer)
    }

    /// Returns the answer about a claim that is held no more: as before where
    /// the same was decided, a conflict otherwise.
    async fn decided(
        &self,
        fact: &Fact,
        reason: Reason,
        word: &str,
        options: &WriteOptions,
    ) -> Result<Option<Answer>, Error> {
        match &fact.held {
            None => Err(Error::new(ErrorKind::NotFound, "id_unknown", format!("{} is no proposal", fact.id))
                .at_field("id")),
            Some(held) if held.is_open() => Ok(None),
            Some(_) if fact.reason == reason => {
                let outcomes = vec![self.outcome(fact, reason).await?];
                Ok(Some(Answer { already: true, outcomes, ..self.unchanged(options) }))
            }
            Some(_) => {
                let message = format!("{} cannot be {word}: it was decided otherwise or is stale", fact.id);
                Err(Error::new(ErrorKind::Conflict, "already_decided", message).at_field("id"))
            }
        }
    }

    /// Works out what a held claim does once nobody holds it.
    fn let_through(
        &self,
        fact: &Fact,
        facts: &[Arc<Fact>],
        known_at: Timestamp,
        ids: &mut Ids,
        options: &WriteOptions,
    ) -> Plan {
        let held = fact.held.as_ref();
        let mut candidate = restated(fact, options);
        if held.is_some_and(|held| held.asks == Action::Refine) {
            candidate.proposal = Some(Action::Refine);
        }
        if fact.standing == Standing::Removal {
            candidate.says = candidate.says.as_ending();
        }
        let (policy, slot) = self.open_gates(fact);
        let ruling = Ruling { policy: &policy, slot: slot.as_ref(), known_at, undated: &[] };
        let decision = decide(SlotState::new(facts), &candidate, ruling);
        let mut planned = plan(&decision, &candidate, facts, &[], known_at, ids);
        let mut through = planned.facts.get(&fact.id).cloned().unwrap_or_else(|| fact.clone());
        if let Some(held) = &mut through.held {
            held.until = Some(known_at);
        }
        through.reason = Reason::Approved;
        planned.facts.insert(fact.id, through);
        planned
    }

    /// Returns the policy and slot of a fact with every gate open.
    fn open_gates(&self, fact: &Fact) -> (Policy, Option<Slot>) {
        let policy = Policy {
            confidence_floor: 0.0,
            not_weaker: false,
            mode: Mode::Recency,
            ..self.rules.policies.effective(fact.scope.as_str())
        };
        (policy, self.declared(fact).cloned().map(|slot| Slot { confirm: false, ..slot }))
    }

    /// Decides an uncertainty.
    pub(super) async fn resolve(
        &mut self,
        work: &mut Workspace<'_>,
        id: UncertaintyId,
        choice: &Choice,
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let unknown = || {
            Error::new(ErrorKind::NotFound, "id_unknown", format!("there is no uncertainty {id}"))
                .at_field("id")
        };
        let subject = self.store.reader.doubt(id).await?.ok_or_else(unknown)?;
        let whole = self.whole(&subject).await?;
        let doubt = whole.doubts.iter().find(|doubt| doubt.id == id).ok_or_else(unknown)?;
        let (resolution, chosen) = match choice {
            Choice::Side(fact) => (Resolution::Chosen, Some(*fact)),
            Choice::Neither => (Resolution::Neither, None),
            Choice::Dismiss => (Resolution::Dismissed, None),
        };
        if let Some(closing) = &doubt.closed {
            if closing.resolution == resolution && closing.chosen == chosen {
                let about = chosen.or_else(|| doubt.sides.first().map(|(side, _)| *side));
                let about = whole.facts.iter().find(|(_, fact)| Some(fact.id) == about);
                let outcomes = match about {
                    Some((_, fact)) => vec![self.outcome(fact, Reason::Chosen).await?],
                    None => Vec::new(),
                };
                return Ok(Answer { already: true, outcomes, ..self.unchanged(options) });
            }
            let message = format!("{id} was closed as {}", closing.resolution);
            return Err(Error::new(ErrorKind::Conflict, "already_decided", message).at_field("id"));
        }
        let sides: Vec<Arc<Fact>> = doubt
            .sides
            .iter()
            .filter_map(|(side, _)| {
                whole.facts.iter().find(|(_, f)| f.id == *side).map(|(_, f)| Arc::clone(f))
            })
            .collect();
        if let Some(chosen) = chosen
            && !sides.iter().any(|side| side.id == chosen)
        {
            let message = format!("choose {chosen} is no side of {id}");
            return Err(Error::invalid("choice_unknown", message).at_field("choose"));
        }
        let Some(first) = sides.first().cloned() else {
            let message = format!("{id} has no side that could be chosen");
            return Err(Error::new(ErrorKind::Conflict, "no_sides", message).at_field("id"));
        };
        let known_at = self.stamp(options)?;
        let mut ids = self.ids();
        let facts = self.slot_of(work, &first).await?;
        let planned = match choice {
            Choice::Side(side) => self.choose(*side, &sides, &facts, known_at, &mut ids, options),
            Choice::Neither => retire(&sides, &facts, known_at, &mut ids, options, |_| true, |p| vec![p]),
            Choice::Dismiss => {
                let current = current(&sides);
                retire(
                    &sides,
                    &facts,
                    known_at,
                    &mut ids,
                    options,
                    |fact| Some(fact.id) != current,
                    |p| vec![p],
                )
            }
        };
        let mut over = Uncertainty::clone(doubt);
        over.closed = Some(Closing { at: known_at, by: options.actor.clone(), resolution, chosen });
        work.put(&subject, [], [over], known_at);
        let subject_fact = planned
            .fact
            .and_then(|id| planned.facts.get(&id).cloned())
            .unwrap_or_else(|| Fact::clone(&first));
        let action = match choice {
            Choice::Side(_) if planned.superseded.is_empty() => Action::Add,
            Choice::Side(_) => Action::Supersede,
            Choice::Neither => Action::Retract,
            Choice::Dismiss => Action::Archive,
        };
        Ok(self.finish(work, &subject_fact, planned, resolution, (action, Reason::Chosen), known_at, options))
    }

    /// Makes one side current where it is claimed, and retires the others there.
    /// What talk says over an authority is written as authoritative by whoever
    /// chose it.
    fn choose(
        &self,
        chosen: FactId,
        sides: &[Arc<Fact>],
        facts: &[Arc<Fact>],
        known_at: Timestamp,
        ids: &mut Ids,
        options: &WriteOptions,
    ) -> Plan {
        let Some(side) = sides.iter().find(|side| side.id == chosen) else { return Plan::default() };
        let others = |fact: &Fact| fact.id != chosen;
        let over_authority = side.pillar == Pillar::Experiential
            && sides.iter().any(|other| other.pillar == Pillar::Authoritative && other.is_believed());
        if !over_authority && !side.is_held() {
            // It is current: what differs from it ends where the two overlap.
            let believed = side.coverage.believed_latest();
            let mut planned = retire(sides, facts, known_at, ids, options, others, |p| believed.within(p));
            planned.fact = Some(chosen);
            planned.status = Some(Status::Active);
            return planned;
        }
        let (policy, slot) = self.open_gates(side);
        let ruling = Ruling { policy: &policy, slot: slot.as_ref(), known_at, undated: &[] };
        let mut candidate = restated(side, options);
        if over_authority {
            candidate.source = Arc::new(Source { derived_from: vec![side.id], ..signed(options) });
            candidate.confidence = 1.0;
            if let Some(period) = side.coverage.believed_latest().iter().next() {
                candidate.valid_from = Some(period.from());
            }
        }
        let decision = decide(SlotState::new(facts), &candidate, ruling);
        let mut planned = plan(&decision, &candidate, facts, &[], known_at, ids);
        for other in sides.iter().filter(|other| other.is_held()) {
            let is_released = other.id == chosen && !over_authority;
            if !is_released {
                let reason = if other.id == chosen { Reason::Chosen } else { Reason::Rejected };
                planned.facts.insert(other.id, turned_down(other, known_at, reason));
            }
        }
        planned
    }

    /// Puts what was decided into the workspace, closes what it settles and
    /// writes the transaction.
    #[expect(clippy::too_many_arguments, reason = "one call from three places, each naming what it decided")]
    fn finish(
        &mut self,
        work: &mut Workspace<'_>,
        about: &Fact,
        planned: Plan,
        resolution: Resolution,
        (action, reason): (Action, Reason),
        known_at: Timestamp,
        options: &WriteOptions,
    ) -> Answer {
        let tx = self.newest.tx + 1;
        let wrote: Vec<FactId> = planned.facts.keys().copied().filter(|id| id.tx == tx).collect();
        let (fact, superseded, status) = (planned.fact, planned.superseded.clone(), planned.status);
        let closes: BTreeSet<UncertaintyId> = planned
            .facts
            .values()
            .filter_map(|fact| fact.held.as_ref())
            .filter(|held| !held.is_open())
            .filter_map(|held| held.uncertainty)
            .collect();
        let content = fact.and_then(|id| planned.facts.get(&id)).map(|fact| Content::of(&fact.claim));
        work.put(&about.subject, planned.facts.into_values(), planned.uncertainties.into_values(), known_at);
        let draft = work.get(&about.subject);
        let name =
            draft.map_or_else(|| about.subject.name.as_str().into(), |draft| Arc::clone(&draft.display));
        let over: Vec<Uncertainty> = draft
            .into_iter()
            .flat_map(|draft| draft.doubts.iter())
            .filter(|doubt| doubt.closed.is_none() && closes.contains(&doubt.id))
            .map(|doubt| {
                let mut over = Uncertainty::clone(doubt);
                over.closed =
                    Some(Closing { at: known_at, by: options.actor.clone(), resolution, chosen: None });
                over
            })
            .collect();
        work.put(&about.subject, [], over, known_at);
        let (policy, slot) = (self.policy(&about.scope), self.declared(about));
        settle_slot(work, &about.subject, &lines(about.line.clone(), slot), &policy, slot, known_at);
        let mut answer = self.transact(work, "decision", known_at, options, None);
        answer.outcomes = vec![Outcome {
            index: 0,
            action,
            reason,
            fact,
            content: content.or_else(|| Some(Content::of(&about.claim))),
            status,
            superseded: superseded.clone(),
            uncertainty: None,
            entity: (about.subject.clone(), name),
            unlisted: None,
            policy: self.rules.version,
        }];
        if let Some((row, outcomes)) = work.batch.turns.last_mut() {
            row.outcomes = 1;
            outcomes.push(OutcomeRow {
                index: 0,
                action,
                reason,
                subject: about.subject.clone(),
                line: about.line.clone(),
                fact,
                wrote,
                status,
                superseded,
                uncertainty: None,
                policy: self.rules.version,
            });
        }
        answer
    }

    /// Returns the outcome of a decision that was taken before.
    async fn outcome(&self, fact: &Fact, reason: Reason) -> Result<Outcome, Error> {
        let display = self.store.reader.entity(&fact.subject).await?.display.clone();
        Ok(Outcome {
            index: 0,
            action: fact.action,
            reason,
            fact: Some(fact.id),
            content: Some(Content::of(&fact.claim)),
            status: Some(fact.status_at(Timestamp::MAX)),
            superseded: fact.supersedes.clone(),
            uncertainty: None,
            entity: (fact.subject.clone(), display.unwrap_or_else(|| fact.subject.name.as_str().into())),
            unlisted: None,
            policy: self.rules.version,
        })
    }

    /// Moves a note to another tier.
    pub(super) async fn move_tier(
        &mut self,
        work: &mut Workspace<'_>,
        id: FactId,
        tier: Tier,
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let fact = self.need(id, "fact").await?;
        let Claim::Note { text, tier: now } = &fact.claim else {
            return Err(Error::invalid("not_a_note", format!("{id} is no note")).at_field("fact"));
        };
        if *now == tier {
            return Ok(Answer { already: true, ..self.unchanged(options) });
        }
        let known_at = self.stamp(options)?;
        self.slot_of(work, &fact).await?;
        let mut moved = Fact::clone(&fact);
        moved.claim = Claim::Note { text: Arc::clone(text), tier };
        work.put(&fact.subject, [moved], [], known_at);
        Ok(self.transact(work, "tier", known_at, options, None))
    }

    /// Takes down what was believed when somebody decided something.
    pub(super) async fn take_down(
        &mut self,
        work: &mut Workspace<'_>,
        label: &Arc<str>,
        facts: &[FactId],
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        for id in facts {
            self.need(*id, "fact").await.map_err(|error| error.at_field("facts"))?;
        }
        let known_at = self.stamp(options)?;
        let answer = self.transact(work, "decide", known_at, options, None);
        if let Some(tx) = answer.tx {
            work.batch.decisions.push(DecisionRow {
                tx,
                label: Arc::clone(label),
                actor: options.actor.clone(),
                facts: facts.to_vec(),
            });
        }
        Ok(answer)
    }
}

/// Returns the candidate that says what a fact says, over the period it names.
fn restated(fact: &Fact, options: &WriteOptions) -> Candidate {
    let origin = fact.origin();
    let period = fact.held.as_ref().map_or(fact.claimed, |held| held.valid);
    let claim = fact.claim.clone();
    Candidate {
        subject: fact.subject.clone(),
        says: Says::Holds(claim),
        scope: fact.scope.clone(),
        valid_from: Some(period.from()),
        // An end that was never stated stops at the next believed change.
        valid_until: Some(period.until()).filter(|until| *until != Timestamp::OPEN),
        time_ref: TimeRef::Current,
        proposal: None,
        target: None,
        confidence: origin.confidence,
        source: Arc::clone(&origin.source),
        actor: options.actor.clone(),
        raw: None,
        metadata: fact.metadata.clone(),
    }
}

/// Returns a held claim as it is once somebody turned it down.
fn turned_down(fact: &Fact, known_at: Timestamp, reason: Reason) -> Fact {
    let mut down = fact.clone();
    down.held = fact.held.clone().map(|held| Held { until: Some(known_at), ..held });
    down.reason = reason;
    down
}

/// Returns the side that is current: an authority's, else the believed one.
fn current(sides: &[Arc<Fact>]) -> Option<FactId> {
    let believed = |pillar| sides.iter().find(move |side| side.pillar == pillar && side.is_believed());
    believed(Pillar::Authoritative).or_else(|| believed(Pillar::Experiential)).map(|side| side.id)
}

/// Returns the source of what somebody decided.
fn signed(options: &WriteOptions) -> Source {
    Source { name: options.actor.clone(), ..Source::of(SourceKind::Upsert) }
}

/// Ends the sides that are picked for it: the holding of them, and belief in
/// them over as much of each period as `over` says.
fn retire(
    sides: &[Arc<Fact>],
    facts: &[Arc<Fact>],
    known_at: Timestamp,
    ids: &mut Ids,
    options: &WriteOptions,
    which: impl Fn(&Fact) -> bool,
    over: impl Fn(Period) -> Vec<Period>,
) -> Plan {
    let Some(first) = sides.first() else { return Plan::default() };
    let cuts: Vec<Cut> = sides
        .iter()
        .filter(|side| which(side) && side.is_believed())
        .map(|side| Cut {
            fact: side.id,
            periods: side.coverage.believed_latest().iter().flat_map(|period| over(*period)).collect(),
        })
        .filter(|cut| !cut.periods.is_empty())
        .collect();
    let decision = Decision {
        action: Action::Retract,
        reason: Reason::Chosen,
        effect: Effect::End { cuts, withdrawn: Vec::new() },
        opens: None,
        against: Vec::new(),
        as_state: false,
    };
    let candidate = Candidate {
        source: Arc::new(signed(options)),
        confidence: 1.0,
        raw: None,
        ..restated(first, options)
    };
    let mut planned = plan(&decision, &candidate, facts, &[], known_at, ids);
    for side in sides.iter().filter(|side| which(side) && side.is_held()) {
        planned.facts.insert(side.id, turned_down(side, known_at, Reason::Rejected));
    }
    planned
}
