//! `docs/cli.md`, made from what clap knows.

use clap::{Arg, ArgAction, Command, CommandFactory};

use super::arguments::Cli;
use super::codes::CODES;
use super::exit::Exit;

const TITLE: &str = "\
# The command line

<!-- Made from the command line itself; HITHERTO_REWRITE=1 cargo test --lib reference makes it anew. -->

Answers are tables for people. With `--json` an answer is exactly the line of the protocol (`init`, `demo` and `import` have none there and print an object of their own);
an error is its error object on standard output, and its sentence with `cause:` and `hint:` lines on standard error all the same.
In tables `—` is what is absent, a text that would read as something else is quoted, characters that a terminal would obey or hide are spelt out as `(U+200B)`,
and columns that say nothing are left out. A command that reads refuses a store that is not there; one that writes makes it.

`HITHERTO_LOG` says what goes to the log on standard error, as in `HITHERTO_LOG=hitherto=debug`.

";

/// Every way to end, with what it means.
const ENDS: [(Exit, &str); 4] = [
    (Exit::Fine, "everything was answered"),
    (
        Exit::Answered,
        "the answer is an error, some line of `exec` was answered with one, or `fsck` found something",
    ),
    (
        Exit::Failed,
        "the run itself failed: bad usage, a store that cannot be opened, a file that cannot be read",
    ),
    (Exit::Interrupted, "Ctrl-C; the turn that was running is finished"),
];

/// Returns the reference in Markdown.
fn reference() -> String {
    let mut cli = Cli::command();
    cli.build();
    let mut text = TITLE.to_owned();
    text.push_str("## Exit codes\n\n| code | when |\n| --- | --- |\n");
    for (exit, when) in ENDS {
        text.push_str(&format!("| {} | {when} |\n", exit.code()));
    }
    text.push_str("\n## Every command\n\n");
    if let Some(after) = cli.get_after_help() {
        text.push_str(&format!("```text\n{after}\n```\n\n"));
    }
    rows(cli.get_arguments(), &mut text);
    let commands: Vec<&Command> =
        cli.get_subcommands().filter(|command| command.get_name() != "help").collect();
    let shared = shared(&commands);
    text.push_str("## Options that several commands share\n\n");
    for (heading, arguments) in &shared {
        text.push_str(&format!("### {heading}\n\n"));
        rows(arguments.iter().copied(), &mut text);
    }
    for command in commands {
        section(command, &shared, &mut text);
    }
    text.push_str("## Error codes\n\nA code belongs to a kind; codes stay, sentences may change.\n\n| code | kind | when |\n| --- | --- | --- |\n");
    for (code, kind, when) in CODES {
        text.push_str(&format!("| `{code}` | {kind} | {when} |\n"));
    }
    text
}

/// Options under one heading.
type Shared<'a> = Vec<(&'a str, Vec<&'a Arg>)>;

/// Returns the options under each heading, as the command has them that has the most.
fn shared<'a>(commands: &[&'a Command]) -> Shared<'a> {
    let mut shared: Shared<'a> = Vec::new();
    for argument in commands.iter().flat_map(|command| command.get_arguments()) {
        let Some(heading) = argument.get_help_heading().filter(|_| !argument.is_global_set()) else {
            continue;
        };
        let place = shared.iter().position(|(known, _)| *known == heading).unwrap_or_else(|| {
            shared.push((heading, Vec::new()));
            shared.len() - 1
        });
        if !shared[place].1.iter().any(|known| known.get_id() == argument.get_id()) {
            shared[place].1.push(argument);
        }
    }
    shared
}

fn section(command: &Command, shared: &Shared<'_>, text: &mut String) {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace("\n       ", "\n");
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let long = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    text.push_str(&format!("## {}\n\n{about}.", command.get_name()));
    text.push_str(&format!(" {}", long.trim_start_matches(&about).trim()).trim_end().replace("\n\n", " "));
    text.push_str(&format!("\n\n```text\n{usage}\n```\n\n"));
    let own = |argument: &&Arg| argument.get_help_heading().is_none();
    rows(command.get_arguments().filter(own), text);
    let also: Vec<String> =
        shared.iter().filter_map(|(heading, options)| also(command, heading, options)).collect();
    if !also.is_empty() {
        text.push_str(&format!("Also: {}.\n\n", also.join("; ")));
    }
}

