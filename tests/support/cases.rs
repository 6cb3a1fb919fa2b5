//! Running the conformance cases.

use std::collections::BTreeMap;
use std::sync::Arc;

use hitherto::{Clock, Options};
use serde_json::Value as Json;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::pattern::{self, Names};
use super::say;
use super::store::{Engine, Place, ask, line};

/// How many cases run at once: the machines that test have two cores.
const AT_ONCE: usize = 4;

/// Makes a clock for a store.
pub(crate) type Clocks = Arc<dyn Fn() -> Arc<dyn Clock> + Send + Sync>;

/// Sets what else a store is opened with.
type Setting = Arc<dyn Fn(Options) -> Options + Send + Sync>;

/// A case: steps on an empty store.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) id: String,
    title: String,
    restarts: bool,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    request: Json,
    expect: Option<Json>,
}

/// Why a case failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) id: String,
    pub(crate) says: String,
}

impl Case {
    /// Reads a case; its setup becomes its first steps.
    pub(crate) fn read(case: &Json) -> Self {
        let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        let setup = ["slots", "policy"].into_iter().filter_map(|op| {
            let set = case.get("setup")?.get(op)?;
            Some(Step { request: json!({"op": op, "set": set}), expect: Some(json!({"ok": true})) })
        });
        let steps = case["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| Step { request: step["do"].clone(), expect: step.get("expect").cloned() });
        let steps: Vec<Step> = setup.chain(steps).collect();
        let restarts = steps.iter().any(|step| step.request.get("$restart").is_some());
        Self { id: text("id"), title: text("title"), restarts, steps }
    }

    /// Runs the case in a store of its own.
    async fn run(&self, engine: Engine, set: &Setting, is_verbose: bool) -> Result<(), Failure> {
        let engine = if self.restarts { Engine::Disk } else { engine };
        let mut place = Place::open_with(engine, |options| set(options)).await;
        let mut names = Names::new();
        if is_verbose {
            say(&format!("\n{} on {engine:?}: {}", self.id, self.title));
        }
        for (number, step) in self.steps.iter().enumerate() {
            let request = pattern::fill(&step.request, &names);
            let answer = carry_out(&mut place, &request).await;
            let Some(expect) = &step.expect else {
                if is_verbose {
                    say(&format!("> {request}\n< {answer}"));
                }
                continue;
            };
            if is_verbose {
                say(&format!("> {request}\n< {answer}\n= {expect}"));
            }
            if let Err(miss) = pattern::check(expect, &answer, &mut names) {
                let says = format!(
                    "{} on {engine:?}: {}\n  step     {number}\n  request  {}\n  answer   {answer}\n  expected {expect}\n  at       {} {}",
                    self.id, self.title, request, miss.path, miss.says
                );
                place.close().await;
                return Err(Failure { id: self.id.clone(), says });
            }
        }
        place.close().await;
        Ok(())
    }
}

async fn carry_out(place: &mut Place, request: &Json) -> Json {
    if request.get("$restart").is_some() {
        place.restart().await;
        return json!({"ok": true});
    }
    if let Some(raw) = request.get("$raw") {
        return line(&place.graph, raw.as_str().unwrap()).await;
    }
    let Some(requests) = request.get("$parallel").and_then(Json::as_array) else {
        return place.ask(request).await;
    };
    let running: Vec<_> = requests
        .iter()
        .cloned()
        .map(|request| {
            let graph = place.graph.clone();
            tokio::spawn(async move { ask(&graph, &request).await })
        })
        .collect();
    let mut answers = Vec::new();
    for task in running {
        answers.push(task.await.unwrap());
    }
    Json::Array(answers)
}

/// What came of a file of cases.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) run: usize,
    pub(crate) failed: BTreeMap<String, Failure>,
}

/// Runs cases under clocks of the test.
pub(crate) async fn run_all_under(cases: Vec<Case>, engine: Engine, clock: Option<Clocks>) -> Report {
    let set: Setting = Arc::new(move |options| match &clock {
        Some(clock) => options.clock(clock()),
        None => options,
    });
    run_all(cases, engine, set).await
}

