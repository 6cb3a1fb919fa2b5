//! Entities as the command line takes them.

use std::convert::Infallible;
use std::str::FromStr;

use serde_json::{Value as Json, json};

/// An entity: `person/Mara Quill`. The first slash ends the type; without one,
/// or with nothing before it, there is no type and the name is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entity {
    kind: Option<String>,
    name: String,
}

impl FromStr for Entity {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (kind, name) = match text.split_once('/') {
            Some(("", name)) => (None, name),
            Some((kind, name)) => (Some(kind.to_owned()), name),
            None => (None, text),
        };
        Ok(Self { kind, name: name.to_owned() })
    }
}

impl Entity {
    /// Returns the entity as the protocol writes it.
    pub(super) fn json(&self) -> Json {
        match &self.kind {
            Some(kind) => json!({"type": kind, "name": self.name}),
            None => json!({"name": self.name}),
        }
    }

    /// Returns its type, if it has one.
    pub(super) fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// Returns its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_slash_splits() {
        let read = |text: &str| text.parse::<Entity>().map(|entity| entity.json());
        assert_eq!(read("person/Mara Quill"), Ok(json!({"type": "person", "name": "Mara Quill"})));
        assert_eq!(read("product/a/b"), Ok(json!({"type": "product", "name": "a/b"})));
        assert_eq!(read("Mara Quill"), Ok(json!({"name": "Mara Quill"})));
        assert_eq!(read("/a/b"), Ok(json!({"name": "a/b"})));
    }
}
