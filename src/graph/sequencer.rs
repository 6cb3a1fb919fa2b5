//! The one place where turns are put in order, decided and stamped.
//!
//! Turns that wait are packed into one engine transaction; each is still all
//! or nothing. Readers see up to what is published, which moves after the
//! commit and before the acknowledgement, so everyone reads their own writes
//! and a basis never gains facts afterwards.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};

use super::care::Care;
use super::published::{Newest, Published};
use super::turn::{Answer, Chain, Replied, Turn, WriteOptions};
use super::workspace::Workspace;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind};
use crate::facts::Scope;
use crate::policy::Policy;
use crate::query::Rulebook;
use crate::reconcile::Ids;
use crate::store::{ReplayRow, Store, TurnRow};
use crate::time::Timestamp;

/// How many turns one engine transaction takes at most.
const TURNS: usize = 64;
/// How many candidates one engine transaction takes, unless one turn has more:
/// the engine's cost of a row is flat up to about a thousand.
const CANDIDATES: usize = 1_000;
/// How far ahead of the clock a named known time may be: a minute. Every later
/// stamp would have to wait there.
const AHEAD_MICROS: i64 = 60_000_000;
/// How long an idempotency key is kept: a day.
const KEY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;
/// How often a batch is decided again after a lost race with another process.
const TRIES: u32 = 8;

/// What the sequencer is asked to do.
pub(super) enum Request {
    Turn(Box<Turn>),
    Care(Box<Care>),
    /// Read anew what is stored: it was moved in behind the sequencer.
    Reload,
    /// Say that nothing is under way, and do nothing until told to go on.
    Pause(Box<Mutex<Option<Handshake>>>),
}

/// Where a pause is announced, and from where its end comes.
pub(super) type Handshake = (oneshot::Sender<()>, oneshot::Receiver<()>);

/// The reply to a request.
pub(super) type Reply = Result<Replied<Answer>, Error>;

/// A request with where its reply goes.
pub(super) struct Job {
    pub(super) request: Request,
    pub(super) reply: oneshot::Sender<Reply>,
}

/// Orders, decides and writes.
pub(super) struct Sequencer {
    pub(super) store: Arc<Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) published: Arc<Published>,
    /// The newest transaction that has been given out, written or not.
    pub(super) newest: Newest,
    pub(super) rules: Arc<Rulebook>,
    policies: HashMap<Scope, Arc<Policy>>,
    /// Keys with the wall time at which each may go.
    expiring: VecDeque<(Timestamp, Arc<str>)>,
}

impl Sequencer {
    pub(super) fn new(
        store: Arc<Store>,
        clock: Arc<dyn Clock>,
        published: Arc<Published>,
        keys: Vec<(Timestamp, Arc<str>)>,
    ) -> Self {
        let newest = published.newest();
        let rules = published.rules();
        let mut expiring: Vec<_> =
            keys.into_iter().map(|(at, key)| (at.saturating_add_micros(KEY_MICROS), key)).collect();
        expiring.sort();
        Self { store, clock, published, newest, rules, policies: HashMap::new(), expiring: expiring.into() }
    }

