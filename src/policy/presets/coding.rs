//! A code base: what an agent has to know before it changes something.

use super::{Row, slot};

pub(super) const SLOTS: &[Row] = &[
    slot(
        "main_language",
        "stack",
        &["programming language", "primary language", "lang"],
        "The language most of the code is written in.",
    ),
    slot(
        "language_version",
        "stack",
        &["toolchain", "msrv", "runtime version"],
        "The version of the language or runtime that the code is held to.",
    )
    .verbatim(),
    slot(
        "framework",
        "stack",
        &["frameworks", "web framework"],
        "Frameworks the code is built on, the version behind the name.",
    )
    .list_by_head(),
    slot(
        "package_manager",
        "stack",
        &["dependency manager", "pkg manager"],
        "The one tool that installs dependencies.",
    ),
    slot(
        "dependency",
        "stack",
        &["dependencies", "library", "libraries"],
        "Libraries worth naming, the version behind the name.",
    )
    .list_by_head(),
    slot("database", "stack", &["db", "main store", "datastore"], "Where the program keeps its data."),
    slot(
        "message_broker",
        "stack",
        &["queue", "queue broker", "message queue"],
        "What carries messages between services.",
    ),
    slot("repository", "places", &["repo", "repo url", "git remote"], "Where the code is kept.").verbatim(),
    slot("default_branch", "places", &["main branch", "trunk"], "The branch that changes are made against.")
        .verbatim(),
    slot(
        "protected_path",
        "places",
        &["protected paths", "do not edit", "hands off"],
        "Paths that must not be changed without asking.",
    )
    .list()
    .guarded()
    .verbatim(),
    slot(
        "deploy_target",
        "running",
        &["deployment target", "deploys to", "hosting"],
        "Where the program runs once it is deployed.",
    )
    .guarded(),
    slot(
        "environment",
        "running",
        &["environments", "stages"],
        "Environments that exist, the address behind a dash.",
    )
    .list_by_head(),
    slot(
        "ci_system",
        "running",
        &["ci", "continuous integration", "build server"],
        "What builds and tests every change.",
    ),
    slot("feature_flag", "running", &["feature flags", "flag"], "Flags in use, the state behind a dash.")
        .list_by_head()
        .verbatim(),
    slot("build_command", "commands", &["how to build"], "The command that builds everything.").verbatim(),
    slot("test_command", "commands", &["how to test", "run tests"], "The command that runs the tests.")
        .verbatim(),
    slot("lint_command", "commands", &["linter", "how to lint"], "The command that checks style.").verbatim(),
    slot(
        "convention",
        "rules",
        &["conventions", "code style", "coding rule", "coding rules"],
        "Rules of this code base, one an item, with their exceptions.",
    )
    .list()
    .verbatim(),
    slot("api_version", "rules", &["api generation"], "The version of the interface that clients are given.")
        .verbatim(),
    slot("license", "rules", &["licence", "spdx"], "The licence of the code, as an SPDX expression.")
        .guarded()
        .verbatim(),
    slot(
        "code_owner",
        "people",
        &["code owners", "maintainer", "maintainers"],
        "Who answers for the code, the area behind a dash.",
    )
    .list_by_head(),
    slot(
        "incident",
        "history",
        &["incidents", "outage", "outages"],
        "What went wrong, each when it happened.",
    )
    .events(),
    slot("release", "history", &["releases", "released"], "Versions given out, each on its day.")
        .events()
        .verbatim(),
];
