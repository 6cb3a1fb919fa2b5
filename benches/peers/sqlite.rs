//! Bitemporal tables in SQLite, as somebody who knows it would make them by hand:
//! write-ahead log, `synchronous = FULL`, clustered tables whose key order lets
//! a point read stop at its first hit, covering indexes for profiles and
//! holders, statements prepared once.
//!
//! A row is a rectangle. A supersession closes the known period of the row held,
//! puts in what is left of its valid period, and puts in the new row.

use std::path::Path;

use hitherto::time::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Statement, params};

use crate::Outcome;
use crate::corpus::{Corpus, Point};
use crate::subject::KIND;

const SCHEMA: &str = "
CREATE TABLE entity (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (type, name)
);
CREATE TABLE fact (
    entity INTEGER NOT NULL,
    key TEXT NOT NULL,
    valid_from INTEGER NOT NULL,
    known_from INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    known_until INTEGER NOT NULL,
    value TEXT NOT NULL,
    confidence REAL NOT NULL,
    tx INTEGER NOT NULL,
    PRIMARY KEY (entity, key, valid_from DESC, known_from DESC)
) WITHOUT ROWID;
-- What is believed and has not ended: all that a profile of now looks at.
CREATE INDEX fact_head ON fact (entity, valid_until, key, valid_from, value)
    WHERE known_until = 9223372036854775807;
CREATE INDEX fact_value ON fact (key, value, valid_from, valid_until, known_from, known_until);
CREATE TABLE relation (
    subject INTEGER NOT NULL,
    label TEXT NOT NULL,
    object INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    known_from INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    known_until INTEGER NOT NULL,
    tx INTEGER NOT NULL,
    PRIMARY KEY (subject, label, object, valid_from, known_from)
) WITHOUT ROWID;
CREATE TABLE evidence (
    entity INTEGER NOT NULL,
    key TEXT NOT NULL,
    tx INTEGER NOT NULL,
    source_kind TEXT NOT NULL,
    source_name TEXT NOT NULL,
    reference TEXT,
    raw TEXT,
    confidence REAL NOT NULL,
    known_from INTEGER NOT NULL,
    PRIMARY KEY (entity, key, tx)
) WITHOUT ROWID;
CREATE TABLE turn (tx INTEGER PRIMARY KEY, known_at INTEGER NOT NULL, wall INTEGER NOT NULL, outcome TEXT NOT NULL);
";

const FOREVER: i64 = i64::MAX;

/// A database.
pub(crate) struct Sqlite {
    connection: Connection,
}

/// The statements that read.
pub(crate) struct Reads<'c> {
    current: Statement<'c>,
    profile: Statement<'c>,
    as_of: Statement<'c>,
    holders: Statement<'c>,
    walk: Statement<'c>,
}

/// The statements that write.
pub(crate) struct Writes<'c> {
    connection: &'c Connection,
    begin: Statement<'c>,
    commit: Statement<'c>,
    entity: Statement<'c>,
    new_entity: Statement<'c>,
    held: Statement<'c>,
    close: Statement<'c>,
    fact: Statement<'c>,
    evidence: Statement<'c>,
    turn: Statement<'c>,
    relation: Statement<'c>,
    unbelieve: Statement<'c>,
    tx: i64,
}

/// What somebody says about a key.
pub(crate) struct Said<'a> {
    pub(crate) name: &'a str,
    pub(crate) key: &'a str,
    pub(crate) value: &'a str,
    pub(crate) from: Timestamp,
    pub(crate) confidence: f64,
    pub(crate) source: (&'a str, &'a str),
    pub(crate) reference: Option<&'a str>,
    pub(crate) raw: Option<&'a str>,
}

/// A relation over some valid time.
pub(crate) struct Related<'a> {
    pub(crate) subject: &'a str,
    pub(crate) label: &'a str,
    pub(crate) object: &'a str,
    pub(crate) from: Timestamp,
    pub(crate) until: Timestamp,
}

/// An edge of a walk: subject, object, how far away the object is along it.
pub(crate) type Edge = (String, String, u32);

impl Sqlite {
    /// Opens a database as any program would.
    pub(crate) fn open(path: &Path) -> Outcome<Self> {
        Self::set_up(Connection::open(path)?)
    }

