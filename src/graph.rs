//! The façade: an open store, with everything that can be asked of it.

mod care;
mod deciding;
mod erasing;
mod listing;
mod published;
mod reading;
mod reconciling;
mod rules;
mod sequencer;
mod sweeping;
mod transfer;
mod turn;
mod upkeep;
mod workspace;

pub use care::{Choice, Erasure};
pub use reading::{Basis, Page, Read, ReadOptions};
pub use transfer::{Manifest, Restore, RestoreReport};
pub use turn::{
    Answer, Chain, Key, Outcome, Proposal, Reference, Render, Replied, Statement, Turn, WriteOptions,
};
pub use upkeep::{Fate, Reviewed, Statistics};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

use care::{Act, Care};
use published::{Newest, Published, State};
use sequencer::{Job, Request, Sequencer};

use crate::clock::{Clock, SystemClock};
use crate::error::{Error, ErrorKind};
use crate::facts::{FactId, Tier, UncertaintyId};
use crate::policy::parse;
use crate::policy::{Policies, PolicyPatch, SlotPatch, Slots};
use crate::query::Rulebook;
use crate::store::{PolicyRow, Store};
use crate::time::Timestamp;

/// How many requests may wait for the sequencer before callers wait too.
const QUEUE: usize = 1_024;
/// The read cache where nobody says otherwise: 256 MiB.
const CACHE_BYTES: usize = 256 << 20;

/// How to open a store.
///
/// ```
/// use hitherto::Options;
///
/// let options = Options::new("mem://").cache_bytes(1 << 20);
/// assert_eq!(options.url(), "mem://");
/// ```
#[derive(Clone)]
pub struct Options {
    url: String,
    create: bool,
    durable: bool,
    cache_bytes: usize,
    clock: Arc<dyn Clock>,
}

impl Options {
    /// Returns the options for a URL: `mem://`, `surrealkv://DIRECTORY`, or
    /// `ws://HOST` where the `remote` feature is on.
    ///
    /// ```
    /// # use hitherto::Options;
    /// assert_eq!(Options::new("mem://").url(), "mem://");
    /// ```
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            create: true,
            durable: true,
            cache_bytes: CACHE_BYTES,
            clock: Arc::new(SystemClock),
        }
    }

    /// Returns the URL.
    ///
    /// ```
    /// # use hitherto::Options;
    /// assert_eq!(Options::new("mem://").url(), "mem://");
    /// ```
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Says whether a store is made where there is none; it is unless said otherwise.
    ///
    /// ```
    /// # use hitherto::Options;
    /// let reading = Options::new("surrealkv://memory").create(false);
    /// assert_eq!(reading.url(), "surrealkv://memory");
    /// ```
    #[must_use]
    pub fn create(mut self, create: bool) -> Self {
        self.create = create;
        self
    }

    /// Says whether every turn is on disk before it is acknowledged. It is,
    /// unless turned off here: then the last five seconds may be lost.
    ///
    /// ```
    /// # use hitherto::Options;
    /// let risky = Options::new("surrealkv://memory").durable(false);
    /// assert_eq!(risky.url(), "surrealkv://memory");
    /// ```
    #[must_use]
    pub fn durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }

    /// Says how many bytes the read cache may take; nought turns it off.
    ///
    /// ```
    /// # use hitherto::Options;
    /// assert_eq!(Options::new("mem://").cache_bytes(0).url(), "mem://");
    /// ```
    #[must_use]
    pub fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// Sets the clock, for tests that need another.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use hitherto::{Options, SystemClock};
    /// assert_eq!(Options::new("mem://").clock(Arc::new(SystemClock)).url(), "mem://");
    /// ```
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }
}

/// An open store.
///
/// A handle is cheap to clone; all of them are the same store. Writes go, in
/// order, through one sequencer; reads see every write that was acknowledged.
///
/// ```
/// use hitherto::{Graph, Options, answer};
///
/// # let runtime = tokio::runtime::Runtime::new()?;
/// # runtime.block_on(async {
/// let graph = Graph::open(Options::new("mem://")).await?;
/// let request = r#"{"op":"assert","subject":{"type":"project","name":"Harbour"},"key":"plan","value":"Seed"}"#;
/// assert!(answer(&graph, request).await.starts_with(r#"{"ok":true"#));
/// graph.close().await
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Graph {
    inner: Arc<Inner>,
}

