//! What was typed.

use std::path::PathBuf;

use crate::Outcome;
use crate::size::Sizes;

/// What the binary is to do.
pub(crate) enum Task {
    /// Measure and print.
    Measure(Arguments),
    /// Open a store in a process of its own and say what that took; the parent asks for it.
    OpenStore(OpenStore),
}

/// What a child that opens a store is told.
pub(crate) struct OpenStore {
    /// `hitherto` or `bare`.
    pub(crate) engine: String,
    /// The directory of the store.
    pub(crate) directory: PathBuf,
    /// The bytes of the read cache.
    pub(crate) cache_bytes: usize,
    /// How many entities there are to read.
    pub(crate) entities: usize,
}

/// What is to be measured, and how long.
#[derive(Default)]
pub(crate) struct Arguments {
    quick: bool,
    million: bool,
    only: Option<Vec<String>>,
    /// Where the table goes as Markdown.
    pub(crate) markdown: Option<PathBuf>,
}

impl Arguments {
    /// Reads the arguments; cargo adds a `--bench` of its own.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Outcome<Task> {
        let mut arguments = Self::default();
        while let Some(word) = words.next() {
            let mut next = |what: &str| words.next().ok_or(format!("{word} needs {what}"));
            match word.as_str() {
                "--bench" => {}
                "--quick" => arguments.quick = true,
                "--million" => arguments.million = true,
                "--only" => {
                    let list = next("a list such as W1,W8")?;
                    arguments.only = Some(list.split(',').map(str::to_owned).collect());
                }
                "--markdown" => arguments.markdown = Some(next("a file")?.into()),
                "--open-store" => {
                    return Ok(Task::OpenStore(OpenStore {
                        engine: next("an engine")?,
                        directory: next("a directory")?.into(),
                        cache_bytes: next("the bytes of the cache")?.parse()?,
                        entities: next("a count")?.parse()?,
                    }));
                }
                other => return Err(format!("{other:?} is no argument of the benchmarks").into()),
            }
        }
        Ok(Task::Measure(arguments))
    }

    /// Whether a work is among those asked for.
    pub(crate) fn wants(&self, id: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|wanted| wanted.eq_ignore_ascii_case(id)))
    }

    /// Returns the sizes to measure at.
    pub(crate) fn sizes(&self) -> Sizes {
        let mut sizes = if self.quick { Sizes::quick() } else { Sizes::full() };
        if self.million {
            sizes.imports.push(1_000_000);
        }
        sizes
    }

    /// Returns the command line that repeats the run.
    pub(crate) fn spoken(&self) -> String {
        let mut spoken = "cargo bench --features peers --".to_owned();
        if self.quick {
            spoken.push_str(" --quick");
        }
        if self.million {
            spoken.push_str(" --million");
        }
        if let Some(only) = &self.only {
            spoken.push_str(&format!(" --only {}", only.join(",")));
        }
        spoken
    }
}
