//! From a decision to the facts that it writes and changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::candidate::{Candidate, Says};
use super::decision::{Cut, Decision, Effect};
use crate::facts::{
    Action, Claim, Evidence, Fact, FactId, Held, Link, Reason, Scope, Standing, Status, Tier, Uncertainty,
    UncertaintyId,
};
use crate::time::{Coverage, Period, Rectangle, Timestamp};

/// The ids that a transaction gives out, none twice.
///
/// ```
/// use hitherto::reconcile::Ids;
///
/// let mut ids = Ids::new(7);
/// assert_eq!(ids.fact().to_string(), "F7.0");
/// assert_eq!(ids.fact().to_string(), "F7.1");
/// assert_eq!(ids.uncertainty().to_string(), "U7.0");
/// ```
#[derive(Clone, Debug)]
pub struct Ids {
    tx: u64,
    facts: u32,
    uncertainties: u32,
}

impl Ids {
    /// Returns the ids of a transaction.
    #[must_use]
    pub fn new(tx: u64) -> Self {
        Self { tx, facts: 0, uncertainties: 0 }
    }

    /// Returns the transaction.
    #[must_use]
    pub fn tx(&self) -> u64 {
        self.tx
    }

    /// Gives out the next id of a fact.
    pub fn fact(&mut self) -> FactId {
        let id = FactId { tx: self.tx, place: self.facts };
        self.facts += 1;
        id
    }

    /// Returns how many ids of facts have been given out.
    #[must_use]
    pub fn facts_given(&self) -> u32 {
        self.facts
    }

    /// Returns the ids of facts that have been given out since so many were.
    #[must_use]
    pub fn facts_since(&self, given: u32) -> Vec<FactId> {
        (given..self.facts).map(|place| FactId { tx: self.tx, place }).collect()
    }

    /// Gives out the next id of an uncertainty.
    pub fn uncertainty(&mut self) -> UncertaintyId {
        let id = UncertaintyId { tx: self.tx, place: self.uncertainties };
        self.uncertainties += 1;
        id
    }
}

/// What a decision comes to: new versions of facts and uncertainties.
#[derive(Clone, Default, Debug)]
pub struct Plan {
    /// Facts that are new or changed. One whose coverage is empty although it
    /// is a claim and not held was never visible and is not to be stored.
    pub facts: BTreeMap<FactId, Fact>,
    /// Uncertainties that are new or changed.
    pub uncertainties: BTreeMap<UncertaintyId, Uncertainty>,
    /// The fact that the outcome names.
    pub fact: Option<FactId>,
    /// How that fact stands.
    pub status: Option<Status>,
    /// The facts that were retired.
    pub superseded: Vec<FactId>,
    /// The uncertainty that was opened or kept open.
    pub uncertainty: Option<UncertaintyId>,
}

/// Whether a fact was never visible: a claim that is believed nowhere, is not
/// held and never was.
pub(crate) fn never_visible(fact: &Fact) -> bool {
    fact.standing == Standing::Claim && fact.coverage.is_empty() && fact.held.is_none()
}

/// Works out what a decision writes and changes.
///
/// `facts` are the facts that it was made on and `open` the open uncertainties
/// of the subject.
#[must_use]
pub fn plan(
    decision: &Decision,
    candidate: &Candidate,
    facts: &[Arc<Fact>],
    open: &[Arc<Uncertainty>],
    known_at: Timestamp,
    ids: &mut Ids,
) -> Plan {
    let mut planner = Planner { decision, candidate, facts, known_at, ids, plan: Plan::default() };
    match &decision.effect {
        Effect::Nothing => {}
        Effect::Support(supported) => planner.support(supported),
        Effect::Write { pieces, cuts, supports } => planner.write(pieces, cuts, supports),
        Effect::Release { held, pieces, cuts } => planner.release(*held, pieces, cuts),
        Effect::Hold { period, targets, removal, proposal } => {
            planner.hold(*period, targets, *removal, *proposal);
        }
        Effect::End { cuts, withdrawn } => planner.end(cuts, withdrawn),
        Effect::Archive { period } => planner.archive(*period),
    }
    if let Some(reason) = decision.opens {
        planner.open(reason, open);
    }
    planner.finish()
}