    /// Serves requests until every handle is gone.
    pub(super) async fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut next: Option<Job> = None;
        loop {
            let first = match next.take() {
                Some(job) => job,
                None => match jobs.recv().await {
                    Some(job) => job,
                    None => return,
                },
            };
            let mut batch = vec![first];
            let mut candidates = weight(&batch[0].request);
            while batch.len() < TURNS && candidates < CANDIDATES {
                match jobs.try_recv() {
                    Ok(job) if candidates + weight(&job.request) <= CANDIDATES => {
                        candidates += weight(&job.request);
                        batch.push(job);
                    }
                    // What would make the batch too large opens the next one.
                    Ok(job) => {
                        next = Some(job);
                        break;
                    }
                    Err(_) => break,
                }
            }
            self.serve(batch).await;
        }
    }

    /// Decides a batch, writes it, and replies.
    async fn serve(&mut self, batch: Vec<Job>) {
        let mut tries = 0;
        let replies = loop {
            let (newest, rules) = (self.newest, Arc::clone(&self.rules));
            match self.attempt(&batch).await {
                Ok(replies) => break replies,
                Err(error) => {
                    self.newest = newest;
                    self.rules = rules;
                    self.policies.clear();
                    tries += 1;
                    if error.kind() != ErrorKind::Conflict || tries >= TRIES {
                        batch.iter().filter_map(|job| chain(&job.request)).for_each(Chain::snap);
                        break batch.iter().map(|_| Err(error.share())).collect();
                    }
                    // A little longer each time, so that of two who race one is first.
                    tokio::time::sleep(std::time::Duration::from_millis(1 << tries)).await;
                }
            }
        };
        for (job, reply) in batch.into_iter().zip(replies) {
            // Whoever asked may have gone; the turn stands all the same.
            let _ = job.reply.send(reply);
        }
    }

    async fn attempt(&mut self, batch: &[Job]) -> Result<Vec<Reply>, Error> {
        let store = Arc::clone(&self.store);
        let mut work = Workspace::new(&store.reader, Arc::clone(&self.rules));
        let mut replies = Vec::with_capacity(batch.len());
        for job in batch {
            work.begin();
            let before = (self.newest, Arc::clone(&self.rules));
            let chain = chain(&job.request);
            let reply = match &job.request {
                _ if chain.is_some_and(Chain::is_broken) => Err(broken()),
                Request::Turn(turn) => self.turn(&mut work, turn).await,
                Request::Care(care) => self.care(&mut work, care).await,
                Request::Reload => self.reload().await,
                Request::Pause(handshake) => {
                    if let Some((begun, ended)) = handshake.lock().await.take() {
                        // Whoever paused may be gone by now: then it is over.
                        let _ = begun.send(());
                        let _ = ended.await;
                    }
                    Ok(Replied::New(Answer::default()))
                }
            };
            if reply.is_err() {
                chain.map(Chain::snap);
                work.roll_back();
                self.newest = before.0;
                if !Arc::ptr_eq(&self.rules, &before.1) {
                    self.set_rules(before.1);
                }
            }
            replies.push(reply);
        }
        let wall = self.clock.now();
        while let Some((at, _)) = self.expiring.front()
            && *at <= wall
        {
            work.batch.dropped_replays.extend(self.expiring.pop_front().map(|(_, key)| key));
        }
        let now = self.published.settle(wall.max(self.newest.known_at));
        let written = work.into_batch(now);
        if !written.is_empty() {
            store.writer.commit(&written).await?;
        }
        for replay in written.replays.iter().filter(|replay| !replay.kept) {
            self.expiring.push_back((replay.at.saturating_add_micros(KEY_MICROS), Arc::clone(&replay.key)));
        }
        self.published.publish(self.newest, &self.rules);
        Ok(replies)
    }

    async fn reload(&mut self) -> Reply {
        let state = super::State::read(&self.store).await?;
        self.newest = state.newest;
        self.set_rules(state.rules.last().map(|(_, rules)| Arc::clone(rules)).unwrap_or_default());
        self.published.reset(state);
        Ok(Replied::New(Answer::default()))
    }

    /// Puts other rules in force for what follows.
    pub(super) fn set_rules(&mut self, rules: Arc<Rulebook>) {
        self.rules = rules;
        self.policies.clear();
    }

    /// Returns the policy in force in a scope.
    pub(super) fn policy(&mut self, scope: &Scope) -> Arc<Policy> {
        if let Some(policy) = self.policies.get(scope) {
            return Arc::clone(policy);
        }
        let policy = Arc::new(self.rules.policies.effective(scope.as_str()));
        self.policies.insert(scope.clone(), Arc::clone(&policy));
        policy
    }

    /// Answers a request that was sent before under the same key.
    pub(super) async fn replayed(
        &self,
        work: &Workspace<'_>,
        options: &WriteOptions,
    ) -> Result<Option<Replied<Answer>>, Error> {
        let Some(key) = &options.key else { return Ok(None) };
        let pending = work.batch.replays.iter().find(|replay| replay.key == key.key).cloned();
        let used = match pending {
            Some(replay) => Some(replay),
            None => self.store.reader.replay(&key.key).await?,
        };
        let expired =
            |used: &ReplayRow| !used.kept && used.at.saturating_add_micros(KEY_MICROS) <= self.clock.now();
        let Some(used) = used.filter(|used| !expired(used)) else { return Ok(None) };
        if used.body != key.body {
            let message = format!("the idempotency_key {:?} was used for another request", &*key.key);
            return Err(Error::new(ErrorKind::Conflict, "idempotency_key_reused", message)
                .at_field("idempotency_key"));
        }
        Ok(Some(match used.answer {
            Some(answer) => Replied::Kept(answer),
            None => Replied::Gone(used.tx),
        }))
    }

    /// Returns the stamp of the next transaction.
    pub(super) fn stamp(&self, options: &WriteOptions) -> Result<Timestamp, Error> {
        let now = self.clock.now();
        let Some(named) = options.known_at else {
            return Ok(now.max(self.newest.known_at.next()));
        };
        if named <= self.newest.known_at {
            let message =
                format!("known_at {named} is not after {}, the newest known time", self.newest.known_at);
            return Err(Error::new(ErrorKind::Conflict, "known_at_not_after", message).at_field("known_at"));
        }
        if named > now.saturating_add_micros(AHEAD_MICROS) {
            let message =
                format!("known_at {named} is more than a minute ahead of {now}, the time of the clock");
            return Err(Error::invalid("known_at_ahead", message).at_field("known_at"));
        }
        Ok(named)
    }

    /// Returns the row of the transaction that `stamp` is given to, and counts it.
    pub(super) fn turn_row(&mut self, kind: &str, stamp: Timestamp, options: &WriteOptions) -> TurnRow {
        self.newest = Newest { tx: self.newest.tx + 1, known_at: stamp };
        TurnRow {
            tx: self.newest.tx,
            known_at: stamp,
            wall: self.clock.now(),
            imported: options.known_at.is_some(),
            kind: kind.into(),
            actor: options.actor.clone(),
            message: None,
            outcomes: 0,
            report: None,
        }
    }

    /// Returns the ids that the next transaction would give out.
    pub(super) fn ids(&self) -> Ids {
        Ids::new(self.newest.tx + 1)
    }

    /// Keeps the answer of a request under its key.
    pub(super) fn keep_answer(&self, work: &mut Workspace<'_>, options: &WriteOptions, answer: &Answer) {
        let Some(key) = &options.key else { return };
        work.batch.replays.push(ReplayRow {
            key: Arc::clone(&key.key),
            body: Arc::clone(&key.body),
            answer: key.render.as_ref().map(|render| render(answer).into()),
            tx: answer.tx,
            at: self.clock.now(),
            kept: key.render.is_none(),
        });
    }
}

fn chain(request: &Request) -> Option<&Chain> {
    match request {
        Request::Turn(turn) => turn.options.chain.as_ref(),
        Request::Care(care) => care.options.chain.as_ref(),
        Request::Reload | Request::Pause(_) => None,
    }
}

fn broken() -> Error {
    Error::new(ErrorKind::Refused, "chain_broken", "an earlier request of the same chain failed")
}

/// Returns how many candidates a request counts for; what is no turn goes alone.
fn weight(request: &Request) -> usize {
    match request {
        Request::Turn(turn) => turn.candidates.len().max(1),
        Request::Care(_) | Request::Reload | Request::Pause(_) => CANDIDATES,
    }
}
