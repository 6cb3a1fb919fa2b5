//! A period of each axis.

use std::fmt;

use super::{Period, Timestamp};

/// When a claim held, by when the store believed so.
///
/// ```text
///  known
///    ^
///    |      +-----------+ known.until
///    |      |           |
///    |      |           |
///    |      +-----------+ known.from
///    |    valid.from  valid.until
///    +-----------------------------> valid
/// ```
///
/// Half-open on both axes, as its periods are. Both fields are free: a
/// rectangle has no rule of its own beyond theirs.
///
/// ```
/// use hitherto::time::{Period, Rectangle, TimeError, Timestamp};
///
/// let job = Rectangle {
///     valid: Period::parse("2024-05-01", "2025-02-01")?,
///     known: Period::parse("2024-06-15", "open")?,
/// };
/// let may = Timestamp::parse("2024-05-20")?;
/// assert!(job.contains(may, Timestamp::parse("2025-01-01")?));
/// assert!(!job.contains(may, may), "nobody had said so yet");
/// # Ok::<(), TimeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rectangle {
    /// When it holds in the world.
    pub valid: Period,
    /// When the store believed that.
    pub known: Period,
}

impl Rectangle {
    /// Says whether the claim held at `valid_at`, as believed at `known_at`.
    ///
    /// ```
    /// use hitherto::time::{Period, Rectangle, Timestamp};
    ///
    /// let always = Rectangle { valid: Period::ALL, known: Period::ALL };
    /// assert!(always.contains(Timestamp::MIN, Timestamp::MAX));
    /// ```
    #[must_use]
    pub fn contains(self, valid_at: Timestamp, known_at: Timestamp) -> bool {
        self.valid.contains(valid_at) && self.known.contains(known_at)
    }

    /// Says whether the two rectangles share a point.
    ///
    /// ```
    /// use hitherto::time::{Period, Rectangle, TimeError};
    ///
    /// let before = Rectangle { valid: Period::ALL, known: Period::parse("beginning", "2025-01-01")? };
    /// let after = Rectangle { valid: Period::ALL, known: Period::parse("2025-01-01", "open")? };
    /// assert!(before.intersects(before));
    /// assert!(!before.intersects(after));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn intersects(self, other: Self) -> bool {
        self.valid.intersects(other.valid) && self.known.intersects(other.known)
    }

    /// Returns the points that both rectangles hold, if there are any.
    ///
    /// ```
    /// use hitherto::time::{Period, Rectangle, TimeError};
    ///
    /// let half = Period::parse("2025-01-01", "open")?;
    /// let tall = Rectangle { valid: half, known: Period::ALL };
    /// let wide = Rectangle { valid: Period::ALL, known: half };
    /// assert_eq!(tall.intersection(wide), Some(Rectangle { valid: half, known: half }));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        Some(Self {
            valid: self.valid.intersection(other.valid)?,
            known: self.known.intersection(other.known)?,
        })
    }

    /// Returns the points this rectangle holds and the other does not, as up
    /// to four rectangles that share none, by valid then by known start.
    ///
    /// The cut runs along known time first, so that what is left on either
    /// side in valid time keeps the whole known period: a correction in the
    /// middle does not make the rest newly known.
    ///
    /// ```text
    ///      +-----+-------+-----+
    ///      |     |   3   |     |
    ///      |     +-------+     |
    ///      |  1  | other |  4  |
    ///      |     +-------+     |
    ///      |     |   2   |     |
    ///      +-----+-------+-----+
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, Rectangle, TimeError};
    ///
    /// let all = Rectangle { valid: Period::ALL, known: Period::ALL };
    /// let year = Period::parse("2025-01-01", "2026-01-01")?;
    /// let hole = Rectangle { valid: year, known: year };
    /// let rest: Vec<_> = all.minus(hole).collect();
    /// assert_eq!(rest.len(), 4);
    /// assert_eq!(rest[0].known, Period::ALL);
    /// assert_eq!(rest[1].valid, year);
    /// # Ok::<(), TimeError>(())
    /// ```
    pub fn minus(self, other: Self) -> impl Iterator<Item = Self> + use<> {
        let pieces = if let Some(shared) = self.intersection(other) {
            let [left, right] = beside(self.valid, shared.valid);
            let [below, above] = beside(self.known, shared.known);
            let side = |valid| Self { valid, known: self.known };
            let middle = |known| Self { valid: shared.valid, known };
            [left.map(side), below.map(middle), above.map(middle), right.map(side)]
        } else {
            [Some(self), None, None, None]
        };
        pieces.into_iter().flatten()
    }
}

/// Returns what `whole` has before `part` and what it has after, `part` lying in it.
fn beside(whole: Period, part: Period) -> [Option<Period>; 2] {
    [Period::new(whole.from(), part.from()).ok(), Period::new(part.until(), whole.until()).ok()]
}

/// Prints `valid [from, until) known [from, until)`.
impl fmt::Display for Rectangle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "valid {} known {}", self.valid, self.known)
    }
}

/// Prints as [`Display`](fmt::Display) does.
impl fmt::Debug for Rectangle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}