    /// Opens a database that no other process is to look into while it is open:
    /// no read asks for a lock.
    pub(crate) fn open_exclusive(path: &Path) -> Outcome<Self> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        Self::set_up(connection)
    }

    fn set_up(connection: Connection) -> Outcome<Self> {
        // Without it the bundled build, which keeps samples of indexes, plans a
        // statement anew whenever another value is bound: 20 µs in place of 2.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "cache_size", -262_144)?;
        connection.execute_batch(SCHEMA)?;
        Ok(Self { connection })
    }

    /// Writes a corpus, a transaction for each turn.
    pub(crate) fn load(&self, corpus: &Corpus) -> Outcome<()> {
        let mut writes = self.writes()?;
        for turn in &corpus.turns {
            let said = turn.claims.iter().map(|claim| Said {
                name: &corpus.names[claim.entity],
                key: &claim.key,
                value: &claim.value,
                from: claim.from,
                confidence: 1.0,
                source: ("upsert", "bench"),
                reference: None,
                raw: None,
            });
            writes.turn(turn.known_at, said)?;
        }
        self.settle()
    }

    /// Does what a database at rest has had done to it.
    pub(crate) fn settle(&self) -> Outcome<()> {
        self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); ANALYZE;")?;
        Ok(())
    }

    pub(crate) fn reads(&self) -> Outcome<Reads<'_>> {
        let prepare = |sql: &str| self.connection.prepare(sql);
        Ok(Reads {
            current: prepare(
                "SELECT f.value FROM entity e JOIN fact f ON f.entity = e.id \
                 WHERE e.type = ?1 AND e.name = ?2 AND f.key = ?3 AND f.valid_from <= ?4 \
                 AND f.valid_until > ?4 AND f.known_until = 9223372036854775807 \
                 ORDER BY f.valid_from DESC, f.known_from DESC LIMIT 1",
            )?,
            profile: prepare(
                "SELECT f.key, f.value FROM entity e JOIN fact f INDEXED BY fact_head ON f.entity = e.id \
                 WHERE e.type = ?1 AND e.name = ?2 AND f.valid_until > ?3 AND f.valid_from <= ?3 \
                 AND f.known_until = 9223372036854775807",
            )?,
            as_of: prepare(
                "SELECT f.value FROM entity e JOIN fact f ON f.entity = e.id \
                 WHERE e.type = ?1 AND e.name = ?2 AND f.key = ?3 AND f.valid_from <= ?4 \
                 AND f.valid_until > ?4 AND f.known_from <= ?5 AND f.known_until > ?5 \
                 ORDER BY f.valid_from DESC, f.known_from DESC LIMIT 1",
            )?,
            holders: prepare(
                "SELECT e.type, e.name FROM fact f INDEXED BY fact_value JOIN entity e ON e.id = f.entity \
                 WHERE f.key = ?1 AND f.value = ?2 AND f.valid_from <= ?3 AND f.valid_until > ?3 \
                 AND f.known_from <= ?4 AND f.known_until > ?4",
            )?,
            walk: prepare(
                "WITH RECURSIVE edge (subject, object, depth) AS ( \
                   SELECT r.subject, r.object, 1 FROM entity e JOIN relation r ON r.subject = e.id \
                    WHERE e.type = ?1 AND e.name = ?2 AND r.label = ?3 AND r.valid_from <= ?5 \
                      AND r.valid_until > ?5 AND r.known_from <= ?6 AND r.known_until > ?6 \
                   UNION \
                   SELECT r.subject, r.object, w.depth + 1 FROM edge w JOIN relation r ON r.subject = w.object \
                    WHERE w.depth < ?4 AND r.label = ?3 AND r.valid_from <= ?5 AND r.valid_until > ?5 \
                      AND r.known_from <= ?6 AND r.known_until > ?6) \
                 SELECT s.name, o.name, MIN(w.depth) FROM edge w JOIN entity s ON s.id = w.subject \
                   JOIN entity o ON o.id = w.object GROUP BY w.subject, w.object",
            )?,
        })
    }

    pub(crate) fn writes(&self) -> Outcome<Writes<'_>> {
        let prepare = |sql: &str| self.connection.prepare(sql);
        Ok(Writes {
            connection: &self.connection,
            begin: prepare("BEGIN IMMEDIATE")?,
            commit: prepare("COMMIT")?,
            entity: prepare("SELECT id FROM entity WHERE type = ?1 AND name = ?2")?,
            new_entity: prepare("INSERT INTO entity (type, name) VALUES (?1, ?2)")?,
            held: prepare(
                "SELECT valid_from, known_from, valid_until, value, confidence, tx FROM fact \
                 WHERE entity = ?1 AND key = ?2 AND valid_from <= ?3 AND valid_until > ?3 \
                 AND known_until = 9223372036854775807 ORDER BY valid_from DESC, known_from DESC LIMIT 1",
            )?,
            close: prepare(
                "UPDATE fact SET known_until = ?5 \
                 WHERE entity = ?1 AND key = ?2 AND valid_from = ?3 AND known_from = ?4",
            )?,
            fact: prepare(
                "INSERT INTO fact (entity, key, valid_from, valid_until, known_from, known_until, value, \
                 confidence, tx) VALUES (?1, ?2, ?3, ?4, ?5, 9223372036854775807, ?6, ?7, ?8)",
            )?,
            evidence: prepare(
                "INSERT INTO evidence (entity, key, tx, source_kind, source_name, reference, raw, confidence, \
                 known_from) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?,
            turn: prepare("INSERT INTO turn (tx, known_at, wall, outcome) VALUES (?1, ?2, ?2, ?3)")?,
            relation: prepare(
                "INSERT INTO relation (subject, label, object, valid_from, valid_until, known_from, \
                 known_until, tx) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 9223372036854775807, ?7)",
            )?,
            unbelieve: prepare(
                "UPDATE relation SET known_until = ?4 WHERE subject = ?1 AND label = ?2 AND object = ?3 \
                 AND known_until = 9223372036854775807",
            )?,
            tx: 0,
        })
    }
}

