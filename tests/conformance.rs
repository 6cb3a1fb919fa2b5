//! The conformance cases, all of them.

use crate::support::cases::{Case, judge, not_yet_due, run_all};
use crate::support::store::Engine;
use crate::support::{run, say, shared};

/// Runs a file that has so many cases.
fn conform(file: &'static str, count: usize, engine: Engine) {
    let Some(path) = shared::locate(&format!("conformance/{file}.jsonl")) else { return };
    run(async move {
        let cases: Vec<Case> = shared::lines(&path).iter().map(Case::read).collect();
        assert_eq!(cases.len(), count, "{file} has another number of cases than when this was written");
        let ran: Vec<String> = match std::env::var("HITHERTO_CASE") {
            Ok(only) => cases.iter().map(|case| case.id.clone()).filter(|id| *id == only).collect(),
            Err(_) => cases.iter().map(|case| case.id.clone()).collect(),
        };
        let listed = not_yet_due(include_str!("support/not_yet_due.txt"));
        let report = run_all(cases, engine).await;
        match judge(&format!("{file} on {engine:?}"), &report, &ran, &listed) {
            Ok(counts) => say(&counts),
            Err(wrong) => panic!("{wrong}"),
        }
    });
}

#[test]
fn every_bitemporal_case_holds_in_memory() {
    conform("bitemporal", 92, Engine::Mem);
}

#[test]
fn every_bitemporal_case_holds_on_disk() {
    conform("bitemporal", 92, Engine::Disk);
}

#[test]
fn every_case_of_what_users_reported_elsewhere_holds() {
    conform("reports", 206, Engine::Mem);
}

#[test]
fn every_case_of_reconciling_holds() {
    conform("reconcile", 200, Engine::Mem);
}
