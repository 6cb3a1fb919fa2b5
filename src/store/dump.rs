//! Rows as they stand, for moving a store whole.

use std::sync::Arc;

use serde_json::{Map, Number as JsonNumber, Value as Json};
use surrealdb::types::{Array, Number, Object, RecordId, RecordIdKey, Value as Cell, Variables};

use super::engine::{Engine, StoreError, StoreErrorKind};
use super::record::{RowBuilder, count, id, int, list, text};
use super::row::{row_fact, row_uncertainty};
use super::rows::{DecisionRow, MessageRow, OutcomeRow, PolicyRow, ReplayRow, TurnRow};

/// The tables that make up a store, those that others lean on first.
pub(crate) const TABLES: [&str; 12] = [
    "policy",
    "turn",
    "outcome",
    "entity",
    "name",
    "fact",
    "holder",
    "inbound",
    "uncertainty",
    "doubt",
    "decision",
    "message",
];

/// How many rows are read at once: skipping costs about a microsecond a row.
const PAGE: usize = 5_000;
/// How many rows are written at once: the engine's cost of a row is flat up to there.
const BATCH: usize = 1_000;

/// A row of some table: its id and its fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The table.
    pub table: &'static str,
    /// The parts of the id.
    pub id: Vec<Json>,
    /// The fields.
    pub fields: Map<String, Json>,
}

/// Moves rows in and out as they stand.
pub(crate) struct Dump {
    engine: Arc<Engine>,
}

impl Dump {
    pub(super) fn new(engine: Arc<Engine>) -> Self {
        Self { engine }
    }

    /// Reads a page of a table. Whoever pages sees to it that nothing is
    /// written meanwhile: pages are told apart by how many rows came before.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn page(&self, table: &'static str, before: u64) -> Result<Vec<Row>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("s", count(before));
        variables.insert("l", int(i64::try_from(PAGE).unwrap_or(i64::MAX)));
        // A table is read page by page only without a range: with one, the
        // engine reads to its end whatever the limit.
        let sql = format!("SELECT * FROM {table} LIMIT $l START $s");
        let answer = self.engine.query(&sql, variables).await?.into_iter().next().unwrap_or_default();
        let Cell::Array(rows) = answer else { return Ok(Vec::new()) };
        rows.into_vec().into_iter().map(|row| printed(table, row)).collect()
    }

    /// Says of a row whether it could be read back.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] that says what is wrong with it.
    pub(crate) fn check(row: &Row) -> Result<(), StoreError> {
        let cell = row_cell(row)?;
        match row.table {
            "fact" => row_fact(cell).map(|_| ()),
            "uncertainty" => row_uncertainty(cell).map(|_| ()),
            "turn" => TurnRow::read(cell).map(|_| ()),
            "outcome" => OutcomeRow::read_chunk(cell).map(|_| ()),
            "policy" => PolicyRow::read(cell).map(|_| ()),
            "message" => MessageRow::read(cell).map(|_| ()),
            "decision" => DecisionRow::read(cell).map(|_| ()),
            "replay" | "imported" => ReplayRow::read(cell).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Writes rows; one that is there already stays as it is.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn write(&self, rows: &[Row]) -> Result<(), StoreError> {
        for page in rows.chunks(BATCH) {
            let mut sql = String::from("BEGIN;");
            let mut variables = Variables::new();
            for table in TABLES.into_iter().chain(["replay", "imported"]) {
                let of: Vec<Cell> =
                    page.iter().filter(|row| row.table == table).map(row_cell).collect::<Result<_, _>>()?;
                if !of.is_empty() {
                    sql.push_str(&format!("INSERT IGNORE INTO {table} ${table} RETURN NONE;"));
                    variables.insert(table, list(of));
                }
            }
            sql.push_str("COMMIT;");
            self.engine.query(&sql, variables).await?;
        }
        Ok(())
    }

    /// Says that rows are being moved in, or that all of them are.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn mark(&self, under_way: bool) -> Result<(), StoreError> {
        let mark = id("meta", vec![text("restore")]);
        let mut variables = Variables::new();
        let sql = if under_way {
            variables.insert("mark", list(vec![RowBuilder::new(mark).build()]));
            "INSERT IGNORE INTO meta $mark RETURN NONE"
        } else {
            variables.insert("mark", Cell::RecordId(mark));
            "DELETE $mark RETURN NONE"
        };
        self.engine.query(sql, variables).await.map(|_| ())
    }

    /// Refuses a store into which rows were moved only in part.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] where that is so.
    pub(crate) async fn refuse_half(&self) -> Result<(), StoreError> {
        let mut variables = Variables::new();
        variables.insert("mark", Cell::RecordId(id("meta", vec![text("restore")])));
        let found = self.engine.query("SELECT * FROM $mark", variables).await?;
        match found.into_iter().next() {
            Some(Cell::Array(rows)) if !rows.is_empty() => Err(StoreError::new(
                StoreErrorKind::Corrupt,
                "an import of an export into this store was cut short: import it again into a new directory",
            )),
            _ => Ok(()),
        }
    }
}

