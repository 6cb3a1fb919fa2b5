//! Reads: one engine call for one range, kept in the cache.

use std::collections::HashSet;
use std::sync::Arc;

use surrealdb::types::{Value as Cell, Variables};

use super::cache::{Cache, EntityUnit, Era, Key, Unit, on_line, sort_facts};
use super::engine::{Engine, StoreError};
use super::record::{RowReader, int, text};
use super::row::{kind_number, row_fact, row_uncertainty};
use crate::facts::{Fact, Line, Uncertainty, UncertaintyId, Value};
use crate::identity::{EntityId, EntityType, Folding, Name};
use crate::time::Timestamp;

/// How many ranges are asked for in one call: so many that the call stays short
/// and its text small.
const BATCH: usize = 64;

/// An entity of the roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RollRow {
    /// Who.
    pub(crate) entity: EntityId,
    /// The name as first written.
    pub(crate) display: Arc<str>,
}

/// Reads rows, through the cache.
#[derive(Clone)]
pub(crate) struct Reader {
    pub(super) engine: Arc<Engine>,
    cache: Arc<Cache>,
}

/// The hash under which holders of a value are found.
pub(super) fn value_hash(value: &Value) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&blake3::hash(&value.canonical()).as_bytes()[..16]);
    short
}

/// Returns the hash of a value as it stands in the ids of the index.
#[must_use]
pub(crate) fn value_key(value: &Value) -> String {
    hash_text(value_hash(value))
}

