//! How a run ends: the one table from what happened to the exit code.

use std::process::ExitCode;

use crate::ErrorKind;

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// Everything was answered.
    Fine,
    /// Something was answered with an error.
    Answered,
    /// The run itself failed. (Bad usage ends the same way; clap sees to it.)
    Failed,
    /// Ctrl-C, after the turn that was running.
    Interrupted,
}

impl Exit {
    /// Returns how a run ends whose one answer is an error of this kind.
    pub(super) fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Invalid | ErrorKind::NotFound | ErrorKind::Conflict | ErrorKind::Refused => {
                Self::Answered
            }
            ErrorKind::Corrupt | ErrorKind::Incompatible | ErrorKind::Unavailable | ErrorKind::Internal => {
                Self::Failed
            }
        }
    }

    /// Returns the exit code.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Answered => 1,
            Self::Failed => 2,
            // 128 + SIGINT, as shells count it.
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
