//! A value: any JSON value but null, compared by meaning.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use thiserror::Error;

/// What an attribute or an event holds.
///
/// Equality is canonical: numbers are equal by value (`2` = `2.0`), objects
/// whatever the order of their keys, texts byte by byte. Text stays text even
/// when it looks like a number or an instant.
///
/// ```
/// use hitherto::facts::Value;
///
/// assert_eq!(Value::Int(2), Value::float(2.0)?);
/// assert_ne!(Value::Int(2), Value::text("2"));
/// # Ok::<(), hitherto::facts::ValueError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction or beyond 64 bits; finite.
    Float(f64),
    /// A text.
    Text(Arc<str>),
    /// An ordered list.
    List(Vec<Value>),
    /// Named members.
    Map(BTreeMap<Arc<str>, Value>),
}

/// A number that no value can hold.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0} is not a finite number")]
pub struct ValueError(String);

impl Value {
    /// The most bytes that a value's canonical form may take: 1 MiB.
    ///
    /// ```
    /// assert_eq!(hitherto::facts::Value::LIMIT, 1_048_576);
    /// ```
    pub const LIMIT: usize = 1 << 20;

    /// Returns a text value.
    ///
    /// ```
    /// assert_eq!(hitherto::facts::Value::text("a").to_string(), "a");
    /// ```
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(Arc::from(text))
    }

    /// Returns a number, whole where the float is whole and fits.
    ///
    /// # Errors
    ///
    /// A [`ValueError`] for NaN and the infinities.
    ///
    /// ```
    /// use hitherto::facts::Value;
    ///
    /// assert!(Value::float(f64::NAN).is_err());
    /// assert_eq!(Value::float(0.5)?.to_string(), "0.5");
    /// # Ok::<(), hitherto::facts::ValueError>(())
    /// ```
    pub fn float(number: f64) -> Result<Self, ValueError> {
        if number.is_finite() { Ok(Self::Float(number)) } else { Err(ValueError(number.to_string())) }
    }

    /// Returns the canonical bytes: equal values, and only they, give equal bytes.
    ///
    /// ```
    /// use hitherto::facts::Value;
    ///
    /// assert_eq!(Value::Int(2).canonical(), Value::float(2.0)?.canonical());
    /// # Ok::<(), hitherto::facts::ValueError>(())
    /// ```
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16);
        self.write_canonical(&mut bytes);
        bytes
    }

    fn write_canonical(&self, out: &mut Vec<u8>) {
        match self {
            Self::Bool(b) => out.extend([b'b', u8::from(*b)]),
            Self::Int(n) => {
                out.push(b'i');
                out.extend(n.to_be_bytes());
            }
            Self::Float(x) => {
                if let Some(n) = whole(*x) {
                    Self::Int(n).write_canonical(out);
                } else {
                    out.push(b'f');
                    out.extend(x.to_bits().to_be_bytes());
                }
            }
            Self::Text(t) => write_text(b't', t, out),
            Self::List(items) => {
                out.push(b'l');
                out.extend((items.len() as u64).to_be_bytes());
                for item in items {
                    item.write_canonical(out);
                }
            }
            Self::Map(members) => {
                out.push(b'm');
                out.extend((members.len() as u64).to_be_bytes());
                for (name, value) in members {
                    write_text(b'k', name, out);
                    value.write_canonical(out);
                }
            }
        }
    }

    /// Returns the text of a text value, and the printed form of any other.
    ///
    /// ```
    /// assert_eq!(hitherto::facts::Value::Int(7).plain(), "7");
    /// ```
    #[must_use]
    pub fn plain(&self) -> String {
        self.to_string()
    }

    /// Returns a lower bound of the memory that the value takes, in bytes.
    ///
    /// ```
    /// assert!(hitherto::facts::Value::text("abc").weight() >= 3);
    /// ```
    #[must_use]
    pub fn weight(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Text(t) => t.len(),
                Self::List(items) => items.iter().map(Self::weight).sum(),
                Self::Map(members) => members.iter().map(|(k, v)| 24 + k.len() + v.weight()).sum(),
                _ => 0,
            }
    }
}

/// Returns the whole number that a float is, where there is one in 64 bits.
fn whole(x: f64) -> Option<i64> {
    // 2^63 is exact as a float and the first that no longer fits.
    const BOUND: f64 = 9_223_372_036_854_775_808.0;
    if x.fract() == 0.0 && (-BOUND..BOUND).contains(&x) {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within range")]
        Some(x as i64)
    } else {
        None
    }
}

fn write_text(tag: u8, text: &str, out: &mut Vec<u8>) {
    out.push(tag);
    out.extend((text.len() as u64).to_be_bytes());
    out.extend(text.as_bytes());
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => match (whole(*a), whole(*b)) {
                (Some(a), Some(b)) => a == b,
                _ => a.to_bits() == b.to_bits(),
            },
            (Self::Int(a), Self::Float(b)) | (Self::Float(b), Self::Int(a)) => whole(*b) == Some(*a),
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) => write!(f, "{x:?}"),
            Self::Text(t) => f.write_str(t),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Map(members) => {
                f.write_str("{")?;
                for (i, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}{name}: {value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Value> {
        let map = |pairs: &[(&str, Value)]| {
            Value::Map(pairs.iter().map(|(k, v)| (Arc::from(*k), v.clone())).collect())
        };
        vec![
            Value::Bool(true),
            Value::Bool(false),
            Value::Int(0),
            Value::Int(1),
            Value::Int(2),
            Value::Float(2.0),
            Value::Float(-0.0),
            Value::Float(0.5),
            Value::Int(i64::MAX),
            Value::Float(9.3e18),
            Value::text("2"),
            Value::text("true"),
            Value::text(""),
            Value::List(vec![]),
            Value::List(vec![Value::Int(1), Value::text("a")]),
            Value::List(vec![Value::text("a"), Value::Int(1)]),
            map(&[]),
            map(&[("a", Value::Int(1)), ("b", Value::Float(2.0))]),
            map(&[("b", Value::Int(2)), ("a", Value::Float(1.0))]),
        ]
    }

    #[test]
    fn canonical_bytes_are_equal_exactly_when_values_are() {
        let all = samples();
        for a in &all {
            for b in &all {
                assert_eq!(a == b, a.canonical() == b.canonical(), "{a:?} {b:?}");
            }
        }
        assert_eq!(Value::Int(2), Value::Float(2.0));
        assert_eq!(Value::Int(0), Value::Float(-0.0));
        assert_ne!(Value::Int(i64::MAX), Value::Float(9_223_372_036_854_775_807.0));
        assert_ne!(Value::Bool(true), Value::text("true"));
        assert_ne!(Value::Int(1), Value::Bool(true));
    }
}
