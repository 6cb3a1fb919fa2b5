//! One instant, to the microsecond.

use std::fmt;

use super::TimeError;
use super::error::shown;
use super::rfc3339::{self, Fault};

/// An instant in UTC, as signed 64-bit microseconds since 1970.
///
/// It lies between the first microsecond of year -9999 and the last of year
/// 9999, or is one of two sentinels that stand outside of all instants:
/// [`BEGINNING`](Self::BEGINNING) and [`OPEN`](Self::OPEN), the unbounded ends
/// of a period.
///
/// ```
/// use hitherto::time::{TimeError, Timestamp};
///
/// let local = Timestamp::parse("2025-02-01T10:30:00.25+01:00")?;
/// assert_eq!(local.to_string(), "2025-02-01T09:30:00.25Z");
/// assert!(Timestamp::BEGINNING < local && local < Timestamp::OPEN);
/// # Ok::<(), TimeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The sentinel before every instant, printed `beginning`.
    pub const BEGINNING: Self = Self(i64::MIN);

    /// The sentinel after every instant, printed `open`.
    pub const OPEN: Self = Self(i64::MAX);

    /// The first instant, `-9999-01-01T00:00:00Z`.
    pub const MIN: Self = Self(rfc3339::FIRST);

    /// The last instant, `9999-12-31T23:59:59.999999Z`.
    pub const MAX: Self = Self(rfc3339::LAST);

    /// Returns the instant that many microseconds after 1970 began in UTC.
    ///
    /// The two sentinels come back from their numbers, so that every timestamp
    /// survives being stored as one.
    ///
    /// # Errors
    ///
    /// [`TimeError::MicrosOutOfRange`] if the number is neither of the range
    /// nor a sentinel.
    ///
    /// ```
    /// use hitherto::time::{TimeError, Timestamp};
    ///
    /// assert_eq!(Timestamp::from_micros(0)?.to_string(), "1970-01-01T00:00:00Z");
    /// assert_eq!(Timestamp::from_micros(i64::MAX)?, Timestamp::OPEN);
    /// assert!(Timestamp::from_micros(i64::MAX - 1).is_err());
    /// # Ok::<(), TimeError>(())
    /// ```
    pub const fn from_micros(micros: i64) -> Result<Self, TimeError> {
        match micros {
            i64::MIN | i64::MAX | rfc3339::FIRST..=rfc3339::LAST => Ok(Self(micros)),
            _ => Err(TimeError::MicrosOutOfRange { micros }),
        }
    }

    /// Returns the microseconds since 1970, or the number of the sentinel.
    ///
    /// ```
    /// use hitherto::time::{TimeError, Timestamp};
    ///
    /// assert_eq!(Timestamp::parse("1969-12-31T23:59:59Z")?.as_micros(), -1_000_000);
    /// assert_eq!(Timestamp::BEGINNING.as_micros(), i64::MIN);
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Says whether this is an instant and neither of the sentinels.
    ///
    /// ```
    /// use hitherto::time::Timestamp;
    ///
    /// assert!(Timestamp::MAX.is_bounded());
    /// assert!(!Timestamp::OPEN.is_bounded());
    /// ```
    #[must_use]
    pub const fn is_bounded(self) -> bool {
        !matches!(self, Self::BEGINNING | Self::OPEN)
    }

    /// Returns the instant one microsecond later.
    ///
    /// After [`MAX`](Self::MAX) comes [`OPEN`](Self::OPEN), so `[t, t.next())`
    /// is a period for every instant `t`. The sentinels stay what they are.
    ///
    /// ```
    /// use hitherto::time::{TimeError, Timestamp};
    ///
    /// let midnight = Timestamp::parse("2025-02-01")?;
    /// assert_eq!(midnight.next().to_string(), "2025-02-01T00:00:00.000001Z");
    /// assert_eq!(Timestamp::MAX.next(), Timestamp::OPEN);
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub const fn next(self) -> Self {
        self.saturating_add_micros(1)
    }

    /// Returns the instant that many microseconds later, or earlier if negative.
    ///
    /// What would lie after the last instant is [`OPEN`](Self::OPEN), what
    /// would lie before the first is [`BEGINNING`](Self::BEGINNING). The
    /// sentinels stay what they are.
    ///
    /// ```
    /// use hitherto::time::Timestamp;
    ///
    /// assert_eq!(Timestamp::MIN.saturating_add_micros(-1), Timestamp::BEGINNING);
    /// assert_eq!(Timestamp::OPEN.saturating_add_micros(-1), Timestamp::OPEN);
    /// ```
    #[must_use]
    pub const fn saturating_add_micros(self, micros: i64) -> Self {
        if !self.is_bounded() {
            return self;
        }
        match self.0.saturating_add(micros) {
            sum if sum < rfc3339::FIRST => Self::BEGINNING,
            sum if rfc3339::LAST < sum => Self::OPEN,
            sum => Self(sum),
        }
    }

    /// Reads an RFC 3339 date-time with an offset, or a date, which is its midnight in UTC.
    ///
    /// * Digits of a second beyond the sixth are dropped, so the instant is floored.
    /// * Years before 0000 are written as they are printed: `-0044-03-15`.
    /// * `t` and `z` may be in lower case. A space for the `T` is refused, as
    ///   are hour 24, an offset without its colon or beyond ±23:59.
    /// * A leap second is accepted where UTC can have one, in the last second
    ///   of a month, and becomes the last microsecond before it, whatever its
    ///   fraction; any other second 60 is refused.
    /// * The sentinels are no instants: [`parse_from`](Self::parse_from) and
    ///   [`parse_until`](Self::parse_until) read them.
    ///
    /// # Errors
    ///
    /// [`TimeError::OffsetMissing`] for a date-time without an offset,
    /// [`TimeError::YearOutOfRange`] for an instant that lies before year -9999
    /// or after year 9999 in UTC, [`TimeError::Instant`] for all else.
    ///
    /// ```
    /// use hitherto::time::{TimeError, Timestamp};
    ///
    /// let date = Timestamp::parse("2025-02-01")?;
    /// assert_eq!(date, Timestamp::parse("2025-02-01T05:30:00.0000009+05:30")?);
    /// assert!(Timestamp::parse("2025-02-30").is_err());
    /// # Ok::<(), TimeError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        rfc3339::read(text).map(Self).map_err(|fault| match fault {
            Fault::Malformed => TimeError::Instant { text: shown(text) },
            Fault::OffsetMissing => TimeError::OffsetMissing { text: shown(text) },
            Fault::OutOfRange => TimeError::YearOutOfRange { text: shown(text) },
        })
    }

    /// Reads the start of a period: an instant, or `beginning`.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse); `open` is no start.
    ///
    /// ```
    /// use hitherto::time::Timestamp;
    ///
    /// assert_eq!(Timestamp::parse_from("beginning"), Ok(Timestamp::BEGINNING));
    /// assert!(Timestamp::parse_from("open").is_err());
    /// ```
    pub fn parse_from(text: &str) -> Result<Self, TimeError> {
        if text == "beginning" { Ok(Self::BEGINNING) } else { Self::parse(text) }
    }

    /// Reads the end of a period: an instant, or `open`.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse); `beginning` is no end.
    ///
    /// ```
    /// use hitherto::time::Timestamp;
    ///
    /// assert_eq!(Timestamp::parse_until("open"), Ok(Timestamp::OPEN));
    /// assert!(Timestamp::parse_until("beginning").is_err());
    /// ```
    pub fn parse_until(text: &str) -> Result<Self, TimeError> {
        if text == "open" { Ok(Self::OPEN) } else { Self::parse(text) }
    }
}

/// Prints RFC 3339 with `Z` and all the digits there are, so that reading what
/// was printed gives the same instant; a sentinel prints its word.
impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BEGINNING => out.pad("beginning"),
            Self::OPEN => out.pad("open"),
            Self(micros) => rfc3339::print(micros, out),
        }
    }
}

/// Prints as [`Display`](fmt::Display) does: microseconds say nothing to a reader.
impl fmt::Debug for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests;
