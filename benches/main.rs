//! The benchmarks: Hitherto beside SQLite, bare SurrealDB and minigraf, in the
//! same run, on the same disk, answers compared before anything is timed.
//!
//! ```text
//! cargo bench --features peers -- [--quick] [--million] [--only W1,W8] [--markdown FILE]
//! ```
//!
//! `docs/performance.md` says what each work is and how it is measured.

#![expect(clippy::doc_markdown, reason = "the names of databases are no code")]

mod arguments;
mod as_of;
mod bulk;
mod cold;
mod corpus;
mod deciding;
mod dice;
mod holders;
mod machine;
mod opening;
mod peers;
mod profile;
mod size;
mod slot;
mod stand;
mod subject;
mod table;
mod timing;
mod walk;
mod write;
mod writers;

use std::process::ExitCode;

use arguments::{Arguments, Task};
use table::Table;
use timing::Contest;

/// What a step of a benchmark comes to: the error is for the person at the terminal.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let result = match Arguments::read(std::env::args().skip(1)) {
        Ok(Task::Measure(arguments)) => measure(&arguments),
        Ok(Task::OpenStore(how)) => opening::child(&how),
        Err(error) => Err(error),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            table::complain(&format!("ABORTED: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &Arguments) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let sizes = arguments.sizes();
    let contest = Contest { floor: sizes.floor, rounds: sizes.rounds };
    let mut table = Table::default();
    if arguments.wants("decide") {
        deciding::run(&contest, &mut table)?;
    }
    if ["W1", "W2", "W3", "W4", "W6"].iter().any(|id| arguments.wants(id)) {
        let stand = stand::Stand::build(&runtime, &sizes)?;
        if arguments.wants("W1") {
            slot::run(&stand, &contest, &mut table)?;
        }
        if arguments.wants("W2") {
            profile::run(&stand, &contest, &mut table)?;
        }
        if arguments.wants("W3") {
            as_of::run(&stand, &contest, &mut table)?;
        }
        if arguments.wants("W4") {
            cold::run(&stand, &contest, &mut table)?;
        }
        if arguments.wants("W6") {
            holders::run(&stand, &contest, &mut table)?;
        }
        stand.close()?;
    }
    if arguments.wants("W7") {
        walk::run(&runtime, &sizes, &contest, &mut table)?;
    }
    if arguments.wants("W8") {
        write::run(&runtime, &sizes, &mut table)?;
    }
    if arguments.wants("W9") {
        writers::run(&runtime, &sizes, &mut table)?;
    }
    if arguments.wants("W10") || arguments.wants("W12") {
        let stores = bulk::run(&runtime, &sizes, arguments.wants("W10"), &mut table)?;
        if arguments.wants("W12") {
            opening::run(&stores, &mut table)?;
        }
    }
    table.print();
    if let Some(path) = &arguments.markdown {
        table.write_markdown(path, &machine::describe(), &arguments.spoken())?;
    }
    Ok(())
}
