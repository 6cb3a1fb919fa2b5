//! The conformance cases, all of them; and some of each file, kept in
//! `fixtures/reconcile`, wherever the repository is.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::support::cases::{Case, judge, not_yet_due, run_all};
use crate::support::store::Engine;
use crate::support::{run, say, shared};

/// The files of cases, each with how many it has and how many of them are kept.
const FILES: [(&str, usize, usize); 3] =
    [("bitemporal", 92, 25), ("reconcile", 200, 36), ("reports", 206, 27)];

/// A read cache in which hardly anything has room.
const TOO_SMALL: usize = 64 << 10;

/// Runs cases, each in an empty store, and says how many passed.
fn conform(name: String, lines: &[Json], engine: Engine, cache: Option<usize>) {
    let mut cases: Vec<Case> = lines.iter().map(Case::read).collect();
    if let Ok(only) = std::env::var("HITHERTO_CASE") {
        cases.retain(|case| case.id == only);
    }
    let ran: Vec<String> = cases.iter().map(|case| case.id.clone()).collect();
    run(async move {
        let listed = not_yet_due(include_str!("support/not_yet_due.txt"));
        let set = move |options: hitherto::Options| match cache {
            Some(bytes) => options.cache_bytes(bytes),
            None => options,
        };
        let report = run_all(cases, engine, Arc::new(set)).await;
        match judge(&name, &report, &ran, &listed) {
            Ok(counts) => say(&counts),
            Err(wrong) => panic!("{wrong}"),
        }
    });
}

/// Runs a file of the shared folder, where there is one.
fn conform_to(file: &str, engine: Engine, cache: Option<usize>) {
    let Some(path) = shared::locate(&format!("conformance/{file}.jsonl")) else { return };
    let lines = shared::lines(&path);
    let expected = FILES.iter().find(|(name, ..)| *name == file).map(|(_, count, _)| *count);
    assert_eq!(Some(lines.len()), expected, "{file} has another number of cases than when this was written");
    conform(format!("{file} on {engine:?}"), &lines, engine, cache);
}

fn kept(file: &str) -> Vec<Json> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/reconcile");
    shared::lines(&folder.join(file).with_extension("jsonl"))
}

#[test]
fn every_bitemporal_case_holds_in_memory() {
    conform_to("bitemporal", Engine::Mem, None);
}

#[test]
fn every_bitemporal_case_holds_on_disk_with_a_cache_that_is_too_small() {
    conform_to("bitemporal", Engine::Disk, Some(TOO_SMALL));
}

#[test]
fn every_case_of_what_users_reported_elsewhere_holds() {
    conform_to("reports", Engine::Mem, None);
}

#[test]
fn every_case_of_reconciling_holds() {
    conform_to("reconcile", Engine::Mem, None);
}

#[test]
fn the_cases_that_are_kept_here_hold_with_no_cache_and_without_the_shared_folder() {
    for (file, _, count) in FILES {
        let lines = kept(file);
        assert_eq!(lines.len(), count, "fixtures/reconcile/{file}.jsonl");
        conform(format!("{file}, what is kept"), &lines, Engine::Mem, Some(0));
    }
}

#[test]
fn the_cases_that_are_kept_here_are_those_of_the_shared_folder() {
    for (file, ..) in FILES {
        let Some(path) = shared::locate(&format!("conformance/{file}.jsonl")) else { continue };
        let all = shared::lines(&path);
        for case in kept(file) {
            assert!(all.contains(&case), "{file}: {} is another there", case["id"]);
        }
    }
}
