//! W4: the works of W1 to W3 with the cache off, beside one range read of the
//! engine by hand on the same rows.

use std::hint::black_box;

use hitherto::ReadOptions;

use crate::Outcome;
use crate::as_of::{got, points};
use crate::profile::listed;
use crate::stand::{Stand, agree};
use crate::subject;
use crate::table::{Table, Target};
use crate::timing::Contest;

pub(crate) fn run(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    current(stand, contest, table)?;
    profile(stand, contest, table)?;
    as_of(stand, contest, table)
}

fn current(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let (graph, bare, runtime, latest) = (&stand.cold, &stand.bare, stand.runtime, ReadOptions::default());
    let what = subject::attribute("status");
    for (entity, depth) in &stand.corpus.chains {
        let name = stand.name(*entity);
        let reference = subject::reference(&name)?;
        let (ours, theirs, calls) = runtime.block_on(async {
            let before = graph.engine_calls();
            let ours = got(&graph.get(&reference, &what, &latest).await?);
            let calls = graph.engine_calls() - before;
            Outcome::Ok((ours, bare.current(&name, "status", stand.now).await?, calls))
        })?;
        agree("W4 current value", &ours, "bare SurrealDB", &theirs)?;
        let [ours, theirs] = contest.race([
            Box::new(|batch| {
                runtime.block_on(async {
                    for _ in 0..batch {
                        let _ = black_box(graph.get(&reference, &what, &latest).await);
                    }
                });
            }),
            Box::new(|batch| {
                runtime.block_on(async {
                    for _ in 0..batch {
                        let _ = black_box(bare.current(&name, "status", stand.now).await);
                    }
                });
            }),
        ]);
        let size = format!("depth {depth}");
        let heading = ("W4", "current value, cache off", size.as_str());
        table.seconds(heading, ours, ("bare SurrealDB", theirs), Target::AtMost(1.5));
        table.note(format!("W4 current value at depth {depth}: {calls} engine calls"));
    }
    Ok(())
}

fn profile(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let (graph, bare, runtime, latest) = (&stand.cold, &stand.bare, stand.runtime, ReadOptions::default());
    let mut asked = Vec::new();
    let mut calls = 0;
    for entity in stand.corpus.profiles.iter().step_by(7) {
        let name = stand.name(*entity);
        let reference = subject::reference(&name)?;
        let (ours, mut theirs) = runtime.block_on(async {
            let before = graph.engine_calls();
            let ours = listed(&graph.profile(&reference, &latest).await?);
            calls = graph.engine_calls() - before;
            Outcome::Ok((ours, bare.profile(&name, stand.now).await?))
        })?;
        theirs.sort();
        agree("W4 profile", &ours, "bare SurrealDB", &theirs)?;
        asked.push((name, reference));
    }
    let [ours, theirs] = contest.race([
        Box::new(|batch| {
            runtime.block_on(async {
                for (_, reference) in asked.iter().cycle().take(batch) {
                    let _ = black_box(graph.profile(reference, &latest).await);
                }
            });
        }),
        Box::new(|batch| {
            runtime.block_on(async {
                for (name, _) in asked.iter().cycle().take(batch) {
                    let _ = black_box(bare.profile(name, stand.now).await);
                }
            });
        }),
    ]);
    let heading = ("W4", "profile, cache off", "20 attributes");
    table.seconds(heading, ours, ("bare SurrealDB", theirs), Target::AtMost(1.5));
    table.note(format!("W4 profile: {calls} engine calls"));
    Ok(())
}

fn as_of(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let (graph, bare, runtime) = (&stand.cold, &stand.bare, stand.runtime);
    let what = subject::attribute("status");
    for (entity, depth) in stand.corpus.chains.iter().skip(1) {
        let name = stand.name(*entity);
        let reference = subject::reference(&name)?;
        let points = points(stand);
        let mut calls = 0;
        for (point, options) in points.iter().step_by(8) {
            let (ours, theirs) = runtime.block_on(async {
                let before = graph.engine_calls();
                let ours = got(&graph.get(&reference, &what, options).await?);
                calls = graph.engine_calls() - before;
                Outcome::Ok((ours, bare.as_of(&name, "status", *point).await?))
            })?;
            agree("W4 as of", &ours, "bare SurrealDB", &theirs)?;
        }
        let [ours, theirs] = contest.race([
            Box::new(|batch| {
                runtime.block_on(async {
                    for (_, options) in points.iter().cycle().take(batch) {
                        let _ = black_box(graph.get(&reference, &what, options).await);
                    }
                });
            }),
            Box::new(|batch| {
                runtime.block_on(async {
                    for (point, _) in points.iter().cycle().take(batch) {
                        let _ = black_box(bare.as_of(&name, "status", *point).await);
                    }
                });
            }),
        ]);
        let size = format!("depth {depth}");
        let heading = ("W4", "as of random (valid, known), cache off", size.as_str());
        table.seconds(heading, ours, ("bare SurrealDB", theirs), Target::AtMost(1.5));
        table.note(format!("W4 as of at depth {depth}: {calls} engine calls"));
    }
    Ok(())
}
