//! W2: the profile of an entity of twenty attributes, warm.

use std::hint::black_box;

use hitherto::{Read, ReadOptions};

use crate::Outcome;
use crate::stand::{Stand, agree};
use crate::subject::{self, text};
use crate::table::{Table, Target};
use crate::timing::Contest;

/// Returns the attributes of a profile, as the peers list them.
pub(crate) fn listed(
    read: &Read<(Option<hitherto::identity::EntityId>, hitherto::query::Profile)>,
) -> Vec<(String, String)> {
    let attributes = read.result.1.attributes.iter();
    attributes
        .map(|sight| {
            let claim = &sight.fact.claim;
            (claim.key().to_owned(), claim.value().map(text).unwrap_or_default().to_owned())
        })
        .collect()
}

pub(crate) fn run(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let (graph, now, latest) = (&stand.warm, stand.now.valid_at.as_micros(), ReadOptions::default());
    let mut asked = Vec::new();
    let (mut sqlite, mut exclusive) = (stand.sqlite.reads()?, stand.sqlite_exclusive.reads()?);
    for entity in stand.corpus.profiles.iter().step_by(7) {
        let name = stand.name(*entity);
        let reference = subject::reference(&name)?;
        let line = format!(r#"{{"op":"profile","subject":{{"type":"{}","name":"{name}"}}}}"#, subject::KIND);
        let (ours, printed) = stand.runtime.block_on(async {
            let read = graph.profile(&reference, &latest).await?;
            let printed = subject::ask(graph, &line).await?["result"]["attributes"].as_array().map(Vec::len);
            Outcome::Ok((listed(&read), printed))
        })?;
        let mut theirs = sqlite.profile(&name, now)?;
        theirs.sort();
        agree("W2 profile", &ours, "SQLite", &theirs)?;
        agree("W2 attributes as JSON", &printed, "native call", &Some(ours.len()))?;
        asked.push((name, reference, line));
    }
    let runtime = stand.runtime;
    let [native, json, theirs, locked] = contest.race([
        Box::new(|batch| {
            runtime.block_on(async {
                for (_, reference, _) in asked.iter().cycle().take(batch) {
                    let _ = black_box(graph.profile(reference, &latest).await);
                }
            });
        }),
        Box::new(|batch| {
            runtime.block_on(async {
                for (_, _, line) in asked.iter().cycle().take(batch) {
                    black_box(hitherto::answer(graph, line).await);
                }
            });
        }),
        Box::new(|batch| {
            for (name, ..) in asked.iter().cycle().take(batch) {
                let _ = black_box(sqlite.profile(name, now));
            }
        }),
        Box::new(|batch| {
            for (name, ..) in asked.iter().cycle().take(batch) {
                let _ = black_box(exclusive.profile(name, now));
            }
        }),
    ]);
    let size = format!("20 attributes, {} entities in turn", asked.len());
    table.seconds(("W2", "profile, warm", &size), native, ("SQLite", theirs), Target::AtMost(1.0));
    table.seconds(
        ("W2", "profile, warm", &size),
        native,
        ("SQLite, exclusive lock", locked),
        Target::Reported,
    );
    table.seconds(("W2", "… as JSON", &size), json, ("native call", native), Target::Reported);
    Ok(())
}
