//! SurrealDB alone, on the same tables with the same rows: what somebody would
//! write who had this layout and neither rules nor a cache.

use std::collections::BTreeMap;
use std::path::Path;

use hitherto::facts::Value;
use hitherto::time::Timestamp;
use surrealdb::Surreal;
use surrealdb::engine::any::{self, Any};
use surrealdb::types::{Array, Number, Object, RecordId, RecordIdKey, Value as Cell, Variables};

use crate::Outcome;
use crate::corpus::Point;
use crate::subject::KIND;

/// The tables, as Hitherto makes them.
const SCHEMA: &str = include_str!("../../schema/0001_tables.surql");
/// The tables whose rows stand for turns and facts.
pub(crate) const TABLES: [&str; 7] = ["entity", "fact", "holder", "inbound", "name", "turn", "outcome"];
/// Attributes lead the lines of an entity.
const ATTRIBUTE: i64 = 0;
const HEAD: i64 = 0;
const PAST: i64 = 1;

/// An open engine.
#[derive(Clone)]
pub(crate) struct Bare {
    db: Surreal<Any>,
}

/// Rows by table.
pub(crate) type Rows = BTreeMap<&'static str, Vec<Cell>>;

pub(crate) fn text(text: &str) -> Cell {
    Cell::String(text.to_owned())
}

pub(crate) fn int(number: i64) -> Cell {
    Cell::Number(Number::Int(number))
}

pub(crate) fn list(cells: Vec<Cell>) -> Cell {
    Cell::Array(Array::from(cells))
}

fn id(table: &str, parts: Vec<Cell>) -> Cell {
    Cell::RecordId(RecordId::new(table, Array::from(parts)))
}

/// Returns an object of the fields that are there.
fn object<const N: usize>(fields: [(&str, Option<Cell>); N]) -> Cell {
    let mut object = Object::new();
    for (name, cell) in fields {
        if let Some(cell) = cell {
            object.insert(name.to_owned(), cell);
        }
    }
    Cell::Object(object)
}

/// Returns the parts of the id of a row.
fn parts(row: &Cell) -> &[Cell] {
    match row {
        Cell::Object(row) => match row.get("id") {
            Some(Cell::RecordId(RecordId { key: RecordIdKey::Array(parts), .. })) => parts,
            _ => &[],
        },
        _ => &[],
    }
}

fn string(cell: Option<&Cell>) -> Outcome<String> {
    match cell {
        Some(Cell::String(text)) => Ok(text.clone()),
        other => Err(format!("{other:?} is no text").into()),
    }
}

fn number(cell: Option<&Cell>) -> Outcome<i64> {
    match cell {
        Some(Cell::Number(Number::Int(number))) => Ok(*number),
        other => Err(format!("{other:?} is no whole number").into()),
    }
}

fn field<'a>(row: &'a Cell, name: &str) -> Option<&'a Cell> {
    match row {
        Cell::Object(row) => row.get(name),
        _ => None,
    }
}

fn cells(cell: Cell) -> Vec<Cell> {
    match cell {
        Cell::Array(cells) => cells.into_vec(),
        Cell::None | Cell::Null => Vec::new(),
        cell => vec![cell],
    }
}

/// Whether one of the rectangles of a row holds a point.
fn is_at(row: &Cell, at: Point) -> bool {
    let Some(Cell::Array(corners)) = field(row, "at") else { return false };
    let corner = |cell: &Cell| match cell {
        Cell::Number(Number::Int(number)) => *number,
        _ => 0,
    };
    let (valid, known) = (at.valid_at.as_micros(), at.known_at.as_micros());
    corners.chunks(4).any(|corners| match corners {
        [a, b, c, d] => corner(a) <= valid && valid < corner(b) && corner(c) <= known && known < corner(d),
        _ => false,
    })
}

/// Returns the hash of a value as it stands in the ids of its holders.
fn value_key(value: &str) -> String {
    let hash = blake3::hash(&Value::text(value).canonical());
    hash.to_hex()[..32].to_owned()
}

impl Bare {
    /// Opens the engine's files in a directory.
    pub(crate) async fn open(data: &Path) -> Outcome<Self> {
        let db = any::connect(format!("surrealkv://{}?sync=every", data.display())).await?;
        db.use_ns("hitherto").use_db("main").await?;
        Ok(Self { db })
    }

    /// Makes an empty store with the tables.
    pub(crate) async fn make(data: &Path) -> Outcome<Self> {
        let bare = Self::open(data).await?;
        bare.ask(SCHEMA, Variables::new()).await?;
        Ok(bare)
    }