struct Planner<'a> {
    decision: &'a Decision,
    candidate: &'a Candidate,
    facts: &'a [Arc<Fact>],
    known_at: Timestamp,
    ids: &'a mut Ids,
    plan: Plan,
}

impl Planner<'_> {
    fn evidence(&self) -> Evidence {
        Evidence {
            source: Arc::clone(&self.candidate.source),
            confidence: self.candidate.confidence,
            known_from: self.known_at,
            actor: self.candidate.actor.clone(),
            raw: self.candidate.raw.clone(),
        }
    }

    /// Returns the version of a fact that the plan changes, made from the one
    /// that was decided on when it is first asked for.
    fn change(&mut self, id: FactId) -> Option<&mut Fact> {
        if !self.plan.facts.contains_key(&id) {
            let held = self.facts.iter().find(|fact| fact.id == id)?;
            self.plan.facts.insert(id, Fact::clone(held));
        }
        self.plan.facts.get_mut(&id)
    }

    fn claim(&self) -> Claim {
        match &self.candidate.says {
            Says::Holds(claim) => claim.clone(),
            Says::ValueEnds { key, value } => Claim::Attribute {
                key: Arc::clone(key),
                value: value.clone().unwrap_or(crate::facts::Value::Bool(true)),
            },
            Says::RelationEnds { .. } => {
                unreachable!("a relation that ends is not stored as a claim of its own")
            }
        }
    }

    fn fact(&mut self, claim: Claim, standing: Standing, claimed: Period, coverage: Coverage) -> Fact {
        Fact {
            id: self.ids.fact(),
            subject: self.candidate.subject.clone(),
            line: claim.line(),
            claim,
            standing,
            scope: self.candidate.scope.clone(),
            pillar: self.candidate.pillar(),
            claimed,
            coverage,
            held: None,
            action: self.decision.action,
            reason: self.decision.reason,
            supersedes: Vec::new(),
            superseded_by: Vec::new(),
            evidence: vec![self.evidence()],
            metadata: self.candidate.metadata.clone(),
            forgotten_at: None,
        }
    }

    fn support(&mut self, supported: &[FactId]) {
        for id in supported {
            self.add_evidence(*id);
        }
        self.plan.fact = supported.first().copied();
        let known_at = self.known_at;
        let first = self.plan.fact.and_then(|id| self.facts.iter().find(|fact| fact.id == id));
        self.plan.status = first.map(|fact| fact.status_at(known_at));
        self.plan.uncertainty = first
            .and_then(|fact| fact.held.as_ref())
            .filter(|held| held.is_open())
            .and_then(|held| held.uncertainty);
    }

    fn add_evidence(&mut self, id: FactId) {
        let evidence = self.evidence();
        let counted = |fact: &Fact| fact.evidence.iter().any(|e| e.source.same_evidence(&evidence.source));
        if self.facts.iter().any(|fact| fact.id == id && counted(fact)) {
            return;
        }
        if let Some(fact) = self.change(id)
            && !counted(fact)
        {
            fact.evidence.push(evidence);
        }
    }

    fn write(&mut self, pieces: &[Period], cuts: &[Cut], supports: &[FactId]) {
        let coverage = self.coverage(pieces);
        let claimed = hull(pieces);
        let mut claim = self.claim();
        // A merged note takes the hotter tier of the two.
        if let Claim::Note { tier, .. } = &mut claim {
            let merged = self.facts.iter().filter(|fact| cuts.iter().any(|cut| cut.fact == fact.id));
            *tier = merged.filter_map(|fact| fact.claim.tier()).fold(*tier, Tier::min);
        }
        let mut fact = self.fact(claim, Standing::Claim, claimed, coverage);
        let id = fact.id;
        fact.supersedes = cuts.iter().map(|cut| cut.fact).collect();
        self.plan.facts.insert(id, fact);
        for cut in cuts {
            self.cut(cut, id);
        }
        for supported in supports {
            self.add_evidence(*supported);
        }
        self.name(id, cuts);
    }

    fn release(&mut self, held: FactId, pieces: &[Period], cuts: &[Cut]) {
        let coverage = self.coverage(pieces);
        let known_at = self.known_at;
        let (action, reason) = (self.decision.action, self.decision.reason);
        let evidence = self.evidence();
        let Some(fact) = self.change(held) else { return };
        // What let it pass is what counts from now on, even said by the same source.
        fact.evidence.push(evidence);
        for rectangle in coverage.rectangles() {
            fact.coverage.insert(*rectangle);
        }
        fact.claimed = hull(pieces);
        fact.action = action;
        fact.reason = reason;
        fact.supersedes.extend(cuts.iter().map(|cut| cut.fact));
        if let Some(held) = &mut fact.held {
            held.until = Some(known_at);
        }
        for cut in cuts {
            self.cut(cut, held);
        }
        self.name(held, cuts);
    }

    fn name(&mut self, id: FactId, cuts: &[Cut]) {
        self.plan.fact = Some(id);
        // What clashes with the other pillar is believed in its own and
        // contested in the whole.
        let contested = self.decision.action == Action::Flag;
        self.plan.status = Some(if contested { Status::Flagged } else { Status::Active });
        self.plan.superseded = cuts.iter().map(|cut| cut.fact).collect();
    }

    fn coverage(&self, pieces: &[Period]) -> Coverage {
        let known = Period::since(self.known_at).expect("a known time is a bounded instant");
        let mut coverage = Coverage::new();
        for valid in pieces {
            coverage.insert(Rectangle { valid: *valid, known });
        }
        coverage
    }

    fn cut(&mut self, cut: &Cut, successor: FactId) {
        let known_at = self.known_at;
        let Some(fact) = self.change(cut.fact) else { return };
        for period in &cut.periods {
            fact.coverage.end(*period, known_at);
        }
        fact.superseded_by.push(Link { fact: successor, since: known_at });
    }

    fn hold(&mut self, period: Period, targets: &[FactId], removal: bool, proposal: bool) {
        let standing = if removal { Standing::Removal } else { Standing::Claim };
        let target = || targets.first().and_then(|id| self.facts.iter().find(|fact| fact.id == *id));
        let claim = match (removal, target()) {
            (true, Some(target)) => target.claim.clone(),
            _ => self.claim(),
        };
        let mut fact = self.fact(claim, standing, period, Coverage::new());
        let asks = match self.candidate.proposal {
            _ if removal => Action::Retract,
            Some(Action::Refine) => Action::Refine,
            _ if targets.is_empty() => Action::Add,
            _ => Action::Supersede,
        };
        fact.held = Some(Held {
            valid: period,
            from: self.known_at,
            until: None,
            proposal,
            asks,
            targets: targets.to_vec(),
            uncertainty: None,
        });
        self.plan.fact = Some(fact.id);
        self.plan.status = Some(Status::Flagged);
        self.plan.facts.insert(fact.id, fact);
    }

    fn end(&mut self, cuts: &[Cut], withdrawn: &[FactId]) {
        for cut in cuts {
            let Some(ended) = self.facts.iter().find(|fact| fact.id == cut.fact) else { continue };
            let ended = Arc::clone(ended);
            let mut tombstone =
                self.fact(ended.claim.clone(), Standing::Removal, hull(&cut.periods), Coverage::new());
            tombstone.pillar = ended.pillar;
            tombstone.supersedes = vec![cut.fact];
            let id = tombstone.id;
            self.plan.facts.insert(id, tombstone);
            self.cut(cut, id);
            self.plan.fact.get_or_insert(id);
            self.plan.status = Some(Status::Historical);
        }
        let known_at = self.known_at;
        for id in withdrawn {
            if let Some(held) = self.change(*id).and_then(|fact| fact.held.as_mut()) {
                held.until = Some(known_at);
            }
        }
        self.plan.superseded = cuts.iter().map(|cut| cut.fact).chain(withdrawn.iter().copied()).collect();
    }

    fn archive(&mut self, period: Period) {
        let claim = self.claim();
        let fact = self.fact(claim, Standing::Archive, period, Coverage::new());
        self.plan.fact = Some(fact.id);
        self.plan.status = Some(Status::Historical);
        self.plan.facts.insert(fact.id, fact);
    }

    /// Opens an uncertainty, or keeps open the one between the pillars that
    /// the slot already has: one clash is one record.
    fn open(&mut self, reason: Reason, open: &[Arc<Uncertainty>]) {
        let Some(id) = self.plan.fact else { return };
        let mut sides = match &self.decision.effect {
            Effect::Hold { targets, .. } => targets.clone(),
            _ => self.decision.against.clone(),
        };
        sides.push(id);
        let key: Arc<str> = self.candidate.says.key().into();
        let is_held = self.plan.facts.get(&id).is_some_and(Fact::is_held);
        let standing = open.iter().find(|u| {
            !is_held
                && u.reason == reason
                && *u.key == *key
                && u.scope == self.candidate.scope
                && u.closed.is_none()
        });
        let mut uncertainty = match standing {
            Some(standing) => Uncertainty::clone(standing),
            None => Uncertainty {
                id: self.ids.uncertainty(),
                subject: self.candidate.subject.clone(),
                key,
                scope: Scope::clone(&self.candidate.scope),
                reason,
                sides: Vec::new(),
                candidates: Vec::new(),
                opened_at: self.known_at,
                closed: None,
            },
        };
        for side in sides {
            if !uncertainty.sides.iter().any(|(fact, _)| *fact == side) {
                uncertainty.sides.push((side, self.known_at));
            }
        }
        let opened = uncertainty.id;
        self.plan.uncertainty = Some(opened);
        self.plan.uncertainties.insert(opened, uncertainty);
        if let Some(held) = self.plan.facts.get_mut(&id).and_then(|fact| fact.held.as_mut())
            && held.is_open()
        {
            held.uncertainty = Some(opened);
        }
    }

    /// Takes out of every link the facts that were never visible: those that
    /// replaced them inherit what they had replaced.
    fn finish(mut self) -> Plan {
        let gone: Vec<Fact> = self.plan.facts.values().filter(|fact| never_visible(fact)).cloned().collect();
        let is_gone = |id: FactId| gone.iter().any(|fact| fact.id == id);
        let known_at = self.known_at;
        for fact in &gone {
            let successors: Vec<FactId> =
                fact.superseded_by.iter().map(|link| link.fact).filter(|id| !is_gone(*id)).collect();
            let replaced: Vec<FactId> = fact.supersedes.iter().copied().filter(|id| !is_gone(*id)).collect();
            for id in &successors {
                let Some(successor) = self.change(*id) else { continue };
                successor.supersedes.retain(|earlier| *earlier != fact.id);
                let missing = replaced.iter().filter(|earlier| !successor.supersedes.contains(earlier));
                let missing: Vec<FactId> = missing.copied().collect();
                successor.supersedes.extend(missing);
            }
            for id in &replaced {
                let Some(earlier) = self.change(*id) else { continue };
                earlier.superseded_by.retain(|link| link.fact != fact.id);
                for successor in &successors {
                    if !earlier.superseded_by.iter().any(|link| link.fact == *successor) {
                        earlier.superseded_by.push(Link { fact: *successor, since: known_at });
                    }
                }
            }
        }
        self.plan
    }
}

/// Returns the smallest period that holds all of these.
fn hull(pieces: &[Period]) -> Period {
    pieces.iter().copied().reduce(Period::hull).expect("an effect names at least one period")
}