impl Reads<'_> {
    pub(crate) fn current(&mut self, name: &str, key: &str, now: i64) -> Outcome<String> {
        Ok(self.current.query_row(params![KIND, name, key, now], |row| row.get(0))?)
    }

    pub(crate) fn profile(&mut self, name: &str, now: i64) -> Outcome<Vec<(String, String)>> {
        let rows = self.profile.query_map(params![KIND, name, now], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(crate) fn as_of(&mut self, name: &str, key: &str, at: Point) -> Outcome<String> {
        let parameters = params![KIND, name, key, at.valid_at.as_micros(), at.known_at.as_micros()];
        Ok(self.as_of.query_row(parameters, |row| row.get(0))?)
    }

    pub(crate) fn holders(&mut self, key: &str, value: &str, at: Point) -> Outcome<Vec<(String, String)>> {
        let parameters = params![key, value, at.valid_at.as_micros(), at.known_at.as_micros()];
        let rows = self.holders.query_map(parameters, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut holders: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
        holders.sort();
        Ok(holders)
    }

    pub(crate) fn walk(&mut self, name: &str, label: &str, depth: u32, at: Point) -> Outcome<Vec<Edge>> {
        let (valid, known) = (at.valid_at.as_micros(), at.known_at.as_micros());
        let rows = self.walk.query_map(params![KIND, name, label, depth, valid, known], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Writes<'_> {
    fn entity(&mut self, name: &str) -> Outcome<i64> {
        let found = self.entity.query_row(params![KIND, name], |row| row.get(0));
        match found {
            Ok(id) => Ok(id),
            Err(rusqlite::Error::QueryReturnedNoRows) => {
                self.new_entity.execute(params![KIND, name])?;
                Ok(self.connection.last_insert_rowid())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reconciles some claims in one transaction: each takes the place of what
    /// differs from it, unless that is held with more confidence.
    pub(crate) fn turn<'a>(
        &mut self,
        known_at: Timestamp,
        said: impl Iterator<Item = Said<'a>>,
    ) -> Outcome<()> {
        self.begin.execute([])?;
        self.tx += 1;
        let mut outcome = String::new();
        for said in said {
            let action = self.reconcile(known_at, &said)?;
            if outcome.is_empty() {
                outcome = format!("{action} {} {}", said.name, said.key);
            }
        }
        self.turn.execute(params![self.tx, known_at.as_micros(), outcome])?;
        self.commit.execute([])?;
        Ok(())
    }

    fn reconcile(&mut self, known_at: Timestamp, said: &Said<'_>) -> Outcome<&'static str> {
        let entity = self.entity(said.name)?;
        let (known, from) = (known_at.as_micros(), said.from.as_micros());
        let held: Result<(i64, i64, i64, String, f64, i64), _> =
            self.held.query_row(params![entity, said.key, from], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
            });
        let mut until = FOREVER;
        let action = match held {
            Err(rusqlite::Error::QueryReturnedNoRows) => "ADD",
            Err(error) => return Err(error.into()),
            Ok((_, _, _, value, ..)) if value == said.value => return Ok("DEDUP"),
            Ok((.., confidence, _)) if confidence > said.confidence => return Ok("FLAG"),
            Ok((held_from, held_known, held_until, value, confidence, tx)) => {
                until = held_until;
                self.close.execute(params![entity, said.key, held_from, held_known, known])?;
                if held_from < from {
                    let left = params![entity, said.key, held_from, from, known, value, confidence, tx];
                    self.fact.execute(left)?;
                }
                "SUPERSEDE"
            }
        };
        let new = params![entity, said.key, from, until, known, said.value, said.confidence, self.tx];
        self.fact.execute(new)?;
        let (kind, name) = said.source;
        self.evidence.execute(params![
            entity,
            said.key,
            self.tx,
            kind,
            name,
            said.reference,
            said.raw,
            said.confidence,
            known
        ])?;
        Ok(action)
    }

    /// Writes relations, and ends the belief in others, in one transaction.
    pub(crate) fn relate<'a>(
        &mut self,
        known_at: Timestamp,
        related: impl Iterator<Item = Related<'a>>,
        wrong: impl Iterator<Item = Related<'a>>,
    ) -> Outcome<()> {
        self.begin.execute([])?;
        self.tx += 1;
        let known = known_at.as_micros();
        for edge in related {
            let (subject, object) = (self.entity(edge.subject)?, self.entity(edge.object)?);
            let (from, until) = (edge.from.as_micros(), edge.until.as_micros());
            self.relation.execute(params![subject, edge.label, object, from, until, known, self.tx])?;
        }
        for edge in wrong {
            let (subject, object) = (self.entity(edge.subject)?, self.entity(edge.object)?);
            self.unbelieve.execute(params![subject, edge.label, object, known])?;
        }
        self.turn.execute(params![self.tx, known, "relations"])?;
        self.commit.execute([])?;
        Ok(())
    }
}
