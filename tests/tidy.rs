//! The house rules of `architecture.md` and `style.md`, checked by reading the
//! sources: what must stay absent stays absent.
//!
//! Every check is a function from sources to findings, and has a test of its
//! own that shows that it can fail.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The ranks: a file imports its own module or strictly lower ranks.
const RANKS: [(&str, u8); 12] = [
    ("time", 0),
    ("identity", 0),
    ("facts", 1),
    ("policy", 2),
    ("reconcile", 3),
    ("store", 4),
    ("query", 5),
    ("maintenance", 6),
    ("graph", 7),
    ("error", 7),
    ("clock", 7),
    ("surfaces", 8),
];

/// What the crate root re-exports, and from which module.
const AT_ROOT: [(&str, &str); 6] = [
    ("Graph", "graph"),
    ("Options", "graph"),
    ("Error", "error"),
    ("ErrorKind", "error"),
    ("Clock", "clock"),
    ("SystemClock", "clock"),
];

/// Crates that one place alone may name.
const AT_HOME: [(&str, &str); 5] = [
    ("surrealdb", "src/store/"),
    ("clap", "src/surfaces/cli/"),
    ("axum", "src/surfaces/http/"),
    ("rmcp", "src/surfaces/mcp/"),
    ("clap_complete", "src/surfaces/cli/"),
];

const MOST_LINES: usize = 600;

/// What may lie at the top of the repository, besides dot files.
const TOP: [&str; 10] = [
    "Cargo.toml", "Cargo.lock", "src", "schema", "fixtures", "benches", "tests", "docs", "README.md", "LICENSE",
];
const TOP_TOO: [&str; 1] = ["CHANGELOG.md"];

/// Sources by their path in the repository.
type Sources = BTreeMap<String, String>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads the Rust sources under a folder.
fn read(folder: &str) -> Sources {
    fn walk(folder: &Path, found: &mut Sources) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut found = Sources::new();
    walk(&root().join(folder), &mut found);
    assert!(!found.is_empty(), "there are no sources in {folder}");
    found
}

/// Blanks out comments and the contents of text literals, so that words in
/// them are no code; lines stay where they are.
fn code(source: &str) -> String {
    let bytes: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut place = 0;
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    let at = |place: usize, text: &str| text.chars().enumerate().all(|(i, c)| bytes.get(place + i) == Some(&c));
    while place < bytes.len() {
        let before_is_word = place > 0 && (bytes[place - 1].is_alphanumeric() || bytes[place - 1] == '_');
        let hashes = bytes[(place + 1).min(bytes.len())..].iter().take_while(|c| **c == '#').count();
        if at(place, "//") {
            while place < bytes.len() && bytes[place] != '\n' {
                out.push(' ');
                place += 1;
            }
        } else if at(place, "/*") {
            let mut depth = 0;
            while place < bytes.len() {
                let step = if at(place, "/*") {
                    depth += 1;
                    2
                } else if at(place, "*/") {
                    depth -= 1;
                    2
                } else {
                    1
                };
                bytes[place..place + step].iter().for_each(|c| out.push(blank(*c)));
                place += step;
                if depth == 0 {
                    break;
                }
            }
        } else if bytes[place] == 'r' && !before_is_word && bytes.get(place + 1 + hashes) == Some(&'"') {
            let end: String = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
            let start = place + 2 + hashes;
            bytes[place..start].iter().for_each(|_| out.push(' '));
            place = start;
            while place < bytes.len() && !at(place, &end) {
                out.push(blank(bytes[place]));
                place += 1;
            }
            end.chars().for_each(|_| out.push(' '));
            place += end.len();
        } else if bytes[place] == '"' {
            out.push('"');
            place += 1;
            while place < bytes.len() && bytes[place] != '"' {
                let step = if bytes[place] == '\\' { 2 } else { 1 };
                bytes[place..(place + step).min(bytes.len())].iter().for_each(|c| out.push(blank(*c)));
                place += step;
            }
            out.push('"');
            place += 1;
        } else if bytes[place] == '\'' && (bytes.get(place + 1) == Some(&'\\') || bytes.get(place + 2) == Some(&'\'')) {
            // A character, not a lifetime: a quote or a slash in it opens nothing.
            let from = if bytes.get(place + 1) == Some(&'\\') { place + 3 } else { place + 2 };
            let end = (from..bytes.len()).find(|i| bytes[*i] == '\'').unwrap_or(bytes.len() - 1);
            (place..=end).for_each(|_| out.push(' '));
            place = end + 1;
        } else {
            out.push(bytes[place]);
            place += 1;
        }
    }
    out
}

