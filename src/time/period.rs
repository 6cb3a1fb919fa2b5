//! A stretch of one time axis.

use std::fmt;

use super::{TimeError, Timestamp};

/// A half-open period `[from, until)`, never empty.
///
/// It holds its first instant and not its last, so a period that ends when
/// another starts shares nothing with it and leaves no gap between.
///
/// ```text
///         from          until
///           |             |
///  ---------[=============)---------> time
///           |             |
///        held          not held
/// ```
///
/// Either end may be unbounded: [`Timestamp::BEGINNING`] as the start,
/// [`Timestamp::OPEN`] as the end. How two periods lie to each other is told by
/// [`allen`](Self::allen) and the predicates named after its thirteen answers.
///
/// ```
/// use hitherto::time::{Period, TimeError, Timestamp};
///
/// let february = Period::parse("2025-02-01", "2025-03-01")?;
/// assert!(february.contains(Timestamp::parse("2025-02-01")?));
/// assert!(!february.contains(Timestamp::parse("2025-03-01")?));
/// # Ok::<(), TimeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    from: Timestamp,
    until: Timestamp,
}

impl Period {
    /// All of time, `[beginning, open)`.
    pub const ALL: Self = Self { from: Timestamp::BEGINNING, until: Timestamp::OPEN };

    /// Returns the period that starts with `from` and ends before `until`.
    ///
    /// # Errors
    ///
    /// [`TimeError::PeriodInverted`] unless `from` is before `until`. So `open`
    /// is never a start and `beginning` never an end.
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError, Timestamp};
    ///
    /// let noon = Timestamp::parse("2025-02-01T12:00:00Z")?;
    /// assert!(Period::new(noon, noon.next()).is_ok());
    /// assert_eq!(
    ///     Period::new(noon, noon),
    ///     Err(TimeError::PeriodInverted { from: noon, until: noon }),
    /// );
    /// # Ok::<(), TimeError>(())
    /// ```
    pub const fn new(from: Timestamp, until: Timestamp) -> Result<Self, TimeError> {
        if from.as_micros() < until.as_micros() {
            Ok(Self { from, until })
        } else {
            Err(TimeError::PeriodInverted { from, until })
        }
    }

    /// Returns the period that starts with `from` and does not end.
    ///
    /// # Errors
    ///
    /// [`TimeError::PeriodInverted`] if `from` is [`Timestamp::OPEN`].
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError, Timestamp};
    ///
    /// let since = Period::since(Timestamp::parse("2025-02-01")?)?;
    /// assert_eq!(since.until(), Timestamp::OPEN);
    /// # Ok::<(), TimeError>(())
    /// ```
    pub const fn since(from: Timestamp) -> Result<Self, TimeError> {
        Self::new(from, Timestamp::OPEN)
    }

    /// Reads a period from its two ends, which may be `beginning` and `open`.
    ///
    /// # Errors
    ///
    /// Those of [`Timestamp::parse`] and of [`new`](Self::new).
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// assert_eq!(Period::parse("beginning", "open")?, Period::ALL);
    /// # Ok::<(), TimeError>(())
    /// ```
    pub fn parse(from: &str, until: &str) -> Result<Self, TimeError> {
        Self::new(Timestamp::parse_from(from)?, Timestamp::parse_until(until)?)
    }

    /// Returns the first instant of the period, or `beginning`.
    ///
    /// ```
    /// use hitherto::time::{Period, Timestamp};
    ///
    /// assert_eq!(Period::ALL.from(), Timestamp::BEGINNING);
    /// ```
    #[must_use]
    pub const fn from(self) -> Timestamp {
        self.from
    }

    /// Returns the first instant after the period, or `open`.
    ///
    /// ```
    /// use hitherto::time::{Period, Timestamp};
    ///
    /// assert_eq!(Period::ALL.until(), Timestamp::OPEN);
    /// ```
    #[must_use]
    pub const fn until(self) -> Timestamp {
        self.until
    }

    /// Says whether the period holds `instant`.
    ///
    /// `open` is after every period and is held by none, not even by
    /// [`ALL`](Self::ALL); `beginning` is held by those that start with it.
    /// The Allen relation of this name is
    /// [`contains_period`](Self::contains_period).
    ///
    /// ```
    /// use hitherto::time::{Period, Timestamp};
    ///
    /// assert!(Period::ALL.contains(Timestamp::MIN));
    /// assert!(!Period::ALL.contains(Timestamp::OPEN));
    /// ```
    #[must_use]
    pub fn contains(self, instant: Timestamp) -> bool {
        self.from <= instant && instant < self.until
    }

    /// Says whether the two periods share an instant.
    ///
    /// ```text
    ///  self   [=========)
    ///  other        [=========)
    ///               ^^^^ shared
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let winter = Period::parse("2024-12-01", "2025-03-01")?;
    /// assert!(winter.intersects(Period::parse("2025-02-01", "2025-04-01")?));
    /// assert!(!winter.intersects(Period::parse("2025-03-01", "2025-04-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn intersects(self, other: Self) -> bool {
        self.from < other.until && other.from < self.until
    }

    /// Says whether the two periods share an instant or one ends when the other starts.
    ///
    /// Then, and only then, the two together are one period, their
    /// [`hull`](Self::hull).
    ///
    /// ```text
    ///  self   [=====)
    ///  other        [=====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let winter = Period::parse("2024-12-01", "2025-03-01")?;
    /// assert!(winter.touches(Period::parse("2025-03-01", "2025-04-01")?));
    /// assert!(!winter.touches(Period::parse("2025-03-02", "2025-04-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn touches(self, other: Self) -> bool {
        self.from <= other.until && other.from <= self.until
    }

    /// Says whether the period holds every instant of the other.
    ///
    /// ```text
    ///  self   [===============)
    ///  other     [======)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let year = Period::parse("2025-01-01", "2026-01-01")?;
    /// assert!(year.covers(Period::parse("2025-01-01", "2025-02-01")?));
    /// assert!(year.covers(year));
    /// assert!(!year.covers(Period::ALL));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        self.from <= other.from && other.until <= self.until
    }

    /// Returns what both periods hold, if that is anything.
    ///
    /// ```text
    ///  self     [=========)
    ///  other          [=========)
    ///  result         [===)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let winter = Period::parse("2024-12-01", "2025-03-01")?;
    /// let year = Period::parse("2025-01-01", "2026-01-01")?;
    /// assert_eq!(
    ///     winter.intersection(year),
    ///     Some(Period::parse("2025-01-01", "2025-03-01")?),
    /// );
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        Self::new(self.from.max(other.from), self.until.min(other.until)).ok()
    }

    /// Returns what this period holds and the other does not, in order: none,
    /// one or two pieces.
    ///
    /// ```text
    ///  self     [===============)
    ///  other         [====)
    ///  result   [====)    [=====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let year = Period::parse("2025-01-01", "2026-01-01")?;
    /// let rest: Vec<_> = year.minus(Period::parse("2025-03-01", "2025-04-01")?).collect();
    /// assert_eq!(rest, [
    ///     Period::parse("2025-01-01", "2025-03-01")?,
    ///     Period::parse("2025-04-01", "2026-01-01")?,
    /// ]);
    /// # Ok::<(), TimeError>(())
    /// ```
    pub fn minus(self, other: Self) -> impl Iterator<Item = Self> + use<> {
        // What lies before the other's start and what lies after its end; when
        // the two are apart one of them is all of `self` and the other empty.
        [
            Self::new(self.from, self.until.min(other.from)).ok(),
            Self::new(self.from.max(other.until), self.until).ok(),
        ]
        .into_iter()
        .flatten()
    }

    /// Returns the shortest period that covers both, with whatever lies between.
    ///
    /// ```text
    ///  self     [====)
    ///  other              [====)
    ///  result   [==============)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let january = Period::parse("2025-01-01", "2025-02-01")?;
    /// let march = Period::parse("2025-03-01", "2025-04-01")?;
    /// assert_eq!(january.hull(march), Period::parse("2025-01-01", "2025-04-01")?);
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), until: self.until.max(other.until) }
    }
}

/// Prints `[from, until)`.
impl fmt::Display for Period {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "[{}, {})", self.from, self.until)
    }
}

/// Prints as [`Display`](fmt::Display) does.
impl fmt::Debug for Period {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests;
