//! Reading JSON strictly: what would be lost in silence is refused.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::Error;

/// The longest request line, in bytes: 16 MiB.
pub(super) const LINE_LIMIT: usize = 16 << 20;

/// A JSON value in which no object names a field twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Strict(value))) = members.next_entry::<String, Strict>()? {
            if object.contains_key(&name) {
                return Err(de::Error::custom(format!("the field {name:?} is there twice")));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

/// Reads one request line.
pub(super) fn parse(line: &str) -> Result<Value, Error> {
    if line.len() > LINE_LIMIT {
        let message = format!("the line has {} bytes, the limit is {LINE_LIMIT}", line.len());
        return Err(Error::invalid("line_too_long", message));
    }
    if let Some(number) = inexact(line) {
        let message = format!("the number {number} is neither a 64-bit integer nor an exact float");
        return Err(Error::invalid("number_inexact", message));
    }
    match serde_json::from_str::<Strict>(line) {
        Ok(Strict(value)) => Ok(value),
        Err(error) => Err(Error::invalid("json_invalid", format!("the line is no JSON: {error}"))),
    }
}

/// Finds a whole number that would not come back as it was sent: beyond 64
/// bits, and not exactly a float.
fn inexact(line: &str) -> Option<&str> {
    let bytes = line.as_bytes();
    let mut place = 0;
    let mut in_text = false;
    while place < bytes.len() {
        match bytes[place] {
            b'\\' if in_text => place += 1,
            b'"' => in_text = !in_text,
            b'-' | b'0'..=b'9' if !in_text => {
                let start = place;
                while place < bytes.len()
                    && matches!(bytes[place], b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
                {
                    place += 1;
                }
                let number = &line[start..place];
                let is_whole = number.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                if is_whole && number.len() > 18 && number.parse::<i64>().is_err() && !is_exact(number) {
                    return Some(number);
                }
                continue;
            }
            _ => {}
        }
        place += 1;
    }
    None
}

/// Whether a whole number is exactly a float.
fn is_exact(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|float| float.is_finite() && format!("{float:.0}") == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_lost_in_silence_is_refused() {
        let code = |line| parse(line).map_err(|e| e.code()).err();
        assert_eq!(code(r#"{"a":1,"a":2}"#), Some("json_invalid"));
        assert_eq!(code(r#"{"v":123456789012345678901234567890}"#), Some("number_inexact"));
        assert_eq!(code(r#"{"v":9223372036854775809}"#), Some("number_inexact"));
        assert_eq!(code(r#"{"v":9223372036854775808}"#), None);
        assert_eq!(code(r#"{"v":9007199254740993}"#), None);
        assert_eq!(code(r#"{"v":"123456789012345678901234567890\""}"#), None);
        assert_eq!(code(r#"{"v":1e400}"#), Some("json_invalid"));
        assert_eq!(code(r#"{"v":"\ud800"}"#), Some("json_invalid"));
        assert_eq!(code(&"[".repeat(10_000)), Some("json_invalid"));
    }
}