/// Blanks out what is compiled for tests only: items under `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut out: Vec<char> = code.chars().collect();
    let text: String = code.to_owned();
    let mut from = 0;
    while let Some(found) = text[from..].find("#[cfg(test)]") {
        let start = from + found;
        let mut depth = 0;
        let mut end = text.len();
        for (place, c) in text[start..].char_indices().skip("#[cfg(test)]".len()) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ';' if depth == 0 => {
                    end = start + place + 1;
                    break;
                }
                _ => continue,
            }
            if depth == 0 && c == '}' {
                end = start + place + 1;
                break;
            }
        }
        let first = text[..start].chars().count();
        let last = text[..end].chars().count();
        out[first..last].iter_mut().filter(|c| **c != '\n').for_each(|c| *c = ' ');
        from = end;
    }
    out.into_iter().collect()
}

/// Whether a path is a test's: a sibling `tests.rs`, or under `tests/`.
fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Returns the shipped code of each source.
fn shipped(sources: &Sources) -> Sources {
    let kept = sources.iter().filter(|(path, _)| !is_test(path));
    kept.map(|(path, source)| (path.clone(), without_tests(&code(source)))).collect()
}

/// Returns the places where a word stands by itself.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    code.match_indices(word).map(|(place, _)| place).filter(move |place| {
        !is_part(code[..*place].chars().next_back()) && !is_part(code[place + word.len()..].chars().next())
    })
}

fn line_of(code: &str, place: usize) -> usize {
    code[..place].matches('\n').count() + 1
}

/// Returns the module that a path is in, with its rank; none for `lib.rs` and `main.rs`.
fn module(path: &str) -> Option<(&str, u8)> {
    let within = path.strip_prefix("src/")?;
    let name = within.split('/').next()?;
    let name = name.strip_suffix(".rs").unwrap_or(name);
    RANKS.iter().find(|(module, _)| *module == name).copied()
}