/// Returns a hash as it stands in ids.
pub(super) fn hash_text(hash: [u8; 16]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn entity_variables(entity: &EntityId) -> Variables {
    let mut variables = Variables::new();
    variables.insert("t", text(entity.kind.as_str()));
    variables.insert("n", text(entity.name.as_str()));
    variables
}

pub(super) fn rows(cell: Cell) -> Vec<Cell> {
    match cell {
        Cell::Array(rows) => rows.into_vec(),
        Cell::None | Cell::Null => Vec::new(),
        row => vec![row],
    }
}

fn facts(cell: Cell) -> Result<Vec<Arc<Fact>>, StoreError> {
    rows(cell).into_iter().map(|row| row_fact(row).map(|(fact, _)| Arc::new(fact))).collect()
}

impl Reader {
    pub(super) fn new(engine: Arc<Engine>, cache: Arc<Cache>) -> Self {
        Self { engine, cache }
    }

    pub(super) async fn one(&self, sql: &str, variables: Variables) -> Result<Cell, StoreError> {
        Ok(self.engine.query(sql, variables).await?.into_iter().next().unwrap_or_default())
    }

    /// Reads an entity and its head: one call when cold, none when warm.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine, as of every read.
    pub(crate) async fn entity(&self, entity: &EntityId) -> Result<Arc<EntityUnit>, StoreError> {
        let key = Key::Entity(entity.clone());
        if let Some(Unit::Entity(unit)) = self.cache.get(&key) {
            return Ok(unit);
        }
        let ticket = self.cache.ticket(&key);
        // The facts first: a row of the entity that is newer than they are only
        // sends the reader to the past as well.
        let sql = "SELECT * FROM fact:[$t,$n,0,NONE]..[$t,$n,0,..]; SELECT * FROM ONLY entity:[$t,$n]";
        let mut answers = self.engine.query(sql, entity_variables(entity)).await?.into_iter();
        let head = facts(answers.next().unwrap_or_default())?;
        let unit = Arc::new(entity_unit(answers.next().unwrap_or_default(), head)?);
        self.cache.fill(key, Unit::Entity(Arc::clone(&unit)), ticket);
        Ok(unit)
    }

    /// Reads several entities in one call, those that are warm without it.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn entities(&self, entities: &[EntityId]) -> Result<Vec<Arc<EntityUnit>>, StoreError> {
        let mut units: Vec<Option<Arc<EntityUnit>>> = entities
            .iter()
            .map(|entity| match self.cache.get(&Key::Entity(entity.clone())) {
                Some(Unit::Entity(unit)) => Some(unit),
                _ => None,
            })
            .collect();
        let cold: Vec<usize> = (0..entities.len()).filter(|i| units[*i].is_none()).collect();
        for batch in cold.chunks(BATCH) {
            let mut sql = String::new();
            let mut variables = Variables::new();
            let mut tickets = Vec::new();
            for (place, index) in batch.iter().enumerate() {
                let entity = &entities[*index];
                tickets.push(self.cache.ticket(&Key::Entity(entity.clone())));
                variables.insert(format!("t{place}"), text(entity.kind.as_str()));
                variables.insert(format!("n{place}"), text(entity.name.as_str()));
                sql.push_str(&format!(
                    "SELECT * FROM fact:[$t{place},$n{place},0,NONE]..[$t{place},$n{place},0,..]; \
                     SELECT * FROM ONLY entity:[$t{place},$n{place}];"
                ));
            }
            let mut answers = self.engine.query(&sql, variables).await?.into_iter();
            for (index, ticket) in batch.iter().zip(tickets) {
                let head = facts(answers.next().unwrap_or_default())?;
                let unit = Arc::new(entity_unit(answers.next().unwrap_or_default(), head)?);
                self.cache.fill(
                    Key::Entity(entities[*index].clone()),
                    Unit::Entity(Arc::clone(&unit)),
                    ticket,
                );
                units[*index] = Some(unit);
            }
        }
        Ok(units.into_iter().flatten().collect())
    }

    /// Reads the past of a line, or of all lines: no call where there is none.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn past(
        &self,
        entity: &EntityId,
        unit: &EntityUnit,
        line: Option<&Line>,
    ) -> Result<Arc<Vec<Arc<Fact>>>, StoreError> {
        if let Some(facts) = self.warm_past(entity, unit, line) {
            return Ok(facts);
        }
        let key = Key::Past(entity.clone(), line.cloned());
        let mut variables = entity_variables(entity);
        let sql = match line {
            None => "SELECT * FROM fact:[$t,$n,1,NONE]..[$t,$n,1,..]",
            Some(line) => {
                variables.insert("k", int(kind_number(line.kind)));
                variables.insert("l", text(&line.key));
                "SELECT * FROM fact:[$t,$n,1,$k,$l,NONE]..[$t,$n,1,$k,$l,..]"
            }
        };
        self.run(key, sql, variables).await
    }

    /// Returns the past of a line, or of all lines, where that takes no call.
    fn warm_past(
        &self,
        entity: &EntityId,
        unit: &EntityUnit,
        line: Option<&Line>,
    ) -> Option<Arc<Vec<Arc<Fact>>>> {
        if unit.past == 0 {
            return Some(Arc::default());
        }
        if let Some(Unit::Facts(facts)) = self.cache.get(&Key::Past(entity.clone(), line.cloned())) {
            return Some(facts);
        }
        match self.cache.get(&Key::Past(entity.clone(), None)) {
            Some(Unit::Facts(all)) => line.map(|line| Arc::new(on_line(&all, line).to_vec())),
            _ => None,
        }
    }

    /// Reads the past of a line of each of several entities in one call, those
    /// that are warm without it.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn pasts(
        &self,
        entities: &[(EntityId, Arc<EntityUnit>)],
        line: &Line,
    ) -> Result<Vec<Arc<Vec<Arc<Fact>>>>, StoreError> {
        let warm = |(entity, unit): &(EntityId, Arc<EntityUnit>)| self.warm_past(entity, unit, Some(line));
        let mut pasts: Vec<Option<Arc<Vec<Arc<Fact>>>>> = entities.iter().map(warm).collect();
        let cold: Vec<usize> = (0..entities.len()).filter(|i| pasts[*i].is_none()).collect();
        for batch in cold.chunks(BATCH) {
            let mut sql = String::new();
            let mut variables = Variables::new();
            variables.insert("k", int(kind_number(line.kind)));
            variables.insert("l", text(&line.key));
            let mut tickets = Vec::new();
            for (place, index) in batch.iter().enumerate() {
                let (entity, _) = &entities[*index];
                let key = Key::Past(entity.clone(), Some(line.clone()));
                tickets.push((self.cache.ticket(&key), key));
                variables.insert(format!("t{place}"), text(entity.kind.as_str()));
                variables.insert(format!("n{place}"), text(entity.name.as_str()));
                sql.push_str(&format!(
                    "SELECT * FROM fact:[$t{place},$n{place},1,$k,$l,NONE]..[$t{place},$n{place},1,$k,$l,..];"
                ));
            }
            let mut answers = self.engine.query(&sql, variables).await?.into_iter();
            for (index, (ticket, key)) in batch.iter().zip(tickets) {
                let mut run = facts(answers.next().unwrap_or_default())?;
                sort_facts(&mut run);
                let run = Arc::new(run);
                self.cache.fill(key, Unit::Facts(Arc::clone(&run)), ticket);
                pasts[*index] = Some(run);
            }
        }
        Ok(pasts.into_iter().flatten().collect())
    }

    /// Reads the events of an entity: no call where there are none.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn events(
        &self,
        entity: &EntityId,
        unit: &EntityUnit,
    ) -> Result<Arc<Vec<Arc<Fact>>>, StoreError> {
        if unit.events == 0 {
            return Ok(Arc::default());
        }
        let key = Key::Events(entity.clone());
        if let Some(Unit::Facts(facts)) = self.cache.get(&key) {
            return Ok(facts);
        }
        self.run(key, "SELECT * FROM fact:[$t,$n,2,NONE]..[$t,$n,2,..]", entity_variables(entity)).await
    }

    async fn run(
        &self,
        key: Key,
        sql: &str,
        variables: Variables,
    ) -> Result<Arc<Vec<Arc<Fact>>>, StoreError> {
        let ticket = self.cache.ticket(&key);
        let mut run = facts(self.one(sql, variables).await?)?;
        sort_facts(&mut run);
        let run = Arc::new(run);
        self.cache.fill(key, Unit::Facts(Arc::clone(&run)), ticket);
        Ok(run)
    }

    /// Reads the uncertainties about an entity: no call where there never were any.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn doubts(
        &self,
        entity: &EntityId,
        unit: &EntityUnit,
    ) -> Result<Arc<Vec<Arc<Uncertainty>>>, StoreError> {
        if unit.doubts == 0 {
            return Ok(Arc::default());
        }
        let key = Key::Doubts(entity.clone());
        if let Some(Unit::Doubts(doubts)) = self.cache.get(&key) {
            return Ok(doubts);
        }
        let ticket = self.cache.ticket(&key);
        let sql = "SELECT * FROM uncertainty:[$t,$n,NONE]..[$t,$n,..]";
        let read = rows(self.one(sql, entity_variables(entity)).await?);
        let doubts: Vec<_> =
            read.into_iter().map(|row| row_uncertainty(row).map(Arc::new)).collect::<Result<_, _>>()?;
        let doubts = Arc::new(doubts);
        self.cache.fill(key, Unit::Doubts(Arc::clone(&doubts)), ticket);
        Ok(doubts)
    }

    /// Reads who has, or had, a value of a folded key, each with whether it
    /// may have it still.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn holders(
        &self,
        folded: &str,
        value: &Value,
    ) -> Result<Arc<Vec<(Era, EntityId)>>, StoreError> {
        let hash = value_hash(value);
        let key = Key::Holders(folded.into(), hash);
        if let Some(Unit::Holders(list)) = self.cache.get(&key) {
            return Ok(list);
        }
        let ticket = self.cache.ticket(&key);
        let mut variables = Variables::new();
        variables.insert("k", text(folded));
        variables.insert("h", text(&hash_text(hash)));
        let read = rows(self.one("SELECT id FROM holder:[$k,$h,NONE]..[$k,$h,..]", variables).await?);
        let mut list = read
            .into_iter()
            .map(|row| {
                let row = RowReader::new(row)?;
                Ok((era(row.id_int(2)?)?, row.id_entity(3, 4)?))
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        list.sort();
        let list = Arc::new(list);
        self.cache.fill(key, Unit::Holders(Arc::clone(&list)), ticket);
        Ok(list)
    }

    /// Reads who may hold any value of a folded key now, once for each value.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn holding(&self, folded: &str) -> Result<Vec<EntityId>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("k", text(folded));
        let mut entities = Vec::new();
        for row in rows(self.one("SELECT id FROM holder:[$k,NONE]..[$k,..]", variables).await?) {
            let row = RowReader::new(row)?;
            if era(row.id_int(2)?)? == Era::Head {
                entities.push(row.id_entity(3, 4)?);
            }
        }
        Ok(entities)
    }

    /// Reads the relations that end, or ended, at an entity.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn inbound(
        &self,
        entity: &EntityId,
    ) -> Result<Arc<Vec<(Era, Arc<str>, EntityId)>>, StoreError> {
        let key = Key::Inbound(entity.clone());
        if let Some(Unit::Inbound(list)) = self.cache.get(&key) {
            return Ok(list);
        }
        let ticket = self.cache.ticket(&key);
        let sql = "SELECT id FROM inbound:[$t,$n,NONE]..[$t,$n,..]";
        let mut list = rows(self.one(sql, entity_variables(entity)).await?)
            .into_iter()
            .map(|row| {
                let row = RowReader::new(row)?;
                Ok((era(row.id_int(2)?)?, Arc::from(row.id_text(3)?), row.id_entity(4, 5)?))
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        list.sort();
        let list = Arc::new(list);
        self.cache.fill(key, Unit::Inbound(Arc::clone(&list)), ticket);
        Ok(list)
    }

    /// Reads under which types a name is known, placeholders included.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn bearers(&self, name: &Name) -> Result<Arc<Vec<EntityType>>, StoreError> {
        let key = Key::Names(name.clone());
        if let Some(Unit::Names(list)) = self.cache.get(&key) {
            return Ok(list);
        }
        let ticket = self.cache.ticket(&key);
        let mut variables = Variables::new();
        variables.insert("n", text(name.as_str()));
        let mut list = rows(self.one("SELECT id FROM name:[$n,NONE]..[$n,..]", variables).await?)
            .into_iter()
            .map(|row| match EntityType::parse(RowReader::new(row)?.id_text(1)?) {
                Ok((kind, Folding::Exact)) => Ok(kind),
                _ => Err(StoreError::corrupt("a name has no type")),
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        list.sort();
        let list = Arc::new(list);
        self.cache.fill(key, Unit::Names(Arc::clone(&list)), ticket);
        Ok(list)
    }

    /// Reads the roll of entities of a type, by name: those whose names begin
    /// with a prefix and come after another name.
    ///
    /// All of it comes at once: the engine reads a range to its end whatever
    /// the limit, so pages would cost the square of their number.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn roll(
        &self,
        kind: EntityType,
        prefix: &str,
        after: Option<&str>,
    ) -> Result<Vec<RollRow>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("t", text(kind.as_str()));
        variables.insert("a", after.map_or_else(|| text(prefix), text));
        // Past every name with the prefix: no character comes after the last one.
        variables.insert("z", text(&format!("{prefix}\u{10ffff}")));
        let sql = match (after, prefix.is_empty()) {
            (None, true) => "SELECT id, display FROM entity:[$t,NONE]..[$t,..]",
            (None, false) => "SELECT id, display FROM entity:[$t,$a]..[$t,$z]",
            (Some(_), true) => "SELECT id, display FROM entity:[$t,$a]>..[$t,..]",
            (Some(_), false) => "SELECT id, display FROM entity:[$t,$a]>..[$t,$z]",
        };
        let mut roll = Vec::new();
        for row in rows(self.one(sql, variables).await?) {
            let mut row = RowReader::new(row)?;
            let entity = row.id_entity(0, 1)?;
            roll.push(RollRow { entity, display: row.need_text("display")? });
        }
        Ok(roll)
    }

    /// Reads which entities have uncertainties, oldest first: the open ones, or
    /// every one that there is.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn doubtful(
        &self,
        only_open: bool,
    ) -> Result<Vec<(UncertaintyId, EntityId)>, StoreError> {
        let sql = if only_open {
            "SELECT * FROM doubt:[0,NONE]..[0,..]"
        } else {
            "SELECT * FROM doubt:[0,NONE]..[1,..]"
        };
        let mut list = rows(self.one(sql, Variables::new()).await?)
            .into_iter()
            .map(|row| {
                let mut row = RowReader::new(row)?;
                let id = super::row::uncertainty_id_of([row.id_int(1)?, row.id_int(2)?])?;
                Ok((id, about(&mut row)?))
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        list.sort();
        Ok(list)
    }

    /// Reads which entities have proposals that wait.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn proposing(&self) -> Result<Vec<EntityId>, StoreError> {
        let mut entities = Vec::new();
        for row in rows(self.one("SELECT * FROM doubt:[2,NONE]..[2,..]", Variables::new()).await?) {
            entities.push(about(&mut RowReader::new(row)?)?);
        }
        entities.sort();
        entities.dedup();
        Ok(entities)
    }

    /// Finds the entity that an uncertainty is about.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn doubt(&self, id: UncertaintyId) -> Result<Option<EntityId>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("x", super::record::count(id.tx));
        variables.insert("p", int(i64::from(id.place)));
        let sql = "SELECT * FROM doubt:[0,$x,$p], doubt:[1,$x,$p]";
        match rows(self.one(sql, variables).await?).pop() {
            Some(row) => about(&mut RowReader::new(row)?).map(Some),
            None => Ok(None),
        }
    }

    /// Counts the rows of a table.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn count(&self, table: &'static str) -> Result<u64, StoreError> {
        let sql = format!("SELECT count() FROM {table} GROUP ALL");
        match rows(self.one(&sql, Variables::new()).await?).pop() {
            Some(row) => Ok(RowReader::new(row)?.need_int("count")?.cast_unsigned()),
            None => Ok(0),
        }
    }

    /// Reads a page of the ids of an index, for `fsck`: the parts of each as text.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn index_rows(&self, table: &'static str) -> Result<Vec<Vec<String>>, StoreError> {
        let sql = format!("SELECT id FROM {table}");
        rows(self.one(&sql, Variables::new()).await?)
            .into_iter()
            .map(|row| RowReader::new(row).map(|row| row.id_words()))
            .collect()
    }
}

