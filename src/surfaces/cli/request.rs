//! Commands that are one request of the protocol.

use serde_json::{Map, Value as Json};

use super::entity::Entity;
use super::failure::Failure;
use super::page::Page;

/// A command that is one request, and shows its answer.
pub(super) trait Request {
    /// Whether it makes the store where there is none.
    fn makes_store(&self) -> bool;

    /// Returns the request as the protocol writes it.
    fn request(&self) -> Result<Json, Failure>;

    /// Shows an answer that is ok.
    fn show(&self, answer: &Json, page: &mut Page);

    /// Returns what was looked up, so that near names can be suggested when
    /// nothing was found.
    fn looked_up(&self) -> Option<(&Entity, Option<&str>)> {
        None
    }

    /// Whether an answer that is ok still reports trouble.
    fn found_trouble(&self, _answer: &Json) -> bool {
        false
    }
}

/// A request in the making: fields that are absent are left out.
#[derive(Debug)]
pub(super) struct Body(Map<String, Json>);

impl Body {
    /// Begins the request of an operation.
    pub(super) fn new(op: &str) -> Self {
        Self(Map::new()).with("op", op)
    }

    /// Begins an object within a request.
    pub(super) fn part() -> Self {
        Self(Map::new())
    }

    /// Adds a field.
    pub(super) fn with(mut self, field: &str, value: impl Into<Json>) -> Self {
        self.0.insert(field.to_owned(), value.into());
        self
    }

    /// Adds a field that may be absent.
    pub(super) fn maybe<T: Clone + Into<Json>>(self, field: &str, value: Option<&T>) -> Self {
        match value {
            Some(value) => self.with(field, value.clone()),
            None => self,
        }
    }

    /// Adds an entity.
    pub(super) fn entity(self, field: &str, entity: Option<&Entity>) -> Self {
        match entity {
            Some(entity) => self.with(field, entity.json()),
            None => self,
        }
    }

    /// Adds a list, unless it is empty.
    pub(super) fn list(self, field: &str, items: &[String]) -> Self {
        if items.is_empty() { self } else { self.with(field, items.to_vec()) }
    }

    /// Adds `true` where a flag is set.
    pub(super) fn flag(self, field: &str, is_set: bool) -> Self {
        if is_set { self.with(field, true) } else { self }
    }

    /// Adds an object, unless it is empty.
    pub(super) fn object(self, field: &str, part: Self) -> Self {
        if part.0.is_empty() { self } else { self.with(field, part.json()) }
    }

    /// Whether nothing was added.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the request.
    pub(super) fn json(self) -> Json {
        Json::Object(self.0)
    }
}
