//! `hitherto export`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::surfaces::cli::arguments::Globals;
use crate::surfaces::cli::exit::Exit;
use crate::surfaces::cli::failure::Failure;
use crate::surfaces::cli::output;
use crate::surfaces::cli::session::Session;
use crate::surfaces::export;

/// Write the whole store as JSON Lines
///
/// Complete, with all that was ever believed; `hitherto import --format export`
/// reads it into an empty store. A file appears under its name once it is
/// whole; one whose name ends in .gz is compressed.
#[derive(Args, Debug)]
pub(in crate::surfaces::cli) struct Export {
    /// The file to write [default: standard output]
    file: Option<PathBuf>,
}

impl Export {
    pub(in crate::surfaces::cli) async fn run(&self, globals: &Globals) -> Result<Exit, Failure> {
        let session = Session::open(globals, false).await?;
        let exit = match self.file.as_deref().filter(|file| file.as_os_str() != "-") {
            Some(file) => to_file(&session, file).await,
            None => to_stream(&session).await,
        };
        session.close(exit).await
    }
}

async fn to_stream(session: &Session) -> Result<Exit, Failure> {
    let mut out = Watched { out: output::stream(), trouble: None };
    written(session, &mut out, "cannot write to standard output").await?;
    out.flush().map_err(|error| Failure::io("cannot write to standard output", &error))?;
    Ok(Exit::Fine)
}

async fn to_file(session: &Session, file: &Path) -> Result<Exit, Failure> {
    let act = format!("cannot write {}", file.display());
    let fresh = PathBuf::from(format!("{}.part", file.display()));
    let trouble = |error: io::Error| Failure::io(&act, &error);
    let inner = BufWriter::new(File::create(&fresh).map_err(trouble)?);
    let done = async {
        if file.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz")) {
            let mut out = Watched { out: GzEncoder::new(inner, Compression::default()), trouble: None };
            written(session, &mut out, &act).await?;
            settle(out.out.finish().map_err(trouble)?).map_err(trouble)
        } else {
            let mut out = Watched { out: inner, trouble: None };
            written(session, &mut out, &act).await?;
            settle(out.out).map_err(trouble)
        }
    };
    let done = done.await.and_then(|()| fs::rename(&fresh, file).map_err(trouble));
    if done.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    done.map(|()| Exit::Fine)
}

fn settle(out: BufWriter<File>) -> io::Result<()> {
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

async fn written<W: Write + Send>(session: &Session, out: &mut Watched<W>, act: &str) -> Result<(), Failure> {
    export(&session.graph, out).await.map_err(|error| match out.trouble.take() {
        // What went wrong with the stream says more than what the library made of it.
        Some(trouble) => Failure::io(act, &trouble),
        None => session.failure(&error),
    })
}

/// A stream that remembers what went wrong with it.
struct Watched<W> {
    out: W,
    trouble: Option<io::Error>,
}

impl<W: Write> Watched<W> {
    fn watch<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        done.inspect_err(|error| self.trouble = Some(io::Error::new(error.kind(), error.to_string())))
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.watch(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.watch(done)
    }
}
