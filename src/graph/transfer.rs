//! Moving a store whole: out as JSON Lines, and into an empty one.
//!
//! ```text
//! {"hitherto":"export","format":1}
//! {"table":"fact","id":[…],"row":{…}}        one line a row, as docs/storage.md describes it
//! {"hitherto":"end","counts":{"fact":123,…}}
//! ```

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::{Map, Value as Json, json};

use tokio::sync::{Mutex, oneshot};

use super::Graph;
use super::sequencer::Request;
use crate::error::{Error, ErrorKind};
use crate::store::{Dump, Row, TABLES};

/// The format of an export.
const FORMAT: u64 = 1;
/// How many rows are written at once.
const BATCH: usize = 1_000;

/// What moving a store in brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// How many rows of each table.
    pub counts: BTreeMap<String, u64>,
}

/// The lines of an export as they are checked: rows, and what frames them.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    begins: bool,
    ends: Option<BTreeMap<String, u64>>,
    counts: BTreeMap<String, u64>,
    seen: std::collections::HashSet<u64>,
}

fn tables() -> impl Iterator<Item = &'static str> {
    TABLES.into_iter().chain(["replay", "imported"])
}

impl Manifest {
    /// Reads a line and checks it; the row that it holds, if it holds one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] for a line that is none of an export,
    /// [`ErrorKind::Incompatible`] for one of a format that is not known here.
    pub fn read(&mut self, line: Json) -> Result<Option<Row>, Error> {
        let invalid = |says: &str| Error::invalid("export_invalid", says.to_owned());
        let Json::Object(mut fields) = line else { return Err(invalid("it is no object")) };
        if let Some(word) = fields.remove("hitherto") {
            return self.frame(&word, &fields).map(|()| None);
        }
        let name = fields.remove("table");
        let table = name.as_ref().and_then(Json::as_str);
        let table = tables()
            .find(|known| Some(*known) == table)
            .ok_or_else(|| invalid("it names no table of a store"))?;
        let (Some(Json::Array(id)), Some(Json::Object(row))) = (fields.remove("id"), fields.remove("row"))
        else {
            return Err(invalid("it has no id or no row"));
        };
        if let Some(field) = fields.keys().next() {
            return Err(Error::invalid("unknown_field", format!("the field {field:?} is not known here"))
                .at_field(field));
        }
        let row = Row { table, id, fields: row };
        Dump::check(&row).map_err(|error| invalid(&error.to_string()))?;
        // A line that is there twice is one row.
        let mark = blake3::hash(format!("{table}{:?}", row.id).as_bytes());
        let mut short = [0; 8];
        short.copy_from_slice(&mark.as_bytes()[..8]);
        if self.seen.insert(u64::from_be_bytes(short)) {
            *self.counts.entry(table.to_owned()).or_default() += 1;
        }
        Ok(Some(row))
    }

    fn frame(&mut self, word: &Json, fields: &Map<String, Json>) -> Result<(), Error> {
        match word.as_str() {
            Some("export") => {
                let format = fields.get("format").and_then(Json::as_u64);
                if format != Some(FORMAT) {
                    let message = format!(
                        "the export has format {}, this version reads {FORMAT}",
                        fields.get("format").unwrap_or(&Json::Null)
                    );
                    return Err(Error::new(ErrorKind::Incompatible, "export_newer", message));
                }
                self.begins = true;
            }
            Some("end") => {
                let counts = fields.get("counts").and_then(Json::as_object).into_iter().flatten();
                self.ends =
                    Some(counts.filter_map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect());
            }
            _ => {
                return Err(Error::invalid(
                    "export_invalid",
                    "it is neither the first nor the last line of an export",
                ));
            }
        }
        Ok(())
    }

