//! Taking a request apart, field by field, so that whatever is wrong is named.

use std::str::FromStr;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use crate::Reference;
use crate::error::Error;
use crate::facts::{FactId, Scope, Value};
use crate::identity::{EntityType, Folding, Name, key};
use crate::time::Timestamp;

/// The fields of an object, each of which is taken once.
pub(super) struct Fields {
    fields: Map<String, Json>,
}

/// Returns a short print of what was given.
fn shown(value: &Json) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 {
        text
    } else {
        format!("{}…", text.chars().take(60).collect::<String>())
    }
}

/// Refuses a value that is not what its field wants.
pub(super) fn wrong(field: &str, value: &Json, wanted: &str) -> Error {
    Error::invalid("value_invalid", format!("{field} {} is not {wanted}", shown(value))).at_field(field)
}

/// Names the field at fault by its whole path, when it lies in the object `place`.
pub(super) fn within(place: &'static str) -> impl Fn(Error) -> Error {
    move |error| match error.field() {
        Some(field) if field == place || field.strip_prefix(place).is_some_and(|f| f.starts_with('.')) => {
            error
        }
        Some(field) => {
            let field = format!("{place}.{field}");
            Error::invalid(error.code(), error.to_string()).at_field(field)
        }
        None => error.at_field(place),
    }
}

impl Fields {
    pub(super) fn new(value: Json, what: &str) -> Result<Self, Error> {
        match value {
            Json::Object(fields) => Ok(Self { fields }),
            other => {
                Err(Error::invalid("value_invalid", format!("{what} {} is not an object", shown(&other))))
            }
        }
    }

    /// Takes a field that may be left out; `null` is no way to leave it out.
    pub(super) fn take(&mut self, field: &str) -> Result<Option<Json>, Error> {
        match self.fields.remove(field) {
            Some(Json::Null) => {
                Err(Error::invalid("value_null", format!("{field} is null: leave it out")).at_field(field))
            }
            value => Ok(value),
        }
    }

    pub(super) fn need(&mut self, field: &str) -> Result<Json, Error> {
        self.take(field)?.ok_or_else(|| missing(field))
    }

    pub(super) fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    /// Refuses what was not taken, by name.
    pub(super) fn finish(self) -> Result<(), Error> {
        match self.fields.into_iter().next() {
            None => Ok(()),
            Some((field, _)) => {
                Err(Error::invalid("unknown_field", format!("the field {field:?} is not known here"))
                    .at_field(field))
            }
        }
    }

    pub(super) fn text(&mut self, field: &str) -> Result<Option<Arc<str>>, Error> {
        match self.take(field)? {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.into())),
            Some(other) => Err(wrong(field, &other, "a text")),
        }
    }

    pub(super) fn need_text(&mut self, field: &str) -> Result<Arc<str>, Error> {
        self.text(field)?.ok_or_else(|| missing(field))
    }

    pub(super) fn flag(&mut self, field: &str) -> Result<bool, Error> {
        match self.take(field)? {
            None => Ok(false),
            Some(Json::Bool(flag)) => Ok(flag),
            Some(other) => Err(wrong(field, &other, "true or false")),
        }
    }

    pub(super) fn float(&mut self, field: &str) -> Result<Option<f64>, Error> {
        match self.take(field)? {
            None => Ok(None),
            Some(other) => other.as_f64().map(Some).ok_or_else(|| wrong(field, &other, "a number")),
        }
    }

    pub(super) fn count(&mut self, field: &str) -> Result<Option<u64>, Error> {
        match self.take(field)? {
            None => Ok(None),
            Some(other) => other.as_u64().map(Some).ok_or_else(|| wrong(field, &other, "a whole number")),
        }
    }

    /// Takes a word of a closed list.
    pub(super) fn word<T>(
        &mut self,
        field: &str,
        parse: impl Fn(&str) -> Option<T>,
        words: &[&str],
    ) -> Result<Option<T>, Error> {
        match self.take(field)? {
            None => Ok(None),
            Some(Json::String(word)) => match parse(&word) {
                Some(found) => Ok(Some(found)),
                None => Err(wrong(field, &Json::String(word), &format!("one of {}", words.join(", ")))),
            },
            Some(other) => Err(wrong(field, &other, &format!("one of {}", words.join(", ")))),
        }
    }

    fn instant_by(
        &mut self,
        field: &str,
        parse: fn(&str) -> Result<Timestamp, crate::time::TimeError>,
    ) -> Result<Option<Timestamp>, Error> {
        match self.text_or(field, "instant_invalid", "an instant")? {
            None => Ok(None),
            Some(text) => parse(&text)
                .map(Some)
                .map_err(|e| Error::invalid(e.code(), format!("{field}: {e}")).at_field(field)),
        }
    }

    fn text_or(&mut self, field: &str, code: &'static str, wanted: &str) -> Result<Option<Arc<str>>, Error> {
        match self.take(field)? {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.into())),
            Some(other) => {
                Err(Error::invalid(code, format!("{field} {} is not {wanted}", shown(&other)))
                    .at_field(field))
            }
        }
    }

    /// Takes an instant.
    pub(super) fn instant(&mut self, field: &str) -> Result<Option<Timestamp>, Error> {
        self.instant_by(field, Timestamp::parse)
    }

    /// Takes the start of a period.
    pub(super) fn start(&mut self, field: &str) -> Result<Option<Timestamp>, Error> {
        self.instant_by(field, Timestamp::parse_from)
    }

    /// Takes the end of a period.
    pub(super) fn end(&mut self, field: &str) -> Result<Option<Timestamp>, Error> {
        self.instant_by(field, Timestamp::parse_until)
    }

    pub(super) fn scope(&mut self, field: &str) -> Result<Option<Scope>, Error> {
        match self.text_or(field, "scope_invalid", "a path")? {
            None => Ok(None),
            Some(text) => Scope::parse(&text)
                .map(Some)
                .map_err(|e| Error::invalid("scope_invalid", e.to_string()).at_field(field)),
        }
    }

    /// Takes a key or a label.
    pub(super) fn key(&mut self, field: &str) -> Result<Option<Arc<str>>, Error> {
        match self.text_or(field, "value_invalid", "a text")? {
            None => Ok(None),
            Some(text) => key(&text)
                .map(Some)
                .map_err(|e| Error::invalid(e.code(), format!("{field}: {e}")).at_field(field)),
        }
    }

    pub(super) fn need_key(&mut self, field: &str) -> Result<Arc<str>, Error> {
        self.key(field)?.ok_or_else(|| missing(field))
    }

    pub(super) fn fact_id(&mut self, field: &str) -> Result<Option<FactId>, Error> {
        match self.text_or(field, "value_invalid", "the id of a fact")? {
            None => Ok(None),
            Some(text) => FactId::from_str(&text).map(Some).map_err(|e| Error::from(e).at_field(field)),
        }
    }

    /// Takes an entity as a caller names it.
    pub(super) fn reference(&mut self, field: &str) -> Result<Option<Reference>, Error> {
        let Some(value) = self.take(field)? else { return Ok(None) };
        reference(value, field).map(Some)
    }

    pub(super) fn need_reference(&mut self, field: &str) -> Result<Reference, Error> {
        self.reference(field)?.ok_or_else(|| missing(field))
    }

    pub(super) fn value(&mut self, field: &str) -> Result<Option<Value>, Error> {
        match self.take(field)? {
            None => Ok(None),
            Some(given) => value(given, field).map(Some),
        }
    }
}

