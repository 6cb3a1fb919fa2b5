//! W3: the value of a slot as of a point of the plane, warm.

use std::hint::black_box;

use hitherto::query::Got;
use hitherto::{Read, ReadOptions};

use crate::Outcome;
use crate::corpus::Point;
use crate::stand::{Stand, agree};
use crate::subject::{self, text};
use crate::table::{Table, Target};
use crate::timing::Contest;

/// Returns the one value that was got.
pub(crate) fn got(read: &Read<Got>) -> String {
    let value = read.result.current.first().and_then(|sight| sight.fact.claim.value());
    value.map(text).unwrap_or_default().to_owned()
}

/// Returns so many points of the plane of the deepest chain.
pub(crate) fn points(stand: &Stand<'_>) -> Vec<(Point, ReadOptions)> {
    stand.corpus.points(512).into_iter().map(|point| (point, subject::seen_from(point))).collect()
}

pub(crate) fn run(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let graph = &stand.warm;
    let what = subject::attribute("status");
    for (entity, depth) in stand.corpus.chains.iter().skip(1) {
        let name = stand.name(*entity);
        let reference = subject::reference(&name)?;
        let points = points(stand);
        let moments: Vec<_> = points.iter().map(|(point, _)| stand.graf.moment(*point)).collect();
        let line = |point: &Point| {
            format!(
                r#"{{"op":"get","subject":{{"type":"{}","name":"{name}"}},"key":"status","valid_at":"{}","known_at":"{}"}}"#,
                subject::KIND,
                point.valid_at,
                point.known_at
            )
        };
        let lines: Vec<String> = points.iter().map(|(point, _)| line(point)).collect();
        let (mut sqlite, mut exclusive) = (stand.sqlite.reads()?, stand.sqlite_exclusive.reads()?);
        for (place, (point, options)) in points.iter().enumerate() {
            let (ours, printed) = stand.runtime.block_on(async {
                let read = graph.get(&reference, &what, options).await?;
                Outcome::Ok((
                    got(&read),
                    subject::ask(graph, &lines[place]).await?["result"]["value"].clone(),
                ))
            })?;
            let expected = stand.corpus.value(*entity, "status", *point).unwrap_or_default().to_owned();
            agree("W3 as of", &ours, "the plain way", &expected)?;
            agree("W3 as JSON", &printed, "the plain way", &expected.clone().into())?;
            agree("W3 as of", &ours, "SQLite", &sqlite.as_of(&name, "status", *point)?)?;
            // A sample is enough: each of its queries reads the whole store.
            if place % 16 == 0 {
                agree("W3 as of", &ours, "minigraf", &stand.graf.as_of(*entity, moments[place])?)?;
            }
        }
        let runtime = stand.runtime;
        let [native, json, theirs, locked] = contest.race([
            Box::new(|batch| {
                runtime.block_on(async {
                    for (_, options) in points.iter().cycle().take(batch) {
                        let _ = black_box(graph.get(&reference, &what, options).await);
                    }
                });
            }),
            Box::new(|batch| {
                runtime.block_on(async {
                    for line in lines.iter().cycle().take(batch) {
                        black_box(hitherto::answer(graph, line).await);
                    }
                });
            }),
            Box::new(|batch| {
                for (point, _) in points.iter().cycle().take(batch) {
                    let _ = black_box(sqlite.as_of(&name, "status", *point));
                }
            }),
            Box::new(|batch| {
                for (point, _) in points.iter().cycle().take(batch) {
                    let _ = black_box(exclusive.as_of(&name, "status", *point));
                }
            }),
        ]);
        let size = format!("depth {depth}");
        let work = "as of random (valid, known), warm";
        let deepest = stand.corpus.chains.last().is_some_and(|(_, last)| last == depth);
        let target = if deepest { Target::AtMost(1.0) } else { Target::Reported };
        table.seconds(("W3", work, &size), native, ("SQLite", theirs), target);
        table.seconds(("W3", work, &size), native, ("SQLite, exclusive lock", locked), Target::Reported);
        if deepest {
            table.seconds(("W3", "… as JSON", &size), json, ("native call", native), Target::Reported);
            let [theirs] = contest.race([Box::new(|batch| {
                for moment in moments.iter().cycle().take(batch) {
                    let _ = black_box(stand.graf.as_of(*entity, *moment));
                }
            })]);
            let size = format!("{size}, {}", stand.size);
            table.seconds(("W3", work, &size), native, ("minigraf", theirs), Target::AtLeast(20.0));
        }
    }
    Ok(())
}
