//! `hitherto completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::surfaces::cli::arguments::Cli;
use crate::surfaces::cli::exit::Exit;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::output;

/// Print a script that completes this command line in a shell
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(in crate::surfaces::cli) fn run(&self) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "hitherto", &mut script);
        output::line(String::from_utf8_lossy(&script).trim_end())?;
        Ok(Exit::Fine)
    }
}