struct Inner {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    published: Arc<Published>,
    closed: AtomicBool,
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// A request that is under way.
pub struct Waiting {
    answer: oneshot::Receiver<Result<Replied<Answer>, Error>>,
}

impl Waiting {
    /// Waits for the reply.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the request.
    pub async fn reply(self) -> Result<Replied<Answer>, Error> {
        self.answer.await.map_err(|_| closed())?
    }
}

fn closed() -> Error {
    Error::new(ErrorKind::Unavailable, "store_closed", "the store is closed")
}

impl Graph {
    /// Opens a store.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] where another process holds it,
    /// [`ErrorKind::Incompatible`] where the directory is something else or a
    /// newer version wrote it, [`ErrorKind::Corrupt`] where it is damaged,
    /// [`ErrorKind::NotFound`] where there is none and none is to be made.
    pub async fn open(options: Options) -> Result<Self, Error> {
        let store =
            Arc::new(Store::open(&options.url, options.create, options.cache_bytes, options.durable).await?);
        let published = Arc::new(Published::new(State::read(&store).await?));
        let keys = store.reader.expiring().await?;
        let sequencer =
            Sequencer::new(Arc::clone(&store), Arc::clone(&options.clock), Arc::clone(&published), keys);
        let (jobs, waiting) = mpsc::channel(QUEUE);
        let task = tokio::spawn(sequencer.run(waiting));
        Ok(Self {
            inner: Arc::new(Inner {
                store,
                clock: options.clock,
                published,
                closed: AtomicBool::new(false),
                jobs: Mutex::new(Some(jobs)),
                task: Mutex::new(Some(task)),
            }),
        })
    }

    /// Finishes what is running and lets go of the store; other handles answer
    /// `unavailable` from then on.
    ///
    /// # Errors
    ///
    /// None so far; an engine that cannot close in order may bring one.
    pub async fn close(&self) -> Result<(), Error> {
        self.inner.closed.store(true, Ordering::Release);
        drop(self.inner.jobs.lock().await.take());
        if let Some(task) = self.inner.task.lock().await.take() {
            // The sequencer ends once it has served what waits.
            let _ = task.await;
        }
        self.inner.store.close().await;
        Ok(())
    }

    /// Returns how many times the engine has been called, for tests that count work.
    #[must_use]
    pub fn engine_calls(&self) -> u64 {
        self.inner.store.engine_calls()
    }

    /// Puts a request in the queue and returns where its reply comes.
    async fn queue(&self, request: Request) -> Result<Waiting, Error> {
        let jobs = self.inner.jobs.lock().await.clone().ok_or_else(closed)?;
        let (reply, answer) = oneshot::channel();
        jobs.send(Job { request, reply }).await.map_err(|_| closed())?;
        Ok(Waiting { answer })
    }

    async fn ask(&self, request: Request) -> Result<Replied<Answer>, Error> {
        self.queue(request).await?.reply().await
    }

    /// Puts a turn in the queue without waiting for its reply: turns are
    /// carried out in the order in which they are queued.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] where the store is closed.
    pub async fn enqueue(&self, turn: Turn) -> Result<Waiting, Error> {
        self.queue(Request::Turn(Box::new(turn))).await
    }

    async fn care(&self, act: Act, options: WriteOptions) -> Result<Replied<Answer>, Error> {
        self.ask(Request::Care(Box::new(Care { act, options }))).await
    }

    /// Reconciles and stores a turn, all of it or nothing.
    ///
    /// # Errors
    ///
    /// An [`Error`] that names the candidate and the field at fault; nothing of
    /// the turn is stored then.
    pub async fn submit(&self, turn: Turn) -> Result<Replied<Answer>, Error> {
        self.ask(Request::Turn(Box::new(turn))).await
    }