/// Says that a command takes the options under a heading, and which it does not take.
fn also(command: &Command, heading: &str, options: &[&Arg]) -> Option<String> {
    let takes = |option: &&&Arg| {
        command.get_arguments().any(|argument| {
            argument.get_id() == option.get_id() && argument.get_help_heading() == Some(heading)
        })
    };
    let missing: Vec<String> =
        options.iter().filter(|option| !takes(option)).map(|option| format!("`{}`", name(option))).collect();
    match missing.len() {
        0 => Some(format!("*{heading}*")),
        all if all == options.len() => None,
        _ => Some(format!("*{heading}*, without {}", missing.join(", "))),
    }
}

fn rows<'a>(arguments: impl Iterator<Item = &'a Arg>, text: &mut String) {
    let rows: Vec<String> = arguments
        .filter(|argument| {
            !matches!(argument.get_id().as_str(), "help" | "version") && !argument.is_hide_set()
        })
        .map(row)
        .collect();
    if !rows.is_empty() {
        text.push_str("| argument | |\n| --- | --- |\n");
        text.push_str(&rows.concat());
        text.push('\n');
    }
}

fn takes_value(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Set | ArgAction::Append)
}

fn name(argument: &Arg) -> String {
    let values: Vec<String> =
        argument.get_value_names().into_iter().flatten().map(|name| format!("<{name}>")).collect();
    match argument.get_long() {
        Some(long) if takes_value(argument) => format!("--{long} {}", values.join(" ")),
        Some(long) => format!("--{long}"),
        None => values.join(" "),
    }
}

fn row(argument: &Arg) -> String {
    let takes_value = takes_value(argument);
    let mut says = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let words: Vec<String> = if takes_value {
        argument.get_possible_values().iter().map(|word| format!("`{}`", word.get_name())).collect()
    } else {
        Vec::new()
    };
    if !words.is_empty() && words.len() < 16 {
        says.push_str(&format!(": {}", words.join(", ")));
    }
    let default: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if takes_value && !default.is_empty() {
        says.push_str(&format!(" [default: {}]", default.join(", ")));
    }
    if let Some(variable) = argument.get_env() {
        says.push_str(&format!(" [env: {}]", variable.to_string_lossy()));
    }
    format!("| `{}` | {} |\n", name(argument).replace('|', "\\|"), says.replace('|', "\\|"))
}

mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn the_reference_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
        let made = reference();
        if std::env::var_os("HITHERTO_REWRITE").is_some() {
            fs::write(&path, &made).expect("docs/cli.md can be written");
        }
        let held = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            held == made,
            "docs/cli.md is out of date: HITHERTO_REWRITE=1 cargo test --lib reference makes it anew"
        );
    }

    #[test]
    fn clap_finds_nothing_wrong_with_the_commands() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_table_of_codes_is_sorted_and_each_is_given_out_somewhere() {
        assert!(CODES.is_sorted_by(|a, b| a.0 < b.0));
        let source = source();
        for (code, _, _) in CODES {
            assert!(source.contains(&format!("\"{code}\"")), "{code} is given out nowhere");
        }
    }

    #[test]
    fn every_code_that_is_given_out_is_in_the_table() {
        let source = source();
        // Every code has an underscore, which no sentence begins with.
        let is_code = |word: &&str| {
            word.contains('_') && word.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase())
        };
        let quoted = |rest: &str| {
            let word = rest.trim_start().strip_prefix('"')?.split('"').next().filter(is_code)?;
            Some(word.to_owned())
        };
        let direct = source.split("Error::invalid(").skip(1).filter_map(quoted);
        let of_kind = source.split("ErrorKind::").skip(1).filter_map(|rest| quoted(rest.split_once(',')?.1));
        let named = source.split("fn code(&self)").skip(1).flat_map(|rest| {
            let body = rest.split("\n    }").next().unwrap_or_default();
            body.split("=>").skip(1).filter_map(quoted).collect::<Vec<_>>()
        });
        let missing: Vec<String> = direct
            .chain(of_kind)
            .chain(named)
            // Rectangles are made by the library alone, which cannot be asked for it.
            .filter(|code| code != "rectangles_overlap" && !CODES.iter().any(|(listed, _, _)| listed == code))
            .collect();
        assert_eq!(missing, Vec::<String>::new());
    }

    /// Returns the source without tests, doc examples and this folder's table.
    fn source() -> String {
        let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut text = String::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("the source is there") {
                let path = entry.expect("an entry can be read").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs")
                    && !path.ends_with("tests.rs")
                    && !path.ends_with("codes.rs")
                    && !path.ends_with("reference.rs")
                {
                    let file = fs::read_to_string(&path).expect("a file can be read");
                    let code = file.split("#[cfg(test)]").next().unwrap_or_default();
                    text.extend(
                        code.lines()
                            .filter(|line| !line.trim_start().starts_with("//"))
                            .flat_map(|line| [line, "\n"]),
                    );
                }
            }
        }
        text
    }
}
