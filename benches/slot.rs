//! W1: the current value of one slot, warm, however often it has changed.

use std::hint::black_box;

use hitherto::ReadOptions;

use crate::Outcome;
use crate::stand::{Stand, agree};
use crate::subject::{self, text};
use crate::table::{Table, Target};
use crate::timing::Contest;

pub(crate) fn run(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let (graph, now, latest) = (&stand.warm, stand.now.valid_at.as_micros(), ReadOptions::default());
    let what = subject::attribute("status");
    let mut by_depth = Vec::new();
    for (entity, depth) in &stand.corpus.chains {
        let name = stand.name(*entity);
        let reference = subject::reference(&name)?;
        let line = format!(
            r#"{{"op":"get","subject":{{"type":"{}","name":"{name}"}},"key":"status"}}"#,
            subject::KIND
        );
        let (mut sqlite, mut exclusive) = (stand.sqlite.reads()?, stand.sqlite_exclusive.reads()?);

        let expected = stand.corpus.value(*entity, "status", stand.now).unwrap_or_default().to_owned();
        let (ours, printed, calls) = stand.runtime.block_on(async {
            let read = graph.get(&reference, &what, &latest).await?;
            let before = graph.engine_calls();
            let again = graph.get(&reference, &what, &latest).await?;
            let calls = graph.engine_calls() - before;
            let value = |read: &hitherto::Read<hitherto::query::Got>| {
                let values = read.result.current.iter().filter_map(|sight| sight.fact.claim.value());
                values.map(text).map(str::to_owned).collect::<Vec<_>>()
            };
            agree("W1 again", &value(&again), "first", &value(&read))?;
            let printed = subject::ask(graph, &line).await?["result"]["value"].clone();
            Outcome::Ok((value(&read), printed, calls))
        })?;
        agree("W1 current value", &ours, "the plain way", &vec![expected.clone()])?;
        agree("W1 as JSON", &printed, "the plain way", &expected.clone().into())?;
        agree("W1 current value", &expected, "SQLite", &sqlite.current(&name, "status", now)?)?;

        let runtime = stand.runtime;
        let [native, json, theirs, locked] = contest.race([
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
                        black_box(hitherto::answer(graph, &line).await);
                    }
                });
            }),
            Box::new(|batch| {
                for _ in 0..batch {
                    let _ = black_box(sqlite.current(&name, "status", now));
                }
            }),
            Box::new(|batch| {
                for _ in 0..batch {
                    let _ = black_box(exclusive.current(&name, "status", now));
                }
            }),
        ]);
        let size = format!("depth {depth}");
        let work = "current value, warm";
        table.seconds(("W1", work, &size), native, ("SQLite", theirs), Target::AtMost(0.5));
        table.seconds(("W1", work, &size), native, ("SQLite, exclusive lock", locked), Target::Reported);
        table.seconds(("W1", "… as JSON", &size), json, ("native call", native), Target::Reported);
        by_depth.push((*depth, native));
        if calls > 0 {
            table.note(format!("W1 at depth {depth} made {calls} engine calls although it was warm"));
        }
    }
    if let (Some((_, shallow)), Some((depth, deep))) = (by_depth.first(), by_depth.last()) {
        let size = format!("depth {depth} / 1");
        let work = "current value, deepest to shallowest";
        table.seconds(("W1", work, &size), *deep, ("depth 1", *shallow), Target::AtMost(1.2));
    }
    Ok(())
}