    /// Declares a policy, from the next transaction on.
    ///
    /// # Errors
    ///
    /// An [`Error`] where the known time named is not after the newest.
    pub async fn declare_policy(
        &self,
        patch: PolicyPatch,
        options: WriteOptions,
    ) -> Result<Replied<Answer>, Error> {
        self.care(Act::Policy(patch), options).await
    }

    /// Declares slots, from the next transaction on.
    ///
    /// # Errors
    ///
    /// An [`Error`] where names clash, or keys that hold rival values would be joined.
    pub async fn declare_slots(
        &self,
        patches: Vec<SlotPatch>,
        options: WriteOptions,
    ) -> Result<Replied<Answer>, Error> {
        self.care(Act::Slots(patches), options).await
    }

    /// Lets a proposal through.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for what is no proposal, [`ErrorKind::Conflict`]
    /// for one that was decided otherwise or is stale.
    pub async fn confirm(&self, id: FactId, options: WriteOptions) -> Result<Replied<Answer>, Error> {
        self.care(Act::Confirm(id), options).await
    }

    /// Turns a proposal down.
    ///
    /// # Errors
    ///
    /// As [`confirm`](Self::confirm).
    pub async fn reject(
        &self,
        id: FactId,
        note: Option<Arc<str>>,
        options: WriteOptions,
    ) -> Result<Replied<Answer>, Error> {
        self.care(Act::Reject(id, note), options).await
    }

    /// Decides an uncertainty.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for an id there is not, [`ErrorKind::Conflict`]
    /// for one that was decided otherwise.
    pub async fn resolve(
        &self,
        id: UncertaintyId,
        choice: Choice,
        options: WriteOptions,
    ) -> Result<Replied<Answer>, Error> {
        self.care(Act::Resolve(id, choice), options).await
    }

    /// Forgets or purges facts.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn erase(&self, erasure: Erasure, options: WriteOptions) -> Result<Replied<Answer>, Error> {
        self.care(Act::Erase(erasure), options).await
    }

    /// Resolves placeholders.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn sweep(&self, options: WriteOptions) -> Result<Replied<Answer>, Error> {
        self.care(Act::Sweep, options).await
    }

    /// Moves a note to another tier.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for an id there is not, [`ErrorKind::Invalid`]
    /// for a fact that is no note.
    pub async fn move_tier(
        &self,
        id: FactId,
        tier: Tier,
        options: WriteOptions,
    ) -> Result<Replied<Answer>, Error> {
        self.care(Act::Tier(id, tier), options).await
    }

    /// Takes down what was believed when somebody decided something.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for an id there is not.
    pub async fn decide(
        &self,
        label: Arc<str>,
        facts: Vec<FactId>,
        options: WriteOptions,
    ) -> Result<Replied<Answer>, Error> {
        self.care(Act::Decide(label, facts), options).await
    }
}

impl State {
    /// Reads what is stored.
    async fn read(store: &Store) -> Result<Self, Error> {
        let last = store.reader.last_turn().await?;
        let newest = last.as_ref().map_or(Newest { tx: 0, known_at: Timestamp::BEGINNING }, |turn| Newest {
            tx: turn.tx,
            known_at: turn.known_at,
        });
        let settled = last.map_or(Timestamp::BEGINNING, |turn| turn.wall.max(turn.known_at));
        let mut rules = Vec::new();
        for row in store.reader.policies().await? {
            rules.push((row.known_from, Arc::new(rulebook(&row)?)));
        }
        Ok(Self { newest, rules, settled })
    }
}

/// Reads the rules that a row declares.
fn rulebook(row: &PolicyRow) -> Result<Rulebook, Error> {
    let broken = |error: &dyn std::fmt::Display| {
        Error::new(
            ErrorKind::Corrupt,
            "store_corrupt",
            format!("the policy of transaction {} is broken: {error}", row.tx),
        )
    };
    let mut policies = Policies::default();
    for patch in parse::policy_text(&row.policies).map_err(|e| broken(&e))? {
        policies.apply(patch);
    }
    let mut slots = Slots::default();
    slots.declare(parse::slots_text(&row.slots).map_err(|e| broken(&e))?).map_err(|e| broken(&e))?;
    Ok(Rulebook { version: row.tx, policies, slots })
}
