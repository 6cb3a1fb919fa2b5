//! minigraf, as its README says to use it: a file with its write-ahead log
//! synced on every commit, queries prepared once, a page cache that holds all.
//!
//! A supersession is a retraction, a fact over what is left, and the new fact,
//! each in a `transact` of its own: a retraction takes with it what is asserted
//! beside it, and two values of one attribute in one `transact` can read back
//! as one (its issue 371). Its `:as-of` counts these commits.

use std::collections::HashMap;
use std::path::Path;

use hitherto::time::Timestamp;
use minigraf::{BindValue, EntityId, Minigraf, OpenOptions, PreparedQuery, QueryResult, Value};

use crate::Outcome;
use crate::corpus::{Corpus, Point};

/// A database with the queries that are asked of it.
pub(crate) struct Graf {
    _database: Minigraf,
    as_of: PreparedQuery,
    holders: PreparedQuery,
    /// Each known instant with the count of the commit that completed it.
    stamps: Vec<(Timestamp, u64)>,
}

/// A point as minigraf takes it.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    valid_at: i64,
    count: u64,
}

impl Graf {
    /// Makes a database and writes a corpus.
    pub(crate) fn open(path: &Path, corpus: &Corpus) -> Outcome<Self> {
        let database = OpenOptions::new().page_cache_size(65_536).path(path).open()?;
        let mut held: HashMap<(usize, &str), (&str, Timestamp)> = HashMap::new();
        let mut stamps = Vec::new();
        for turn in &corpus.turns {
            let [mut gone, mut left, mut new] = [String::new(), String::new(), String::new()];
            for claim in &turn.claims {
                let (entity, key) =
                    (uuid::Uuid::from_u128(claim.entity as u128), claim.key.replace(' ', "-"));
                let triple = |value: &str| format!("#uuid \"{entity}\" :{key} \"{value}\"");
                let before = held.insert((claim.entity, &claim.key), (&claim.value, claim.from));
                if let Some((value, from)) = before {
                    gone.push_str(&format!("[{}]", triple(value)));
                    let period = format!("{{:valid-from \"{from}\" :valid-to \"{}\"}}", claim.from);
                    left.push_str(&format!("[{} {period}]", triple(value)));
                }
                new.push_str(&format!("[{} {{:valid-from \"{}\"}}]", triple(&claim.value), claim.from));
            }
            for (command, facts) in [("retract", gone), ("transact", left), ("transact", new)] {
                if !facts.is_empty() {
                    database.execute(&format!("({command} [{facts}])"))?;
                }
            }
            stamps.push((turn.known_at, database.current_tx_count()));
        }
        database.checkpoint()?;
        let as_of =
            database.prepare("(query [:find ?v :as-of $count :valid-at $at :where [$entity :status ?v]])")?;
        let holders =
            database.prepare("(query [:find ?e :as-of $count :valid-at $at :where [?e :city $value]])")?;
        Ok(Self { _database: database, as_of, holders, stamps })
    }

    /// Returns a point as minigraf takes it: milliseconds, and a count of commits.
    pub(crate) fn moment(&self, point: Point) -> Moment {
        let known = self.stamps.partition_point(|(known_at, _)| *known_at <= point.known_at);
        Moment {
            valid_at: point.valid_at.as_micros().div_euclid(1_000),
            count: known.checked_sub(1).map_or(0, |place| self.stamps[place].1),
        }
    }

    fn rows(result: QueryResult) -> Outcome<Vec<Value>> {
        match result {
            QueryResult::QueryResults { results, .. } => Ok(results.into_iter().flatten().collect()),
            _ => Err("a query of minigraf has no rows".into()),
        }
    }

    /// Reads the value of `status` of an entity.
    pub(crate) fn as_of(&self, entity: usize, at: Moment) -> Outcome<String> {
        let bindings = [
            ("count", BindValue::TxCount(at.count)),
            ("at", BindValue::Timestamp(at.valid_at)),
            ("entity", BindValue::Entity(EntityId::from_u128(entity as u128))),
        ];
        match &Self::rows(self.as_of.execute(&bindings)?)?[..] {
            [Value::String(value)] => Ok(value.clone()),
            other => Err(format!("minigraf answers {other:?} where one value is held").into()),
        }
    }

    /// Reads which entities have a city.
    pub(crate) fn holders(&self, city: &str, at: Moment) -> Outcome<Vec<usize>> {
        let bindings = [
            ("count", BindValue::TxCount(at.count)),
            ("at", BindValue::Timestamp(at.valid_at)),
            ("value", BindValue::Val(Value::String(city.to_owned()))),
        ];
        let rows = Self::rows(self.holders.execute(&bindings)?)?;
        let mut entities: Vec<usize> = rows
            .iter()
            .filter_map(Value::as_ref)
            .map(|id| usize::try_from(id.as_u128()))
            .collect::<Result<_, _>>()?;
        entities.sort_unstable();
        Ok(entities)
    }
}