    async fn ask(&self, sql: &str, variables: Variables) -> Outcome<Vec<Cell>> {
        let mut answer = self.db.query(sql).bind(variables).await?.check()?;
        (0..answer.num_statements()).map(|statement| Ok(answer.take::<Cell>(statement)?)).collect()
    }

    async fn rows(&self, sql: &str, variables: Variables) -> Outcome<Vec<Cell>> {
        Ok(self.ask(sql, variables).await?.into_iter().flat_map(cells).collect())
    }

    fn slot(name: &str, key: &str) -> Variables {
        let mut variables = Variables::new();
        variables.insert("t", text(KIND));
        variables.insert("n", text(name));
        variables.insert("l", text(key));
        variables
    }

    /// Reads the value of a slot: one range.
    pub(crate) async fn current(&self, name: &str, key: &str, at: Point) -> Outcome<String> {
        let sql = "SELECT * FROM fact:[$t,$n,0,0,$l,NONE]..[$t,$n,0,0,$l,..]";
        let rows = self.rows(sql, Self::slot(name, key)).await?;
        string(rows.iter().find(|row| is_at(row, at)).and_then(|row| field(row, "value")))
    }

    /// Reads every attribute of an entity: one range.
    pub(crate) async fn profile(&self, name: &str, at: Point) -> Outcome<Vec<(String, String)>> {
        let mut variables = Variables::new();
        variables.insert("t", text(KIND));
        variables.insert("n", text(name));
        let rows = self.rows("SELECT * FROM fact:[$t,$n,0,NONE]..[$t,$n,0,..]", variables).await?;
        let held = rows.iter().filter(|row| is_at(row, at));
        held.map(|row| Ok((string(field(row, "key"))?, string(field(row, "value"))?))).collect()
    }

    /// Reads the value of a slot at a point: a range of its head, one of its past.
    pub(crate) async fn as_of(&self, name: &str, key: &str, at: Point) -> Outcome<String> {
        let sql = "SELECT * FROM fact:[$t,$n,0,0,$l,NONE]..[$t,$n,0,0,$l,..]; \
                   SELECT * FROM fact:[$t,$n,1,0,$l,NONE]..[$t,$n,1,0,$l,..]";
        let rows = self.rows(sql, Self::slot(name, key)).await?;
        string(rows.iter().find(|row| is_at(row, at)).and_then(|row| field(row, "value")))
    }

    /// Reads who has a value at a point: a range of the index, then the slots it leads to.
    pub(crate) async fn holders(&self, key: &str, value: &str, at: Point) -> Outcome<Vec<(String, String)>> {
        let mut variables = Variables::new();
        variables.insert("k", text(key));
        variables.insert("h", text(&value_key(value)));
        let sql = "SELECT id FROM holder:[$k,$h,NONE]..[$k,$h,..]";
        let mut entities = Vec::new();
        for row in self.rows(sql, variables).await? {
            let parts = parts(&row);
            entities.push((string(parts.get(3))?, string(parts.get(4))?));
        }
        entities.sort();
        entities.dedup();
        let mut variables = Variables::new();
        variables.insert("l", text(key));
        let mut sql = String::new();
        for (place, (kind, name)) in entities.iter().enumerate() {
            variables.insert(format!("t{place}"), text(kind));
            variables.insert(format!("n{place}"), text(name));
            for era in [HEAD, PAST] {
                sql.push_str(&format!(
                    "SELECT * FROM fact:[$t{place},$n{place},{era},{ATTRIBUTE},$l,NONE]\
                     ..[$t{place},$n{place},{era},{ATTRIBUTE},$l,..];"
                ));
            }
        }
        let mut holders = Vec::new();
        for row in self.rows(&sql, variables).await? {
            if is_at(&row, at) && string(field(&row, "value"))? == value {
                let parts = parts(&row);
                holders.push((string(parts.first())?, string(parts.get(1))?));
            }
        }
        holders.sort();
        holders.dedup();
        Ok(holders)
    }

    /// Inserts rows, all new, in one transaction.
    pub(crate) async fn insert(&self, rows: Rows) -> Outcome<()> {
        let mut sql = String::from("BEGIN;");
        let mut variables = Variables::new();
        for (table, rows) in rows {
            sql.push_str(&format!("INSERT INTO {table} ${table} RETURN NONE;"));
            variables.insert(table, list(rows));
        }
        sql.push_str("COMMIT;");
        self.ask(&sql, variables).await?;
        Ok(())
    }

