//! W6: who had a value as of a point of the plane; ten did.

use std::hint::black_box;

use hitherto::{Graph, ReadOptions};

use crate::Outcome;
use crate::stand::{Stand, agree};
use crate::subject;
use crate::table::{Table, Target};
use crate::timing::Contest;

async fn held(graph: &Graph, city: &str, options: &ReadOptions) -> Outcome<Vec<String>> {
    let read = graph.holders(&[subject::condition("city", city)], options).await?;
    Ok(read.result.into_iter().map(|(entity, _)| entity.name.as_str().to_owned()).collect())
}

pub(crate) fn run(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let (warm, cold, bare, runtime) = (&stand.warm, &stand.cold, &stand.bare, stand.runtime);
    let cities = stand.corpus.some_cities(256);
    let points = stand.corpus.points(cities.len());
    let mut sqlite = stand.sqlite.reads()?;
    let mut asked = Vec::new();
    let mut calls = 0;
    for (place, (city, point)) in cities.iter().zip(points).enumerate() {
        let options = subject::seen_from(point);
        let moment = stand.graf.moment(point);
        let line = format!(
            r#"{{"op":"holders","where":[{{"key":"city","value":"{city}"}}],"valid_at":"{}","known_at":"{}"}}"#,
            point.valid_at, point.known_at
        );
        let (ours, off, printed, theirs) = runtime.block_on(async {
            let ours = held(warm, city, &options).await?;
            let before = cold.engine_calls();
            let off = held(cold, city, &options).await?;
            calls = cold.engine_calls() - before;
            let printed = subject::ask(warm, &line).await?["result"]["subjects"].as_array().map(Vec::len);
            Outcome::Ok((ours, off, printed, bare.holders("city", city, point).await?))
        })?;
        let expected: Vec<String> =
            stand.corpus.holders(city, point).into_iter().map(str::to_owned).collect();
        let named = |list: Vec<(String, String)>| list.into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        agree("W6 holders", &ours, "the plain way", &expected)?;
        agree("W6 holders", &ours, "cache off", &off)?;
        agree("W6 holders as JSON", &printed, "native call", &Some(ours.len()))?;
        agree("W6 holders", &ours, "bare SurrealDB", &named(theirs))?;
        agree("W6 holders", &ours, "SQLite", &named(sqlite.holders("city", city, point)?))?;
        // A sample is enough: each of its queries reads the whole store.
        if place % 16 == 0 {
            let theirs = stand.graf.holders(city, moment)?;
            let theirs = theirs.into_iter().map(|entity| stand.corpus.names[entity].clone()).collect();
            agree("W6 holders", &ours, "minigraf", &theirs)?;
        }
        asked.push((city, [subject::condition("city", city)], options, point, moment, line));
    }
    let each = |batch: usize| asked.iter().cycle().take(batch);
    let [native, json, off, engine, table_scan] = contest.race([
        Box::new(|batch| {
            runtime.block_on(async {
                for (_, conditions, options, ..) in each(batch) {
                    let _ = black_box(warm.holders(conditions, options).await);
                }
            });
        }),
        Box::new(|batch| {
            runtime.block_on(async {
                for (.., line) in each(batch) {
                    black_box(hitherto::answer(warm, line).await);
                }
            });
        }),
        Box::new(|batch| {
            runtime.block_on(async {
                for (_, conditions, options, ..) in each(batch) {
                    let _ = black_box(cold.holders(conditions, options).await);
                }
            });
        }),
        Box::new(|batch| {
            runtime.block_on(async {
                for (city, _, _, point, ..) in each(batch) {
                    let _ = black_box(bare.holders("city", city, *point).await);
                }
            });
        }),
        Box::new(|batch| {
            for (city, _, _, point, ..) in each(batch) {
                let _ = black_box(sqlite.holders("city", city, *point));
            }
        }),
    ]);
    let [theirs] = contest.race([Box::new(|batch| {
        for (city, _, _, _, moment, _) in each(batch) {
            let _ = black_box(stand.graf.holders(city, *moment));
        }
    })]);
    let size = "10 of 30 who ever had it";
    let work = "holders as of (valid, known), warm";
    table.seconds(("W6", work, size), native, ("bare SurrealDB", engine), Target::AtMost(1.5));
    table.seconds(
        ("W6", "holders as of, cache off", size),
        off,
        ("bare SurrealDB", engine),
        Target::AtMost(1.5),
    );
    let stored = format!("{size}, {}", stand.size);
    table.seconds(("W6", work, &stored), native, ("minigraf", theirs), Target::AtLeast(20.0));
    table.seconds(("W6", work, size), native, ("SQLite, indexed", table_scan), Target::AtMost(3.0));
    table.seconds(("W6", "… as JSON", size), json, ("native call", native), Target::Reported);
    table.note(format!("W6 with the cache off: {calls} engine calls"));
    Ok(())
}
