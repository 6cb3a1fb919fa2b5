//! The house rules of `docs/architecture.md`, checked by reading the source.
//!
//! This is a test binary of its own: it needs neither the library nor the
//! engine, so it is built and run in a second.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "tidy/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use source::{Source, places};

/// All Rust files of the repository.
fn sources() -> Vec<Source> {
    fn walk(top: &Path, folder: &Path, found: &mut Vec<Source>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(top, &path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let shown = path.strip_prefix(top).unwrap().to_str().unwrap().replace('\\', "/");
                found.push(Source::new(&shown, &fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["src", "tests", "benches"] {
        walk(top, &top.join(folder), &mut found);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 100, "only {} files were found", found.len());
    found
}

fn assert_none(findings: &[String]) {
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

/// How high a module stands in the house; a file reaches only below.
fn rank(module: &str) -> Option<u8> {
    Some(match module {
        "time" | "identity" => 0,
        "facts" => 1,
        "policy" => 2,
        "reconcile" => 3,
        "store" => 4,
        "query" => 5,
        "maintenance" => 6,
        "graph" | "error" | "clock" => 7,
        "surfaces" => 8,
        _ => return None,
    })
}

/// The façade stands on the other two of its rank; these stand on nothing there.
fn may_reach(from: &str, to: &str) -> bool {
    from == to || rank(from) > rank(to) || (from == "graph" && matches!(to, "error" | "clock"))
}

/// The names that `lib.rs` exports, each with the module it comes from.
fn exports(sources: &[Source]) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    for lib in sources.iter().filter(|source| source.path == "src/lib.rs") {
        for statement in lib.code.split(';') {
            let Some((_, path)) = statement.split_once("pub use ") else { continue };
            let Some((module, names)) = path.split_once("::") else { continue };
            let names = names.split(|c: char| !c.is_alphanumeric() && c != '_');
            exported.extend(names.map(|name| (name.to_owned(), module.to_owned())));
        }
    }
    exported
}

/// The first words of the paths that begin at a place: one, or those of a group.
fn heads(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = path.strip_prefix('{') else { return vec![word(path)] };
    let (mut depth, mut heads, mut from) = (0, Vec::new(), 0);
    for (place, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.push(word(&group[from..place]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(word(&group[from..place]));
                from = place + 1;
            }
            _ => {}
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

/// Every file reaches only its own module and those below.
fn upward_imports(sources: &[Source]) -> Vec<String> {
    let exported = exports(sources);
    let mut findings = Vec::new();
    for source in sources {
        let Some(module) = source.module() else { continue };
        if rank(module).is_none() {
            findings.push(format!("{}: {module} has no place in the house", source.path));
            continue;
        }
        for place in places(&source.code, "crate::") {
            for head in heads(&source.code[place + "crate::".len()..]) {
                let Some(to) = rank(&head).map(|_| &head).or_else(|| exported.get(&head)) else { continue };
                if !may_reach(module, to) {
                    findings.push(format!("{}:{} reaches up to {to}", source.path, source.line(place)));
                }
            }
        }
        findings.extend(climbs(source));
    }
    findings
}

/// `super::` repeated until it leaves the module would be a way around.
fn climbs(source: &Source) -> Vec<String> {
    let depth = source.path.matches('/').count() - usize::from(source.path.ends_with("/mod.rs"));
    let tests = source.code.find("#[cfg(test)]").unwrap_or(source.code.len());
    let mut findings = Vec::new();
    let mut seen = 0;
    for place in places(&source.code, "super::") {
        if place < seen {
            continue;
        }
        let path = &source.code[place..];
        let length = path.len() - path.trim_start_matches("super::").len();
        seen = place + length;
        let is_inner = usize::from(place > tests);
        if length / "super::".len() >= depth + is_inner {
            findings.push(format!("{}:{} climbs out of its module", source.path, source.line(place)));
        }
    }
    findings
}

#[test]
fn every_file_reaches_only_its_own_module_and_those_below() {
    assert_none(&upward_imports(&sources()));
}

#[test]
fn a_reach_upwards_is_found_however_it_is_written() {
    let lib = Source::new("src/lib.rs", "pub use graph::{\n Graph, Options};\npub use store::Row;");
    let says = |path: &str, text: &str| {
        upward_imports(&[Source::new(path, text), Source::new("src/lib.rs", &lib.text)]).len()
    };
    for (path, text) in [
        ("src/time/period.rs", "use crate::identity::Name;"),
        ("src/identity/name.rs", "use crate::time::Period;"),
        ("src/facts/fact.rs", "use crate::{time::Period, policy::{Policy, Slot}};"),
        ("src/facts/fact.rs", "fn f() { crate::store::read() }"),
        ("src/query/get.rs", "use crate::Graph;"),
        ("src/query/get.rs", "use crate::{Row, Options};"),
        ("src/store/row.rs", "use super::super::query::get;"),
        ("src/store/mod.rs", "use super::query::get;"),
        ("src/error.rs", "use crate::graph::Graph;"),
        ("src/clock.rs", "use crate::error::Error;"),
        ("src/odds/mod.rs", ""),
    ] {
        assert_eq!(says(path, text), 1, "{path}: {text}");
    }
    for (path, text) in [
        ("src/facts/fact.rs", "use crate::{time::Period, identity::Name};\nuse super::claim::Claim;"),
        ("src/facts/fact.rs", "/// [`crate::graph::Graph`]\nuse crate::facts::Claim;"),
        ("src/graph/turn.rs", "use crate::{clock::Clock, error::Error, Row};"),
        ("src/time/mod.rs", "#[cfg(test)]\nmod tests { use super::*; use super::period::Period; }"),
        ("src/surfaces/cli/mod.rs", "use crate::Graph; use super::print;"),
        ("src/main.rs", "use crate::surfaces::cli;"),
    ] {
        assert_eq!(says(path, text), 0, "{path}: {text}");
    }
}

/// Words that only one folder may have.
const AT_HOME: [(&str, &str); 4] = [
    ("surrealdb::", "src/store/"),
    ("clap::", "src/surfaces/cli/"),
    ("axum::", "src/surfaces/http/"),
    ("rmcp::", "src/surfaces/mcp/"),
];

fn strays(sources: &[Source]) -> Vec<String> {
    let strays = |(words, home): &(&str, &'static str)| {
        let home = *home;
        let abroad = sources.iter().filter(move |source| source.is_in("src/") && !source.is_in(home));
        abroad.flat_map(|source| source.finds(words)).collect::<Vec<_>>()
    };
    AT_HOME.iter().flat_map(strays).collect()
}

#[test]
fn the_engine_is_named_only_in_the_store_and_each_surface_keeps_its_own_library() {
    assert_none(&strays(&sources()));
}

#[test]
fn a_library_that_strays_is_found() {
    let says = |path: &str, text: &str| strays(&[Source::new(path, text)]).len();
    assert_eq!(says("src/query/get.rs", "use surrealdb::Surreal;"), 1);
    assert_eq!(says("src/surfaces/print.rs", "#[derive(clap::Args)] struct A;"), 1);
    assert_eq!(says("src/graph.rs", "fn f(e: axum::Error) {}"), 1);
    assert_eq!(says("src/store/engine.rs", "use surrealdb::Surreal; // not clap::Args"), 0);
    assert_eq!(says("tests/durability.rs", "surrealdb::engine::any::connect(a)"), 0);
}

/// The modules that decide: all in, one value out.
const CORE: [&str; 5] = ["time", "identity", "facts", "policy", "reconcile"];
const WORLDLY: [&str; 16] = [
    "async",
    ".await",
    "tokio::",
    "tracing::",
    "log::",
    "serde::",
    "serde_json::",
    "Serialize",
    "Deserialize",
    "SystemTime",
    "Instant::now",
    "SystemClock",
    "crate::Clock",
    "now_utc",
    "std::fs",
    "std::env",
];

fn impurities(sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.module().is_some_and(|module| CORE.contains(&module)))
    {
        for words in WORLDLY {
            let may = words.to_lowercase().contains("seri") || words.starts_with("serde");
            if !(may && source.is_in("src/policy/parse")) {
                findings.extend(source.finds(words));
            }
        }
    }
    findings
}

#[test]
fn what_decides_has_no_async_no_serde_no_logging_no_clock_and_no_files() {
    assert_none(&impurities(&sources()));
}

#[test]
fn an_impurity_of_the_core_is_found() {
    let says = |path: &str, text: &str| impurities(&[Source::new(path, text)]).len();
    for words in WORLDLY {
        assert_eq!(says("src/reconcile/decide.rs", &format!("fn f() {{ a {words} }}")), 1, "{words}");
    }
    assert_eq!(says("src/policy/parse.rs", "use tracing::warn;"), 1);
    assert_eq!(says("src/policy/parse.rs", "use serde::Deserialize; use serde_json::Value;"), 0);
    assert_eq!(says("src/store/row.rs", "async fn f() { tracing::debug!(a) }"), 0);
    assert_eq!(says("src/time/period.rs", "// async is for others\nstruct Instantly;"), 0);
}

/// Wall time is read in one place, and nowhere as the machine's local time.
fn clock_readings(sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources {
        for words in ["now_local", "Local::now", "current_local_offset", "local_offset_at", "TZ"] {
            findings.extend(source.finds(words));
        }
        if source.is_in("src/") && source.path != "src/clock.rs" {
            for words in ["now_utc", "SystemTime::now", "Utc::now"] {
                findings.extend(source.finds(words));
            }
        }
    }
    findings
}

#[test]
fn wall_time_is_read_in_one_place_and_never_as_local_time() {
    assert_none(&clock_readings(&sources()));
}

#[test]
fn a_second_clock_and_a_local_one_are_found() {
    let says = |path: &str, text: &str| clock_readings(&[Source::new(path, text)]).len();
    assert_eq!(says("src/graph.rs", "let t = OffsetDateTime::now_utc();"), 1);
    assert_eq!(says("src/clock.rs", "let t = OffsetDateTime::now_utc();"), 0);
    assert_eq!(says("src/clock.rs", "let t = OffsetDateTime::now_local();"), 1);
    assert_eq!(says("benches/main.rs", "let t = chrono::Local::now();"), 1);
    assert_eq!(says("tests/clock.rs", "let t = \"now_local\"; let u = SystemTime::now();"), 0);
}

/// Beyond this a file has become two.
const LINES: usize = 600;

/// The lines of a file without its tests.
fn lines_without_tests(source: &Source) -> usize {
    if source.path.ends_with("/tests.rs") {
        return 0;
    }
    let lines: Vec<&str> = source.text.lines().collect();
    let is_tests =
        |pair: &[&str]| pair[0].trim() == "#[cfg(test)]" && pair[1].trim_start().starts_with("mod ");
    lines.windows(2).position(is_tests).unwrap_or(lines.len())
}

fn long_files(sources: &[Source]) -> Vec<String> {
    let long = sources.iter().map(|source| (source, lines_without_tests(source)));
    long.filter(|(_, lines)| *lines > LINES)
        .map(|(source, lines)| format!("{} has {lines} lines without its tests", source.path))
        .collect()
}

#[test]
fn no_file_has_more_than_six_hundred_lines_without_its_tests() {
    assert_none(&long_files(&sources()));
}

#[test]
fn a_long_file_is_found_and_long_tests_are_not() {
    let says = |path: &str, text: &str| long_files(&[Source::new(path, text)]).len();
    let long = "fn f() {}\n".repeat(LINES + 1);
    assert_eq!(says("src/store/row.rs", &long), 1);
    assert_eq!(says("src/store/row.rs", &long[..long.len() - 10]), 0);
    assert_eq!(says("src/store/row.rs", &format!("fn f() {{}}\n#[cfg(test)]\nmod tests {{\n{long}}}\n")), 0);
    assert_eq!(says("src/store/row/tests.rs", &long), 0);
}

/// Names that say nothing.
const EMPTY_NAMES: [&str; 10] =
    ["utils", "util", "common", "helpers", "helper", "types", "manager", "managers", "misc", "shared_utils"];

fn empty_names(sources: &[Source]) -> Vec<String> {
    let says_nothing = |source: &&Source| {
        source.path.split('/').any(|part| EMPTY_NAMES.contains(&part.strip_suffix(".rs").unwrap_or(part)))
    };
    sources.iter().filter(says_nothing).map(|source| format!("{} says nothing", source.path)).collect()
}

#[test]
fn no_file_has_a_name_that_says_nothing() {
    assert_none(&empty_names(&sources()));
}

#[test]
fn a_name_that_says_nothing_is_found() {
    for path in [
        "src/utils.rs",
        "src/store/common/mod.rs",
        "tests/helpers.rs",
        "src/graph/manager.rs",
        "src/types.rs",
    ] {
        assert_eq!(empty_names(&[Source::new(path, "")]).len(), 1, "{path}");
    }
    assert!(empty_names(&[Source::new("src/facts/entity_types.rs", "")]).is_empty());
}

/// What is unfinished, or switched off.
const UNFINISHED: [&str; 5] = ["todo!", "unimplemented!", "dbg!", "#[ignore]", "#[ignore "];

fn unfinished(sources: &[Source]) -> Vec<String> {
    let found = sources.iter().flat_map(|source| UNFINISHED.iter().flat_map(|words| source.finds(words)));
    let mut findings: Vec<String> = found.collect();
    // Lint levels are lifted with a reason, and only where they bite.
    let lifted = sources.iter().flat_map(|source| ["#[allow(", "#![allow("].map(|words| source.finds(words)));
    findings.extend(lifted.flatten());
    findings
}

#[test]
fn nothing_is_unfinished_and_no_test_is_switched_off() {
    assert_none(&unfinished(&sources()));
}

#[test]
fn what_is_unfinished_or_switched_off_is_found() {
    let says = |text: &str| unfinished(&[Source::new("src/graph.rs", text)]).len();
    for text in [
        "fn f() { todo!() }",
        "fn f() { unimplemented!(\"later\") }",
        "#[test]\n#[ignore]\nfn f() {}",
        "#[test]\n#[ignore = \"slow\"]\nfn f() {}",
        "#[allow(dead_code)]\nfn f() {}",
    ] {
        assert_eq!(says(text), 1, "{text}");
    }
    assert_eq!(says("// todo!()\n#[expect(dead_code, reason = \"todo!\")]\nfn ignore() {}"), 0);
}

/// A `matches!` whose answer nobody looks at checks nothing.
fn idle_matches(sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources {
        for place in places(&source.code, "matches!(") {
            let before = source.code[..place].trim_end().chars().next_back();
            let mut depth = 0;
            let end = source.code[place..].find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                c == ')' && depth == 0
            });
            let after = end.map_or("", |end| source.code[place + end + 1..].trim_start());
            if before.is_none_or(|c| matches!(c, ';' | '{' | '}')) && after.starts_with(';') {
                findings.push(format!("{}:{} looks at no answer", source.path, source.line(place)));
            }
        }
    }
    findings
}

#[test]
fn the_answer_of_every_match_is_looked_at() {
    assert_none(&idle_matches(&sources()));
}

#[test]
fn a_match_at_whose_answer_nobody_looks_is_found() {
    let says = |text: &str| idle_matches(&[Source::new("tests/clock.rs", text)]).len();
    assert_eq!(says("fn f() { g(); matches!(a, B(_)); }"), 1);
    assert_eq!(says("fn f() {\n    matches!(a, B(_) if c(d));\n}"), 1);
    assert_eq!(says("fn f() { assert!(matches!(a, B(_))); }"), 0);
    assert_eq!(says("fn f() -> bool { matches!(a, B(_)) }"), 0);
    assert_eq!(says("fn f() { let b = matches!(a, B(_)); g(b) }"), 0);
}

/// The file that has to declare a file as its module; none for a root.
fn parent(path: &str) -> Option<[String; 2]> {
    const ROOTS: [&str; 5] =
        ["src/lib.rs", "src/main.rs", "tests/runner.rs", "tests/tidy.rs", "benches/main.rs"];
    if ROOTS.contains(&path) {
        return None;
    }
    let (folder, _) = path.strip_suffix("/mod.rs").unwrap_or(path.strip_suffix(".rs")?).rsplit_once('/')?;
    Some(match folder {
        "src" => ["src/lib.rs".to_owned(), "src/main.rs".to_owned()],
        "tests" => ["tests/runner.rs".to_owned(), String::new()],
        "benches" => ["benches/main.rs".to_owned(), String::new()],
        _ => [format!("{folder}.rs"), format!("{folder}/mod.rs")],
    })
}

/// Files that no other declares are compiled by nobody.
fn forgotten(sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources {
        let Some(parents) = parent(&source.path) else { continue };
        let name = source.path.strip_suffix("/mod.rs").unwrap_or(source.path.trim_end_matches(".rs"));
        let name = name.rsplit('/').next().unwrap();
        let declares = |other: &&Source| {
            parents.contains(&other.path) && !places(&other.code, &format!("mod {name};")).is_empty()
        };
        if !sources.iter().any(|other| declares(&other)) {
            findings.push(format!("{} is a module of nothing", source.path));
        }
    }
    findings
}

#[test]
fn every_file_is_a_module_of_something() {
    assert_none(&forgotten(&sources()));
}

#[test]
fn a_forgotten_file_is_found() {
    let runner = "mod support;\nmod twin;\n";
    let says = |path: &str| {
        let files = [
            ("tests/runner.rs", runner),
            ("tests/twin.rs", "mod log;"),
            ("tests/support/mod.rs", ""),
            (path, ""),
        ];
        forgotten(&files.map(|(path, text)| Source::new(path, text)))
    };
    assert_eq!(says("tests/clock.rs"), ["tests/clock.rs is a module of nothing"]);
    assert_eq!(says("tests/support/chance.rs"), ["tests/support/chance.rs is a module of nothing"]);
    assert_eq!(says("src/store/row.rs"), ["src/store/row.rs is a module of nothing"]);
    assert!(says("tests/twin/log.rs").is_empty());
    assert!(says("tests/tidy.rs").is_empty());
}

/// What lies at the top of the repository.
const TOP: [&str; 11] = [
    "Cargo.toml",
    "Cargo.lock",
    "src",
    "schema",
    "fixtures",
    "benches",
    "tests",
    "docs",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
];

fn strangers<'a>(names: impl Iterator<Item = &'a str>, ignored: &str) -> Vec<String> {
    let ignored: BTreeSet<&str> = ignored.lines().map(|line| line.trim().trim_matches('/')).collect();
    names
        .filter(|name| !TOP.contains(name) && !name.starts_with('.') && !ignored.contains(name))
        .map(|name| format!("{name} does not belong at the top"))
        .collect()
}

#[test]
fn the_top_of_the_repository_holds_only_what_belongs_there() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names: Vec<String> =
        fs::read_dir(top).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let ignored = fs::read_to_string(top.join(".gitignore")).unwrap_or_default();
    let mut findings = strangers(names.iter().map(String::as_str), &ignored);
    let is_absent = |name: &&&str| !names.iter().any(|there| there == *name);
    findings.extend(TOP.iter().filter(is_absent).map(|name| format!("{name} is missing at the top")));
    assert_none(&findings);
}

#[test]
fn a_stranger_at_the_top_is_found() {
    let says = |name: &str| strangers([name].into_iter(), "/target\n");
    assert_eq!(says("examples"), ["examples does not belong at the top"]);
    assert_eq!(says("notes.txt").len(), 1);
    assert!(TOP.iter().chain(&[".clippy.toml", "target"]).all(|name| says(name).is_empty()));
}