    /// Reads every row, by the transaction that wrote it, of a store in which
    /// each entity was written by one.
    pub(crate) async fn rows_by_transaction(&self) -> Outcome<Vec<Rows>> {
        let mut turns: BTreeMap<i64, Rows> = BTreeMap::new();
        let mut wrote: BTreeMap<String, i64> = BTreeMap::new();
        // Facts first: they say which transaction wrote an entity.
        for table in ["fact", "turn", "outcome", "entity", "holder", "name"] {
            for row in self.rows(&format!("SELECT * FROM {table}"), Variables::new()).await? {
                let parts = parts(&row);
                let of = |name: String| wrote.get(&name).copied().ok_or("a row of nobody");
                let tx = match table {
                    "fact" => number(parts.get(5))?,
                    "turn" | "outcome" => number(parts.first())?,
                    "entity" => of(string(parts.get(1))?)?,
                    "holder" => of(string(parts.get(4))?)?,
                    _ => of(string(parts.first())?)?,
                };
                if table == "fact" {
                    wrote.insert(string(parts.get(1))?, tx);
                }
                turns.entry(tx).or_default().entry(table).or_default().push(row);
            }
        }
        Ok(turns.into_values().collect())
    }

    /// Counts the rows of a table.
    pub(crate) async fn count(&self, table: &str) -> Outcome<i64> {
        let rows = self.rows(&format!("SELECT count() FROM {table} GROUP ALL"), Variables::new()).await?;
        rows.first().map_or(Ok(0), |row| number(field(row, "count")))
    }

    /// Prints every row of the tables, the wall time of turns left out.
    pub(crate) async fn printed(&self) -> Outcome<Vec<String>> {
        let mut printed = Vec::new();
        for table in TABLES {
            for mut row in self.rows(&format!("SELECT * FROM {table}"), Variables::new()).await? {
                if let Cell::Object(row) = &mut row {
                    row.remove("wall");
                }
                printed.push(format!("{row:?}"));
            }
        }
        printed.sort();
        Ok(printed)
    }

    /// Reads everything there is of an entity's attributes: one range for each era.
    pub(crate) async fn everything(&self, name: &str) -> Outcome<usize> {
        let mut variables = Variables::new();
        variables.insert("t", text(KIND));
        variables.insert("n", text(name));
        Ok(self.rows("SELECT * FROM fact:[$t,$n,NONE]..[$t,$n,..]", variables).await?.len())
    }
}

/// One version of a slot, as its rows need it.
#[derive(Clone)]
struct Version {
    tx: i64,
    value: String,
    from: Timestamp,
    known: Timestamp,
    supersedes: Option<i64>,
    action: &'static str,
    reason: &'static str,
    raw: String,
}

/// A slot whose value is replaced again and again by hand.
pub(crate) struct Slot {
    name: String,
    key: String,
    rev: i64,
    past: i64,
    horizon: Option<Timestamp>,
    held: Option<Version>,
}

/// Who says what is written by hand.
pub(crate) struct Says<'a> {
    pub(crate) value: &'a str,
    pub(crate) raw: &'a str,
    pub(crate) known_at: Timestamp,
    /// Whether the known time was named.
    pub(crate) named: bool,
    pub(crate) tx: i64,
}

impl Slot {
    pub(crate) fn new(name: &str, key: &str) -> Self {
        Self { name: name.to_owned(), key: key.to_owned(), rev: 0, past: 0, horizon: None, held: None }
    }

    fn fact_id(&self, era: i64, tx: i64) -> Cell {
        let parts =
            [text(KIND), text(&self.name), int(era), int(ATTRIBUTE), text(&self.key), int(tx), int(0)];
        id("fact", parts.to_vec())
    }

    fn holder_id(&self, era: i64, value: &str) -> Cell {
        let parts = [text(&self.key), text(&value_key(value)), int(era), text(KIND), text(&self.name)];
        id("holder", parts.to_vec())
    }

