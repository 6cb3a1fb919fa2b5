//! Ids of rows, and the small change of the engine's values.

use std::sync::Arc;

use surrealdb::types::{Array, Number, Object, RecordId, RecordIdKey, Value as Cell};

use super::engine::StoreError;
use crate::identity::{EntityId, EntityType, Folding, Name};

/// Returns a text cell.
pub(super) fn text(text: &str) -> Cell {
    Cell::String(text.to_owned())
}

/// Returns a whole-number cell.
pub(super) fn int(number: i64) -> Cell {
    Cell::Number(Number::Int(number))
}

/// Returns a count as a cell; counts stay far below 2^63.
pub(super) fn count(number: u64) -> Cell {
    int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Returns a list cell.
pub(super) fn list(cells: Vec<Cell>) -> Cell {
    Cell::Array(Array::from(cells))
}

/// Returns the id of a row.
pub(super) fn id(table: &str, parts: Vec<Cell>) -> RecordId {
    RecordId::new(table, Array::from(parts))
}

/// Returns the two parts that lead every id of an entity's rows.
pub(super) fn entity_parts(entity: &EntityId) -> Vec<Cell> {
    vec![text(entity.kind.as_str()), text(entity.name.as_str())]
}

/// A row that is being written: an id and its fields, the absent left out.
pub(super) struct RowBuilder(Object);

impl RowBuilder {
    pub(super) fn new(id: RecordId) -> Self {
        let mut object = Object::new();
        object.insert("id".to_owned(), Cell::RecordId(id));
        Self(object)
    }

    pub(super) fn bare() -> Self {
        Self(Object::new())
    }

    pub(super) fn set(&mut self, field: &str, cell: Cell) -> &mut Self {
        self.0.insert(field.to_owned(), cell);
        self
    }

    pub(super) fn set_text(&mut self, field: &str, value: Option<&Arc<str>>) -> &mut Self {
        if let Some(value) = value {
            self.set(field, text(value));
        }
        self
    }

    pub(super) fn build(self) -> Cell {
        Cell::Object(self.0)
    }
}

/// A row that is being read.
pub(super) struct RowReader {
    object: Object,
    id: Vec<Cell>,
}

impl RowReader {
    pub(super) fn new(cell: Cell) -> Result<Self, StoreError> {
        let Cell::Object(mut object) = cell else {
            return Err(StoreError::corrupt("a row is no object"));
        };
        let id = match object.remove("id") {
            Some(Cell::RecordId(RecordId { key: RecordIdKey::Array(parts), .. })) => parts.into_vec(),
            _ => Vec::new(),
        };
        Ok(Self { object, id })
    }

    /// Returns a part of the row's id.
    pub(super) fn id_text(&self, part: usize) -> Result<&str, StoreError> {
        match self.id.get(part) {
            Some(Cell::String(text)) => Ok(text),
            _ => Err(StoreError::corrupt("an id has no text where one belongs")),
        }
    }

    pub(super) fn id_int(&self, part: usize) -> Result<i64, StoreError> {
        match self.id.get(part) {
            Some(Cell::Number(Number::Int(number))) => Ok(*number),
            _ => Err(StoreError::corrupt("an id has no number where one belongs")),
        }
    }

    /// Reads the entity whose type and name are these parts of the id.
    pub(super) fn id_entity(&self, kind: usize, name: usize) -> Result<EntityId, StoreError> {
        entity(self.id_text(kind)?, self.id_text(name)?)
    }

    /// Returns the parts of the id as words.
    pub(super) fn id_words(&self) -> Vec<String> {
        self.id
            .iter()
            .map(|part| match part {
                Cell::String(text) => text.clone(),
                Cell::Number(Number::Int(number)) => number.to_string(),
                _ => String::new(),
            })
            .collect()
    }

    pub(super) fn take(&mut self, field: &str) -> Option<Cell> {
        self.object.remove(field)
    }

    pub(super) fn take_text(&mut self, field: &str) -> Option<Arc<str>> {
        match self.object.remove(field) {
            Some(Cell::String(text)) => Some(text.into()),
            _ => None,
        }
    }

    pub(super) fn need_text(&mut self, field: &str) -> Result<Arc<str>, StoreError> {
        self.take_text(field).ok_or_else(|| StoreError::missing(field))
    }

    pub(super) fn take_int(&mut self, field: &str) -> Option<i64> {
        match self.object.remove(field) {
            Some(Cell::Number(Number::Int(number))) => Some(number),
            _ => None,
        }
    }

    pub(super) fn need_int(&mut self, field: &str) -> Result<i64, StoreError> {
        self.take_int(field).ok_or_else(|| StoreError::missing(field))
    }

    pub(super) fn take_float(&mut self, field: &str) -> Option<f64> {
        match self.object.remove(field) {
            Some(Cell::Number(Number::Float(number))) => Some(number),
            #[expect(clippy::cast_precision_loss, reason = "small whole numbers written as such")]
            Some(Cell::Number(Number::Int(number))) => Some(number as f64),
            _ => None,
        }
    }

    pub(super) fn take_bool(&mut self, field: &str) -> bool {
        matches!(self.object.remove(field), Some(Cell::Bool(true)))
    }

    pub(super) fn take_list(&mut self, field: &str) -> Vec<Cell> {
        match self.object.remove(field) {
            Some(Cell::Array(cells)) => cells.into_vec(),
            _ => Vec::new(),
        }
    }

    /// Reads a flat list of whole numbers, in groups of `N`.
    pub(super) fn take_groups<const N: usize>(&mut self, field: &str) -> Result<Vec<[i64; N]>, StoreError> {
        groups(&self.take_list(field))
    }
}

/// Reads a flat list of whole numbers, in groups of `N`.
pub(super) fn groups<const N: usize>(cells: &[Cell]) -> Result<Vec<[i64; N]>, StoreError> {
    let broken = || StoreError::corrupt("a list of numbers is broken");
    let numbers: Vec<i64> = cells
        .iter()
        .map(|cell| match cell {
            Cell::Number(Number::Int(number)) => Ok(*number),
            _ => Err(broken()),
        })
        .collect::<Result<_, _>>()?;
    let (groups, rest) = numbers.as_chunks::<N>();
    if rest.is_empty() { Ok(groups.to_vec()) } else { Err(broken()) }
}

/// Reads an entity from the two words that stand for it in rows.
pub(super) fn entity(kind: &str, name: &str) -> Result<EntityId, StoreError> {
    let Ok((kind, Folding::Exact)) = EntityType::parse(kind) else {
        return Err(StoreError::corrupt("a row names a type that does not exist"));
    };
    let name = Name::new(name).map_err(|_| StoreError::corrupt("a row names no entity"))?;
    Ok(EntityId { kind, name })
}