/// Runs cases, a few at once; with `HITHERTO_CASE` only that one, verbosely.
pub(crate) async fn run_all(cases: Vec<Case>, engine: Engine, set: Setting) -> Report {
    let only = std::env::var("HITHERTO_CASE").ok();
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    let mut report = Report::default();
    for case in cases {
        if only.as_ref().is_some_and(|only| *only != case.id) {
            continue;
        }
        report.run += 1;
        let (permits, set, is_verbose) = (Arc::clone(&permits), Arc::clone(&set), only.is_some());
        running.spawn(async move {
            let _permit = permits.acquire().await.unwrap();
            let id = case.id.clone();
            // A panic in the store is a failure of this case, not the end of all.
            match tokio::spawn(async move { case.run(engine, &set, is_verbose).await }).await {
                Ok(ended) => ended,
                Err(error) => Err(Failure { says: format!("{id} panicked: {error}"), id }),
            }
        });
    }
    while let Some(ended) = running.join_next().await {
        if let Err(failure) = ended.unwrap() {
            report.failed.insert(failure.id.clone(), failure);
        }
    }
    report
}

/// Reads the list of the cases that are not yet due, each with what it waits for.
pub(crate) fn not_yet_due(list: &str) -> BTreeMap<String, String> {
    let mut listed = BTreeMap::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (id, reason) = line.split_once(' ').unwrap_or_else(|| panic!("{line:?} gives no reason"));
        let before = listed.insert(id.to_owned(), reason.trim().to_owned());
        assert!(before.is_none(), "{id} is listed twice");
    }
    listed
}

/// Returns what is wrong with a report, where something is: cases that fail
/// though they are due, and cases that pass though they are listed as not.
pub(crate) fn judge(
    name: &str,
    report: &Report,
    ran: &[String],
    listed: &BTreeMap<String, String>,
) -> Result<String, String> {
    let mut wrong: Vec<String> = report
        .failed
        .values()
        .filter(|failure| !listed.contains_key(&failure.id))
        .map(|f| f.says.clone())
        .collect();
    let passes = ran.iter().filter(|id| listed.contains_key(*id) && !report.failed.contains_key(*id));
    wrong.extend(passes.map(|id| format!("{id} passes though it is listed as not yet due: strike it out")));
    let due = report.failed.keys().filter(|id| listed.contains_key(*id)).count();
    let counts = format!(
        "{name}: {} passed of {} run, {due} not yet due",
        report.run - report.failed.len(),
        report.run
    );
    if wrong.is_empty() {
        Ok(counts)
    } else {
        Err(format!("{}\n\n{counts}, {} wrong", wrong.join("\n\n"), wrong.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::run;

    fn failing(ids: &[&str], run: usize) -> Report {
        let failed = ids
            .iter()
            .map(|id| ((*id).to_owned(), Failure { id: (*id).to_owned(), says: format!("{id} fails") }));
        Report { run, failed: failed.collect() }
    }

    #[test]
    fn the_list_of_what_is_not_yet_due_is_kept_honest() {
        let listed = not_yet_due("# why\n\nA1 sweep\nB2 rule 5.12\n");
        let ran = ["A1", "B2", "C3"].map(str::to_owned);
        assert!(
            judge("x", &failing(&["A1", "B2"], 3), &ran, &listed)
                .unwrap()
                .contains("1 passed of 3 run, 2 not yet due")
        );
        let says = judge("x", &failing(&["A1", "C3"], 3), &ran, &listed).unwrap_err();
        assert!(says.contains("C3 fails") && says.contains("B2 passes though it is listed"), "{says}");
        assert!(judge("x", &failing(&[], 3), &ran, &BTreeMap::new()).is_ok());
    }

    #[test]
    #[should_panic(expected = "gives no reason")]
    fn a_listed_case_has_a_reason() {
        not_yet_due("A1");
    }

    #[test]
    fn a_case_that_should_fail_fails_with_its_step_and_path() {
        run(async {
            let ask = |value: &str| {
                Case::read(&json!({"id": "X1", "title": "t", "steps": [
                    {"do": {"op": "assert", "subject": {"type": "other", "name": "a"}, "key": "k", "value": "v"},
                     "expect": {"ok": true, "outcomes": [{"fact": {"$bind": "f"}}]}},
                    {"do": {"$parallel": [
                        {"op": "get", "subject": {"type": "other", "name": "a"}, "key": "k"},
                        {"op": "explain", "fact": {"$ref": "f"}}]},
                     "expect": [{"result": {"value": value}}, {"ok": true}]},
                    {"do": {"$raw": "no JSON"}, "expect": {"ok": false}},
                ]}))
            };
            let set: Setting = Arc::new(|options| options);
            ask("v").run(Engine::Mem, &set, false).await.unwrap();
            let failure = ask("w").run(Engine::Mem, &set, false).await.unwrap_err();
            let says = &failure.says;
            assert!(says.contains("X1") && says.contains("step     1"), "{says}");
            assert!(says.contains("$[0].result.value") && !says.contains("$ref"), "{says}");
        });
    }
}