fn era(number: i64) -> Result<Era, StoreError> {
    Era::from_number(number).ok_or_else(|| StoreError::corrupt("an index has an unknown era"))
}

fn entity_unit(row: Cell, mut head: Vec<Arc<Fact>>) -> Result<EntityUnit, StoreError> {
    let Cell::Object(_) = row else {
        return Ok(EntityUnit::absent());
    };
    let mut row = RowReader::new(row)?;
    let mut seen = HashSet::new();
    head.retain(|fact| seen.insert(fact.id));
    sort_facts(&mut head);
    let micros =
        |micros| Timestamp::from_micros(micros).map_err(|_| StoreError::corrupt("an entity has no time"));
    let unsigned = |number: Option<i64>| number.unwrap_or(0).cast_unsigned();
    Ok(EntityUnit {
        display: Some(row.need_text("display")?),
        rev: row.need_int("rev")?.cast_unsigned(),
        seen: micros(row.need_int("seen")?)?,
        horizon: row.take_int("horizon").map_or(Ok(Timestamp::BEGINNING), micros)?,
        past: unsigned(row.take_int("past")),
        events: unsigned(row.take_int("events")),
        doubts: unsigned(row.take_int("doubts")),
        head,
    })
}

/// Reads whom an index row is about.
fn about(row: &mut RowReader) -> Result<EntityId, StoreError> {
    match &row.take_list("about")[..] {
        [Cell::String(kind), Cell::String(name)] => super::record::entity(kind, name),
        _ => Err(StoreError::missing("entity")),
    }
}