    /// Returns the row of a version, and of its successor where it has one.
    fn fact(&self, version: &Version, next: Option<&Version>) -> Cell {
        let micros = |at: Timestamp| int(at.as_micros());
        let (from, known, open) = (version.from, version.known, Timestamp::OPEN);
        let corners = match next {
            None => vec![micros(from), micros(open), micros(known), micros(open)],
            Some(next) => {
                [from, next.from, known, open, next.from, open, known, next.known].map(micros).to_vec()
            }
        };
        let era = if next.is_some() { PAST } else { HEAD };
        let evidence = object([
            ("kind", Some(text("turn"))),
            ("name", Some(text("chat"))),
            ("raw", Some(text(&version.raw))),
            ("confidence", Some(Cell::Number(Number::Float(0.8)))),
            ("known", Some(micros(known))),
        ]);
        object([
            ("id", Some(self.fact_id(era, version.tx))),
            ("key", Some(text(&self.key))),
            ("value", Some(text(&version.value))),
            ("claimed", Some(list(vec![micros(from), micros(open)]))),
            ("at", Some(list(corners))),
            ("action", Some(text(version.action))),
            ("reason", Some(text(version.reason))),
            ("supersedes", version.supersedes.map(|tx| list(vec![int(tx), int(0)]))),
            ("by", next.map(|next| list(vec![int(next.tx), int(0), micros(next.known)]))),
            ("evidence", Some(list(vec![evidence]))),
        ])
    }

    /// Writes a new value in one transaction: the fact held goes to the past,
    /// the new one to the head, each with its row in the index; the turn with
    /// its outcome; and the guard of the entity, which fails a stale write.
    pub(crate) async fn replace(&mut self, bare: &Bare, says: &Says<'_>) -> Outcome<()> {
        let before = self.held.clone();
        let supersedes = before.as_ref().map(|before| before.tx);
        let (action, reason) = match before {
            None => ("ADD", "new_value"),
            Some(_) => ("SUPERSEDE", "newer_value"),
        };
        let version = Version {
            tx: says.tx,
            value: says.value.to_owned(),
            from: says.known_at,
            known: says.known_at,
            supersedes,
            action,
            reason,
            raw: says.raw.to_owned(),
        };
        self.rev += 1;
        let mut variables = Variables::new();
        let mut sql = String::from("BEGIN;");
        let mut facts = vec![self.fact(&version, None)];
        let mut holders = vec![object([("id", Some(self.holder_id(HEAD, says.value)))])];
        if let Some(before) = &before {
            sql.push_str("DELETE $gone RETURN NONE;");
            let gone = vec![self.fact_id(HEAD, before.tx), self.holder_id(HEAD, &before.value)];
            variables.insert("gone", list(gone));
            facts.push(self.fact(before, Some(&version)));
            holders.push(object([("id", Some(self.holder_id(PAST, &before.value)))]));
            self.past += 1;
            self.horizon = Some(says.known_at);
        }
        let micros = |at: Timestamp| int(at.as_micros());
        let outcome = object([
            ("i", Some(int(0))),
            ("action", Some(text(action))),
            ("reason", Some(text(reason))),
            ("about", Some(list(vec![text(KIND), text(&self.name)]))),
            ("kind", Some(text("attribute"))),
            ("key", Some(text(&self.key))),
            ("policy", Some(int(0))),
            ("fact", Some(list(vec![int(says.tx), int(0)]))),
            ("wrote", Some(list(vec![int(says.tx), int(0)]))),
            ("status", Some(text("ACTIVE"))),
            ("superseded", supersedes.map(|tx| list(vec![int(tx), int(0)]))),
        ]);
        let turn = object([
            ("id", Some(id("turn", vec![int(says.tx)]))),
            ("known", Some(micros(says.known_at))),
            ("wall", Some(micros(says.known_at))),
            ("kind", Some(text("turn"))),
            ("outcomes", Some(int(1))),
            ("imported", says.named.then_some(Cell::Bool(true))),
            ("list", Some(list(vec![outcome]))),
        ]);
        let entity = object([
            ("id", Some(id("entity", vec![text(KIND), text(&self.name)]))),
            ("display", Some(text(&self.name))),
            ("rev", Some(int(self.rev))),
            ("seen", Some(micros(says.known_at))),
            ("past", Some(int(self.past))),
            ("events", Some(int(0))),
            ("doubts", Some(int(0))),
            ("horizon", self.horizon.map(micros)),
        ]);
        for (table, rows) in [("fact", facts), ("turn", vec![turn]), ("holder", holders)] {
            sql.push_str(&format!("INSERT INTO {table} ${table} RETURN NONE;"));
            variables.insert(table, list(rows));
        }
        if self.rev == 1 {
            let name = object([("id", Some(id("name", vec![text(&self.name), text(KIND)])))]);
            sql.push_str("INSERT INTO name $name RETURN NONE;INSERT INTO entity $entity RETURN NONE;");
            variables.insert("name", name);
        } else {
            sql.push_str("UPDATE $entity.id CONTENT $entity RETURN NONE;");
        }
        variables.insert("entity", entity);
        sql.push_str("COMMIT;");
        bare.ask(&sql, variables).await?;
        self.held = Some(version);
        Ok(())
    }
}