    /// Checks that the export was whole, and says what was in it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] where lines are missing.
    pub fn finish(self) -> Result<RestoreReport, Error> {
        if !self.begins {
            return Err(Error::invalid("export_invalid", "the file has no first line of an export"));
        }
        let Some(ends) = self.ends else {
            return Err(Error::invalid(
                "export_cut_short",
                "the file has no last line of an export: it was cut short",
            ));
        };
        let counted = |counts: &BTreeMap<String, u64>, table: &str| counts.get(table).copied().unwrap_or(0);
        for table in tables() {
            let (said, found) = (counted(&ends, table), counted(&self.counts, table));
            if said != found {
                let message = format!("the export says it has {said} rows of {table} and has {found}");
                return Err(Error::invalid("export_cut_short", message));
            }
        }
        Ok(RestoreReport { counts: self.counts })
    }
}

impl Graph {
    /// Writes everything that is stored as JSON Lines. Writes wait until it is
    /// done, reads do not.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store, or `output_failed` where the lines cannot be written.
    pub async fn export(&self, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let failed = |error: std::io::Error| {
            Error::new(
                ErrorKind::Unavailable,
                "output_failed",
                format!("the export cannot be written: {error}"),
            )
            .because(error)
        };
        let _pause = self.pause().await?;
        writeln!(out, "{}", json!({"hitherto": "export", "format": FORMAT})).map_err(failed)?;
        let mut counts = Map::new();
        for table in tables() {
            let mut count = 0_u64;
            loop {
                let page = self.inner.store.dump.page(table, count).await?;
                if page.is_empty() {
                    break;
                }
                for row in page {
                    count += 1;
                    writeln!(out, "{}", json!({"table": row.table, "id": row.id, "row": row.fields}))
                        .map_err(failed)?;
                }
            }
            counts.insert(table.to_owned(), json!(count));
        }
        writeln!(out, "{}", json!({"hitherto": "end", "counts": counts})).map_err(failed)?;
        out.flush().map_err(failed)
    }

    /// Stops the sequencer, once it has served what waits, for as long as what
    /// this returns is kept.
    async fn pause(&self) -> Result<oneshot::Sender<()>, Error> {
        let (begun, paused) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        self.queue(Request::Pause(Box::new(Mutex::new(Some((begun, ended)))))).await?;
        paused.await.map_err(|_| super::closed())?;
        Ok(end)
    }

    /// Begins to move rows into this store, which has to be empty.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Conflict`] where it is not.
    pub async fn begin_restore(&self) -> Result<Restore<'_>, Error> {
        let reader = &self.inner.store.reader;
        let is_empty = self.inner.published.newest().tx == 0
            && reader.count("entity").await? == 0
            && reader.policies().await?.is_empty();
        if !is_empty {
            return Err(Error::new(
                ErrorKind::Conflict,
                "store_not_empty",
                "an export is imported into an empty store only",
            ));
        }
        self.inner.store.dump.mark(true).await?;
        Ok(Restore { graph: self, rows: Vec::with_capacity(BATCH) })
    }
}

/// A store into which rows are being moved. Until [`finish`](Self::finish) the
/// store says of itself that it is not whole, and does not open.
pub struct Restore<'a> {
    graph: &'a Graph,
    rows: Vec<Row>,
}

impl Restore<'_> {
    /// Moves a row in.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn put(&mut self, row: Row) -> Result<(), Error> {
        self.rows.push(row);
        if self.rows.len() >= BATCH {
            let rows = std::mem::take(&mut self.rows);
            self.graph.inner.store.dump.write(&rows).await?;
        }
        Ok(())
    }

    /// Says that all rows are in, and goes on from there.
    ///
    /// # Errors
    ///
    /// An [`Error`] of the store.
    pub async fn finish(self) -> Result<(), Error> {
        self.graph.inner.store.dump.write(&self.rows).await?;
        self.graph.inner.store.dump.mark(false).await?;
        self.graph.inner.store.forget_reads();
        self.graph.ask(Request::Reload).await.map(|_| ())
    }
}
