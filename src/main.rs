//! The command line of Hitherto.

use std::process::ExitCode;

fn main() -> ExitCode {
    hitherto::surfaces::cli::run()
}