/// Returns the error of a field that has to be there.
pub(super) fn missing(field: &str) -> Error {
    Error::invalid("missing_field", format!("the field {field:?} is missing")).at_field(field)
}

/// Reads an entity: `{"type": …, "name": …}`, the type optional.
pub(super) fn reference(given: Json, field: &str) -> Result<Reference, Error> {
    let Json::Object(_) = given else {
        return Err(wrong(field, &given, "an object with a name"));
    };
    let mut fields = Fields::new(given, field)?;
    let within = |part: &str| format!("{field}.{part}");
    let name = fields.need_text("name").map_err(|e| renamed(&e, &within("name")))?;
    let kind = fields.text("type").map_err(|e| renamed(&e, &within("type")))?;
    fields.finish().map_err(|e| {
        let part = e.field().unwrap_or_default().to_owned();
        renamed(&e, &within(&part))
    })?;
    let normalised = Name::new(&name)
        .map_err(|e| Error::invalid(e.code(), format!("{field}.name: {e}")).at_field(within("name")))?;
    let (kind, unlisted) = match kind {
        None => (None, None),
        Some(word) => {
            let (kind, folding) = EntityType::parse(&word).map_err(|e| {
                Error::invalid(e.code(), format!("{field}.type: {e}")).at_field(within("type"))
            })?;
            (Some(kind), (folding == Folding::Unlisted).then_some(word))
        }
    };
    Ok(Reference { kind, name: normalised, written: name, unlisted })
}

fn renamed(error: &Error, field: &str) -> Error {
    Error::invalid(error.code(), error.to_string()).at_field(field)
}

/// Reads a value: any JSON but null, within the limit.
pub(super) fn value(given: Json, field: &str) -> Result<Value, Error> {
    let read = read_value(given, field)?;
    let size = read.canonical().len();
    if size > Value::LIMIT {
        let message = format!("{field} has {size} bytes, the limit is {}", Value::LIMIT);
        return Err(Error::invalid("value_too_long", message).at_field(field));
    }
    Ok(read)
}

fn read_value(given: Json, field: &str) -> Result<Value, Error> {
    Ok(match given {
        Json::Null => return Err(Error::invalid("value_null", format!("{field} is null")).at_field(field)),
        Json::Bool(b) => Value::Bool(b),
        Json::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(n), _) => Value::Int(n),
            (None, Some(x)) => Value::float(x).map_err(|e| Error::from(e).at_field(field))?,
            (None, None) => return Err(wrong(field, &Json::Number(n), "a number that can be held")),
        },
        Json::String(text) => Value::Text(text.into()),
        Json::Array(items) => {
            Value::List(items.into_iter().map(|item| read_value(item, field)).collect::<Result<_, _>>()?)
        }
        Json::Object(members) => Value::Map(
            members
                .into_iter()
                .map(|(name, value)| Ok((Arc::from(name), read_value(value, field)?)))
                .collect::<Result<_, Error>>()?,
        ),
    })
}