/// The names that follow `crate::`, groups taken apart.
fn imported(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (place, _) in code.match_indices("crate::") {
        let before = code[..place].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = code[place + "crate::".len()..].trim_start();
        let line = line_of(code, place);
        let identifier = |text: &str| -> String {
            text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        match rest.strip_prefix('{') {
            None => found.push((line, identifier(rest))),
            Some(group) => {
                let (mut depth, mut start) = (0, 0);
                for (place, c) in group.char_indices() {
                    let is_end = c == '}' && depth == 0;
                    if (c == ',' && depth == 0) || is_end {
                        found.push((line, identifier(&group[start..place])));
                        start = place + 1;
                    }
                    match c {
                        '{' => depth += 1,
                        '}' if is_end => break,
                        '}' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }
    found.retain(|(_, name)| !name.is_empty());
    found
}

/// Imports that go up or across.
fn wrong_directions(sources: &Sources) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, code) in shipped(sources) {
        let Some((own, rank)) = module(&path) else { continue };
        for (line, name) in imported(&code) {
            let target = AT_ROOT.iter().find(|(root, _)| *root == name).map_or(&*name, |(_, module)| module);
            let Some((target, other)) = RANKS.iter().find(|(module, _)| *module == target).copied() else {
                // Other names at the root come from the façade or a surface: ranks 7 and 8 only.
                if rank < 7 && name.chars().next().is_some_and(char::is_uppercase) {
                    findings.push(format!("{path}:{line}: {own} takes {name} from the crate root"));
                }
                continue;
            };
            // `graph`, `error` and `clock` stand together at the top of the core.
            let is_allowed = target == own || other < rank || (rank, other) == (7, 7);
            if !is_allowed {
                findings.push(format!("{path}:{line}: {own} ({rank}) imports {target} ({other})"));
            }
        }
    }
    findings
}

/// Modules that have no rank.
fn unranked(sources: &Sources) -> Vec<String> {
    let at_top = |path: &&String| !["src/lib.rs", "src/main.rs"].contains(&path.as_str());
    sources.keys().filter(at_top).filter(|path| module(path).is_none()).map(|path| format!("{path} has no rank")).collect()
}

/// Crates named outside their home.
fn strangers(sources: &Sources) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, source) in sources {
        let code = code(source);
        for (name, home) in AT_HOME {
            if !path.starts_with(home) {
                let lines = words(&code, name).map(|place| line_of(&code, place));
                findings.extend(lines.map(|line| format!("{path}:{line}: {name} is named outside {home}")));
            }
        }
    }
    findings
}

/// What ranks 0 to 3 must not know of.
fn impure(sources: &Sources) -> Vec<String> {
    const ABSENT: [&str; 12] = [
        "async", "await", "tokio", "serde", "serde_json", "tracing", "SystemTime", "Instant", "now_utc", "SystemClock", "Clock", "fs",
    ];
    let mut findings = Vec::new();
    for (path, code) in shipped(sources) {
        if !module(&path).is_some_and(|(_, rank)| rank <= 3) {
            continue;
        }
        for word in ABSENT {
            let is_parser = path.starts_with("src/policy/parse") && word.starts_with("serde");
            if !is_parser {
                let lines = words(&code, word).map(|place| line_of(&code, place));
                findings.extend(lines.map(|line| format!("{path}:{line}: {word} below the store")));
            }
        }
    }
    findings
}

/// Files that are too long, their tests not counted.
fn too_long(sources: &Sources) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, source) in sources.iter().filter(|(path, _)| !is_test(path)) {
        let tests = without_tests(&code(source));
        let blanked = code(source);
        // A line counts unless blanking the tests is what emptied it.
        let lines = blanked.lines().zip(tests.lines()).filter(|(all, kept)| all.trim().is_empty() || !kept.trim().is_empty());
        let count = lines.count();
        if count > MOST_LINES {
            findings.push(format!("{path} has {count} lines without its tests, {MOST_LINES} are the most"));
        }
    }
    findings
}

/// Names that say nothing.
fn vague(sources: &Sources) -> Vec<String> {
    const VAGUE: [&str; 5] = ["utils", "common", "helpers", "types", "manager"];
    let part_of = |path: &str| path.split('/').map(|part| part.trim_end_matches(".rs").to_owned()).collect::<Vec<_>>();
    sources
        .keys()
        .flat_map(|path| part_of(path).into_iter().map(move |part| (path, part)))
        .filter(|(_, part)| VAGUE.contains(&&**part) || VAGUE.iter().any(|v| v.strip_suffix('s') == Some(part)))
        .map(|(path, part)| format!("{path}: {part} says nothing about what is in it"))
        .collect()
}

/// Calls that depend on the zone of the host, and wall time read elsewhere than in `clock.rs`.
fn local_time(sources: &Sources) -> Vec<String> {
    const LOCAL: [&str; 5] = ["now_local", "local_offset_at", "current_local_offset", "UtcOffset", "Local"];
    const WALL: [&str; 2] = ["now_utc", "SystemTime"];
    let mut findings = Vec::new();
    for (path, code) in shipped(sources) {
        for word in LOCAL.iter().chain(WALL.iter().filter(|_| path != "src/clock.rs")) {
            let lines = words(&code, word).map(|place| line_of(&code, place));
            findings.extend(lines.map(|line| format!("{path}:{line}: {word}")));
        }
    }
    findings
}

/// What is left undone.
fn undone(sources: &Sources) -> Vec<String> {
    const UNDONE: [&str; 4] = ["todo!", "unimplemented!", "#[ignore", "dbg!"];
    let mut findings = Vec::new();
    for (path, source) in sources {
        let code = code(source);
        for mark in UNDONE {
            let lines = code.match_indices(mark).map(|(place, _)| line_of(&code, place));
            findings.extend(lines.map(|line| format!("{path}:{line}: {mark}")));
        }
    }
    findings
}

