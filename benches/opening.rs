//! W12: opening a store, each time in a process of its own, and what memory it takes.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use hitherto::ReadOptions;

use crate::Outcome;
use crate::arguments::OpenStore;
use crate::bulk::{Stores, entity_name};
use crate::corpus::ATTRIBUTES;
use crate::peers::bare::Bare;
use crate::subject;
use crate::table::{Table, Target, duration, say};
use crate::timing::{float, median};

const CACHE: usize = 32 << 20;
const MEBIBYTE: f64 = 1_048_576.0;
/// The page size of Linux where the benchmarks run.
const PAGE: f64 = 4_096.0;

/// What a child saw: seconds, and resident mebibytes after opening and after reading all.
struct Seen {
    seconds: f64,
    opened: f64,
    read: f64,
}

fn resident() -> Outcome<f64> {
    let pages: f64 = std::fs::read_to_string("/proc/self/statm")?
        .split_whitespace()
        .nth(1)
        .ok_or("statm has no second field")?
        .parse()?;
    Ok(pages * PAGE / MEBIBYTE)
}

/// Opens a store, reads all of it, and says what that took.
pub(crate) fn child(how: &OpenStore) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let seen = runtime.block_on(async {
        let started = Instant::now();
        if how.engine == "bare" {
            let bare = Bare::open(&how.directory.join("data")).await?;
            bare.everything(&entity_name(0)).await?;
            let (seconds, opened) = (started.elapsed().as_secs_f64(), resident()?);
            for entity in 0..how.entities {
                bare.everything(&entity_name(entity)).await?;
            }
            return Outcome::Ok(Seen { seconds, opened, read: resident()? });
        }
        let graph = subject::open(&how.directory, Some(how.cache_bytes)).await?;
        let latest = ReadOptions::default();
        graph.profile(&subject::reference(&entity_name(0))?, &latest).await?;
        let (seconds, opened) = (started.elapsed().as_secs_f64(), resident()?);
        for entity in 0..how.entities {
            graph.profile(&subject::reference(&entity_name(entity))?, &latest).await?;
        }
        let read = resident()?;
        graph.close().await?;
        Ok(Seen { seconds, opened, read })
    })?;
    say(&format!("{} {} {}", seen.seconds, seen.opened, seen.read));
    Ok(())
}

fn observed(engine: &str, directory: &Path, entities: usize) -> Outcome<Seen> {
    let mut all = Vec::new();
    for _ in 0..3 {
        let output = Command::new(std::env::current_exe()?)
            .args(["--open-store", engine])
            .arg(directory)
            .args([CACHE.to_string(), entities.to_string()])
            .output()?;
        if !output.status.success() {
            return Err(format!("the child failed: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let figures: Vec<f64> =
            String::from_utf8(output.stdout)?.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [seconds, opened, read] = figures[..] else { return Err("the child said something else".into()) };
        all.push(Seen { seconds, opened, read });
    }
    let middle = |get: fn(&Seen) -> f64| median(all.iter().map(get).collect());
    Ok(Seen {
        seconds: middle(|seen| seen.seconds),
        opened: middle(|seen| seen.opened),
        read: middle(|seen| seen.read),
    })
}

pub(crate) fn run(stores: &Stores, table: &mut Table) -> Outcome<()> {
    for (facts, directory) in &stores.imported {
        let entities = facts / ATTRIBUTES;
        let ours = observed("hitherto", directory, entities)?;
        let bare = observed("bare", directory, entities)?;
        let size = format!("{} k facts", facts / 1_000);
        let heading = ("W12", "open and read the first profile", size.as_str());
        table.line(heading, &duration(ours.seconds), "2 s", ours.seconds / 2.0, Target::AtMost(1.0));
        table.seconds(heading, ours.seconds, ("bare SurrealDB", bare.seconds), Target::Reported);
        let mib = |figure: f64| format!("{figure:.0} MiB");
        let heading = ("W12", "resident once open", size.as_str());
        let peer = format!("bare SurrealDB {}", mib(bare.opened));
        table.line(heading, &mib(ours.opened), &peer, ours.opened / bare.opened, Target::Reported);
        let heading = ("W12", "resident once all was read, beyond the engine's, by its cache", size.as_str());
        let peer = format!("bare {}, cache {}", mib(bare.read), mib(float(CACHE) / MEBIBYTE));
        let beyond = (ours.read - bare.read) * MEBIBYTE / float(CACHE);
        table.line(heading, &mib(ours.read), &peer, beyond, Target::AtMost(1.5));
    }
    Ok(())
}
