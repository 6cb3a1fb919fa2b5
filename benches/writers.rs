//! W9: writers that write at the same time, through the one sequencer.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use hitherto::Graph;
use hitherto::facts::Action;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::Outcome;
use crate::peers::bare::{Bare, Says, Slot};
use crate::size::Sizes;
use crate::subject;
use crate::table::{Table, Target};
use crate::timing::median;
use crate::write::{Speaker, clock, name, per_second, raw, value};

const WRITERS: [usize; 3] = [1, 8, 32];

/// Lets writers write, each to a slot of its own, and returns writes a second.
async fn ours(
    graph: &Graph,
    speaker: &Arc<Speaker>,
    writers: usize,
    each: usize,
    round: usize,
) -> Outcome<f64> {
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for writer in 0..writers {
        let (graph, speaker) = (graph.clone(), Arc::clone(speaker));
        tasks.spawn(async move {
            for step in 0..each {
                let turn = speaker.says(writer, round * 1_000_000 + step, None);
                let answer = subject::submit(&graph, turn).await.map_err(|error| error.to_string())?;
                let action = answer.outcomes.first().map(|outcome| outcome.action);
                if !matches!(action, Some(Action::Add | Action::Supersede)) {
                    return Err(format!("a writer's value came to {action:?}"));
                }
            }
            Ok::<(), String>(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(per_second(writers * each, started.elapsed()))
}

/// The same by hand: a transaction for each write, the engine alone to order them.
async fn theirs(bare: &Bare, tx: &Arc<AtomicI64>, writers: usize, each: usize, round: usize) -> Outcome<f64> {
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for writer in 0..writers {
        let (bare, tx) = (bare.clone(), Arc::clone(tx));
        tasks.spawn(async move {
            let mut slot = Slot::new(&format!("{} {writers} {round}", name(writer)), "status");
            for step in 0..each {
                let (value, raw) = (value(round * 1_000_000 + step), raw(writer, step));
                let tx = tx.fetch_add(1, Ordering::Relaxed);
                let says = Says { value: &value, raw: &raw, known_at: clock(), named: false, tx };
                slot.replace(&bare, &says).await.map_err(|error| error.to_string())?;
            }
            Ok::<(), String>(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(per_second(writers * each, started.elapsed()))
}

pub(crate) fn run(runtime: &Runtime, sizes: &Sizes, table: &mut Table) -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    let rates = runtime.block_on(async {
        let speaker = Arc::new(Speaker::new(32)?);
        let graph = subject::open(&directory.path().join("store"), None).await?;
        let bare = Bare::make(&directory.path().join("by hand")).await?;
        let tx = Arc::new(AtomicI64::new(1));
        ours(&graph, &speaker, 32, 4, 1).await?;
        theirs(&bare, &tx, 32, 4, 1).await?;
        let mut rates = [const { (Vec::new(), Vec::new()) }; 3];
        for round in 2..2 + sizes.rounds {
            for (writers, (one, other)) in WRITERS.into_iter().zip(&mut rates) {
                let each = (sizes.writes * 2 / writers).max(4);
                one.push(ours(&graph, &speaker, writers, each, round * 100 + writers).await?);
                other.push(theirs(&bare, &tx, writers, each, round).await?);
            }
        }
        graph.close().await?;
        Outcome::Ok(rates)
    })?;
    let rates = rates.map(|(ours, theirs)| (median(ours), median(theirs)));
    for (writers, (rate, by_hand)) in WRITERS.into_iter().zip(rates) {
        let size = format!("{writers} writers");
        let heading = ("W9", "durable writes at the same time", size.as_str());
        if writers > 1 {
            table.rates(heading, rate, ("one writer", rates[0].0), Target::AtLeast(3.0));
        }
        table.rates(heading, rate, ("bare SurrealDB, unordered", by_hand), Target::Reported);
    }
    Ok(())
}