fn row_cell(row: &Row) -> Result<Cell, StoreError> {
    let parts = row.id.iter().cloned().map(cell).collect::<Result<Vec<_>, _>>()?;
    let mut object = Object::new();
    object.insert("id".to_owned(), Cell::RecordId(id(row.table, parts)));
    for (name, value) in &row.fields {
        object.insert(name.clone(), cell(value.clone())?);
    }
    Ok(Cell::Object(object))
}

fn printed(table: &'static str, row: Cell) -> Result<Row, StoreError> {
    let Cell::Object(mut object) = row else {
        return Err(StoreError::corrupt("a row is no object"));
    };
    let Some(Cell::RecordId(RecordId { key: RecordIdKey::Array(parts), .. })) = object.remove("id") else {
        return Err(StoreError::corrupt("the id of a row is no list"));
    };
    let id = parts.into_vec().into_iter().map(json).collect::<Result<_, _>>()?;
    let fields =
        object.into_iter().map(|(name, cell)| Ok((name, json(cell)?))).collect::<Result<_, StoreError>>()?;
    Ok(Row { table, id, fields })
}

fn json(cell: Cell) -> Result<Json, StoreError> {
    Ok(match cell {
        Cell::Bool(b) => Json::Bool(b),
        Cell::Number(Number::Int(n)) => Json::Number(n.into()),
        Cell::Number(Number::Float(x)) => Json::Number(
            JsonNumber::from_f64(x).ok_or_else(|| StoreError::corrupt("a number is not finite"))?,
        ),
        Cell::String(text) => Json::String(text),
        Cell::Array(items) => Json::Array(items.into_vec().into_iter().map(json).collect::<Result<_, _>>()?),
        Cell::Object(members) => Json::Object(
            members
                .into_iter()
                .map(|(name, cell)| Ok((name, json(cell)?)))
                .collect::<Result<_, StoreError>>()?,
        ),
        _ => return Err(StoreError::corrupt("a row holds what no row may hold")),
    })
}

fn cell(value: Json) -> Result<Cell, StoreError> {
    Ok(match value {
        Json::Null => return Err(StoreError::corrupt("a row holds null")),
        Json::Bool(b) => Cell::Bool(b),
        Json::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(n), _) => int(n),
            (None, Some(x)) => Cell::Number(Number::Float(x)),
            (None, None) => return Err(StoreError::corrupt("a number cannot be held")),
        },
        Json::String(text) => Cell::String(text),
        Json::Array(items) => {
            Cell::Array(Array::from(items.into_iter().map(cell).collect::<Result<Vec<_>, _>>()?))
        }
        Json::Object(members) => {
            let mut object = Object::new();
            for (name, value) in members {
                object.insert(name, cell(value)?);
            }
            Cell::Object(object)
        }
    })
}
