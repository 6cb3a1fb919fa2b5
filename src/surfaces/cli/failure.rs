//! Why a command could not do what was asked, as a person reads it.

use std::error::Error as _;
use std::io;

use serde_json::{Value as Json, json};

use super::exit::Exit;
use super::hint;
use super::output;
use crate::surfaces::print;
use crate::{Error, ErrorKind};

/// Why a command stopped.
#[derive(Debug)]
pub(super) enum Failure {
    /// Whoever read the output has gone: a quiet end, and no error.
    PipeClosed,
    /// Ctrl-C.
    Interrupted,
    /// Something to be said.
    Trouble(Box<Trouble>),
}

/// One sentence, what caused it, what to try.
#[derive(Debug)]
pub(super) struct Trouble {
    sentence: String,
    causes: Vec<String>,
    hints: Vec<String>,
    exit: Exit,
    /// The same as the protocol writes it.
    answer: Json,
}

impl Failure {
    /// Returns the failure of a request that was answered with an error.
    pub(super) fn answered(answer: Json, store: &str) -> Self {
        let text = |field: &str| answer["error"][field].as_str().unwrap_or_default().to_owned();
        let kind = ErrorKind::parse(&text("kind")).unwrap_or(ErrorKind::Internal);
        let trouble = Trouble {
            sentence: text("message"),
            causes: Vec::new(),
            hints: hint::of_code(&text("code"), store),
            exit: Exit::of(kind),
            answer,
        };
        Self::Trouble(Box::new(trouble))
    }

    /// Returns the failure of a run that could not go on.
    pub(super) fn run(error: &Error, store: &str) -> Self {
        Self::of(error, store, Exit::Failed)
    }

    /// Returns the failure of an operation of the library; its kind says how the run ends.
    pub(super) fn of_error(error: &Error, store: &str) -> Self {
        Self::of(error, store, Exit::of(error.kind()))
    }

    fn of(error: &Error, store: &str, exit: Exit) -> Self {
        let sentence = error.to_string();
        let mut causes = Vec::new();
        let mut last = sentence.clone();
        let mut next = error.source();
        while let Some(cause) = next {
            let text = cause.to_string();
            // A wrapper that says the same again is no news.
            if text != last {
                causes.push(text.clone());
                last = text;
            }
            next = cause.source();
        }
        let hints = hint::of_code(error.code(), store);
        let trouble = Trouble { sentence, causes, hints, exit, answer: print::error(error) };
        Self::Trouble(Box::new(trouble))
    }

    /// Returns the failure of a command line that clap let through.
    pub(super) fn usage(sentence: impl Into<String>) -> Self {
        let sentence = sentence.into();
        let answer = json!({"ok": false, "error": {"kind": "invalid", "code": "usage", "message": sentence}});
        Self::Trouble(Box::new(Trouble {
            sentence,
            causes: Vec::new(),
            hints: Vec::new(),
            exit: Exit::Failed,
            answer,
        }))
    }

    /// Returns the failure of a file or a stream.
    pub(super) fn io(act: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::PipeClosed;
        }
        let message = format!("{act}: {error}");
        let answer = json!({"ok": false, "error": {"kind": "unavailable", "code": "io", "message": message}});
        Self::Trouble(Box::new(Trouble {
            sentence: act.to_owned(),
            causes: vec![error.to_string()],
            hints: Vec::new(),
            exit: Exit::Failed,
            answer,
        }))
    }

    /// Adds something to try.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Self::Trouble(trouble) = &mut self {
            trouble.hints.push(hint.into());
        }
        self
    }

    /// Says what is wrong and returns how the run ends. With `json` the
    /// protocol's error is on standard output besides.
    pub(super) fn report(self, json: bool) -> Exit {
        let trouble = match self {
            Self::PipeClosed => return Exit::Fine,
            Self::Interrupted => return Exit::Interrupted,
            Self::Trouble(trouble) => trouble,
        };
        if json {
            // Where standard output has gone the sentence is still said.
            let _ = output::line(&trouble.answer.to_string());
        }
        output::complain("error", &trouble.sentence);
        for cause in &trouble.causes {
            output::complain("cause", cause);
        }
        for hint in &trouble.hints {
            output::complain("hint", hint);
        }
        trouble.exit
    }
}