/// Tests that assert nothing, by their words.
fn assertless(sources: &Sources) -> Vec<String> {
    // Besides assertions: what ends in one, by the names that tests give it.
    const CHECKS: [&str; 14] = [
        "assert", "panic!", "should_panic", "check", "conform(", "tell(", "refuse", "hold", "one_slot", "a_thousand",
        "matches(", "differs(", "expect", "unwrap_err",
    ];
    let mut findings = Vec::new();
    for (path, source) in sources {
        let code = code(source);
        for (place, _) in code.match_indices("#[test]") {
            let rest = &code[place..];
            let body = rest.find("{\n").or_else(|| rest.find('{')).unwrap_or(0);
            let mut depth = 0;
            let end = rest[body..].char_indices().find_map(|(place, c)| {
                depth += match c {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                (depth == 0).then_some(body + place)
            });
            let whole = &rest[..end.unwrap_or(rest.len())];
            if !CHECKS.iter().any(|check| whole.contains(check)) {
                findings.push(format!("{path}:{}: a test without an assertion", line_of(&code, place)));
            }
        }
    }
    findings
}

/// Files of tests that the runner does not run.
fn forgotten(sources: &Sources, runner: &str, support: &str) -> Vec<String> {
    let named = |code: &str, name: &str| words(code, name).any(|place| code[..place].trim_end().ends_with("mod"));
    let mut findings = Vec::new();
    for path in sources.keys() {
        let within = path.strip_prefix("tests/").unwrap_or(path).trim_end_matches(".rs");
        let is_run = match within.split_once('/') {
            None => ["runner", "tidy"].contains(&within) || named(&code(runner), within),
            Some(("support", "mod")) => named(&code(runner), "support"),
            Some(("support", name)) => named(&code(support), name),
            Some((folder, "mod")) => named(&code(runner), folder),
            Some(_) => false,
        };
        if !is_run {
            findings.push(format!("{path} is not run"));
        }
    }
    findings
}

/// What lies at the top and should not.
fn misplaced(names: &[String], ignored: &str) -> Vec<String> {
    let is_ignored = |name: &str| ignored.lines().any(|line| line.trim().trim_matches('/') == name);
    let is_allowed =
        |name: &str| name.starts_with('.') || TOP.contains(&name) || TOP_TOO.contains(&name) || is_ignored(name);
    names.iter().filter(|name| !is_allowed(name)).map(|name| format!("{name} at the top of the repository")).collect()
}

#[track_caller]
fn assert_tidy(findings: &[String]) {
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn imports_go_from_the_outside_in() {
    assert_tidy(&wrong_directions(&read("src")));
}

#[test]
fn every_module_has_a_rank() {
    assert_tidy(&unranked(&read("src")));
}

#[test]
fn the_engine_and_the_surfaces_libraries_are_named_at_home_only() {
    assert_tidy(&strangers(&read("src")));
}

#[test]
fn what_decides_is_pure() {
    assert_tidy(&impure(&read("src")));
}

#[test]
fn no_file_is_longer_than_six_hundred_lines() {
    assert_tidy(&too_long(&read("src")));
}

#[test]
fn every_file_is_named_for_what_is_in_it() {
    assert_tidy(&vague(&read("src")));
    assert_tidy(&vague(&read("tests")));
}

#[test]
fn no_answer_depends_on_the_zone_of_the_host_and_one_file_reads_the_clock() {
    assert_tidy(&local_time(&read("src")));
}

#[test]
fn nothing_is_left_undone_and_no_test_is_ignored() {
    assert_tidy(&undone(&read("src")));
    assert_tidy(&undone(&read("tests")));
}

#[test]
fn every_test_asserts_something() {
    assert_tidy(&assertless(&read("tests")));
    assert_tidy(&assertless(&read("src")));
}

#[test]
fn every_file_of_tests_is_run() {
    let sources = read("tests");
    let findings = forgotten(&sources, &sources["tests/runner.rs"], &sources["tests/support/mod.rs"]);
    assert_tidy(&findings);
}

#[test]
fn the_top_of_the_repository_holds_only_what_it_should() {
    let names: Vec<String> =
        fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let ignored = fs::read_to_string(root().join(".gitignore")).unwrap_or_default();
    assert!(names.iter().any(|name| name == "Cargo.toml"));
    assert_tidy(&misplaced(&names, &ignored));
}

/// The checks can fail.
mod fails {
    use super::*;

    fn one(path: &str, source: &str) -> Sources {
        Sources::from([(path.to_owned(), source.to_owned())])
    }

    #[test]
    fn words_in_comments_and_texts_are_no_code() {
        let source = "let a = \"clap \\\" clap\"; // clap\n/* clap /* clap */ clap */ let b = r#\"clap \" clap\"#; let c = '\"'; clap!();";
        let code = code(source);
        assert_eq!(words(&code, "clap").count(), 1, "{code}");
        assert_eq!(code.lines().count(), 2);
        assert_eq!(words("fn f<'a>(x: &'a str) { clap }", "clap").count(), 1);
        assert_eq!(words("clap_complete", "clap").count(), 0);
    }

    #[test]
    fn what_is_for_tests_only_is_left_out() {
        let source = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { { } }\n}\n#[cfg(test)]\nmod sibling;\nfn c() {}\n";
        let kept = without_tests(&code(source));
        assert!(kept.contains("fn a") && kept.contains("fn c") && !kept.contains("fn b") && !kept.contains("sibling"), "{kept}");
        assert_eq!(kept.lines().count(), source.lines().count());
    }

    #[test]
    fn an_import_that_goes_up_or_across_is_found() {
        let count = |path: &str, source: &str| wrong_directions(&one(path, source)).len();
        assert_eq!(count("src/facts/fact.rs", "use crate::store::Row;"), 1);
        assert_eq!(count("src/time/period.rs", "use crate::identity::Name;"), 1);
        assert_eq!(count("src/identity/name.rs", "use crate::time::Timestamp;"), 1);
        assert_eq!(count("src/facts/fact.rs", "use crate::{time::{Period, Timestamp}, query::Get};"), 1);
        assert_eq!(count("src/store/row.rs", "fn f(g: &crate::Graph) {}"), 1);
        assert_eq!(count("src/store/row.rs", "use crate::Basis;"), 1);
        assert_eq!(count("src/query/get.rs", "use crate::error::Error;"), 1);
        assert_eq!(count("src/graph/turn.rs", "use crate::surfaces::wire;"), 1);
        assert_eq!(count("src/graph/turn.rs", "use crate::{error::Error, clock::Clock, store::Row};"), 0);
        assert_eq!(count("src/facts/fact.rs", "use crate::time::Period; use crate::facts::value::Value;"), 0);
        assert_eq!(count("src/surfaces/read.rs", "use crate::{Basis, Graph};"), 0);
        assert_eq!(count("src/facts/fact.rs", "#[cfg(test)]\nmod tests { use crate::store::Row; }"), 0);
    }

    #[test]
    fn a_module_without_a_rank_is_found() {
        assert_eq!(unranked(&one("src/cache/mod.rs", "")).len(), 1);
        assert_eq!(unranked(&one("src/graph.rs", "")).len() + unranked(&one("src/lib.rs", "")).len(), 0);
    }

    #[test]
    fn a_crate_outside_its_home_is_found() {
        assert_eq!(strangers(&one("src/graph.rs", "use surrealdb::Surreal;")).len(), 1);
        assert_eq!(strangers(&one("src/surfaces/wire.rs", "use clap::Parser;")).len(), 1);
        assert_eq!(strangers(&one("src/store/engine.rs", "use surrealdb::Surreal;")).len(), 0);
        assert_eq!(strangers(&one("src/graph.rs", "// on surrealdb\nconst A: &str = \"surrealdb\";")).len(), 0);
    }

    #[test]
    fn what_is_impure_below_the_store_is_found() {
        for source in ["async fn f() {}", "use serde::Serialize;", "tracing::info!(\"x\");", "let now = Instant::now();"] {
            assert_eq!(impure(&one("src/reconcile/decide.rs", source)).len(), 1, "{source}");
            assert_eq!(impure(&one("src/store/writer.rs", source)).len(), 0, "{source}");
        }
        assert_eq!(impure(&one("src/policy/parse.rs", "use serde_json::Value;")).len(), 0);
        assert_eq!(impure(&one("src/policy/slots.rs", "use serde_json::Value;")).len(), 1);
    }

    #[test]
    fn a_file_that_is_too_long_is_found_and_its_tests_do_not_count() {
        let lines = |count: usize| "fn f() {}\n".repeat(count);
        assert_eq!(too_long(&one("src/a.rs", &lines(601))).len(), 1);
        assert_eq!(too_long(&one("src/a.rs", &lines(600))).len(), 0);
        assert_eq!(too_long(&one("src/a.rs", &"// why\n".repeat(601))).len(), 1);
        let tested = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", lines(590), lines(100));
        assert_eq!(too_long(&one("src/a.rs", &tested)).len(), 0);
        assert_eq!(too_long(&one("src/a/tests.rs", &lines(900))).len(), 0);
    }

    #[test]
    fn a_name_that_says_nothing_is_found() {
        for path in ["src/utils.rs", "src/store/helpers/a.rs", "src/facts/types.rs", "src/manager.rs", "src/util.rs"] {
            assert_eq!(vague(&one(path, "")).len(), 1, "{path}");
        }
        assert_eq!(vague(&one("src/facts/value.rs", "")).len(), 0);
    }

    #[test]
    fn local_time_and_a_second_reader_of_the_clock_are_found() {
        assert_eq!(local_time(&one("src/time/timestamp.rs", "OffsetDateTime::now_local()")).len(), 1);
        assert_eq!(local_time(&one("src/graph.rs", "OffsetDateTime::now_utc()")).len(), 1);
        assert_eq!(local_time(&one("src/clock.rs", "OffsetDateTime::now_utc()")).len(), 0);
    }

    #[test]
    fn what_is_left_undone_is_found() {
        let ignored = ["#[ign", "ore]\nfn f() {}"].concat();
        for source in ["fn f() { todo!() }", "fn f() { unimplemented!(\"later\") }", &ignored] {
            assert_eq!(undone(&one("src/a.rs", source)).len(), 1, "{source}");
        }
        assert_eq!(undone(&one("src/a.rs", "// todo! is a word here")).len(), 0);
    }

    #[test]
    fn a_test_without_an_assertion_is_found() {
        assert_eq!(assertless(&one("tests/a.rs", "#[test]\nfn f() {\n let a = 1;\n}\n")).len(), 1);
        assert_eq!(assertless(&one("tests/a.rs", "#[test]\nfn f() {\n assert!(true);\n}\nfn g() {}")).len(), 0);
    }

    #[test]
    fn a_file_of_tests_that_nobody_runs_is_found() {
        let runner = "mod support;\nmod a;\n// mod c;\n";
        let sources: Sources =
            ["tests/runner.rs", "tests/a.rs", "tests/support/mod.rs", "tests/support/b.rs"].map(|p| (p.to_owned(), String::new())).into();
        assert_eq!(forgotten(&sources, runner, "pub(crate) mod b;").len(), 0);
        assert_eq!(forgotten(&sources, runner, "").len(), 1);
        assert_eq!(forgotten(&one("tests/c.rs", ""), runner, "").len(), 1);
        assert_eq!(forgotten(&one("tests/d/e.rs", ""), runner, "").len(), 1);
    }

    #[test]
    fn what_is_misplaced_at_the_top_is_found() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(misplaced(&names(&["src", ".ci", ".git", "README.md", "CHANGELOG.md", "target"]), "/target\n").len(), 0);
        assert_eq!(misplaced(&names(&["notes.txt", "src", "scripts"]), "/target\n").len(), 2);
    }
}
