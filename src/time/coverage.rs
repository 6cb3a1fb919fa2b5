//! Where on the plane of both axes one claim is believed.

use super::{Period, PeriodSet, Rectangle, TimeError, Timestamp};

/// The points at which one claim is believed: rectangles that share none.
///
/// A claim starts as one rectangle whose known period is open. Whenever belief
/// in part of it [`end`](Self::end)s, that part is closed and the rest stays,
/// known from when it always was:
///
/// ```text
///  known
///    ^  .       .       .       .
///    |  |       |       |       |
///    |  |       +-------+       |  <- `end` of the middle, here
///    |  |       |       |       |
///    |  +-------+-------+-------+
///    +------------------------------> valid
/// ```
///
/// A claim seldom has more than a handful of rectangles, so all look-ups go
/// through them in order.
///
/// ```
/// use hitherto::time::{Coverage, Period, Rectangle, TimeError, Timestamp};
///
/// let january = Timestamp::parse("2025-01-01")?;
/// let march = Timestamp::parse("2025-03-01")?;
/// let mut claim = Coverage::of(Rectangle { valid: Period::ALL, known: Period::since(january)? });
///
/// let year = Period::parse("2020-01-01", "2021-01-01")?;
/// assert_eq!(claim.end(year, march), [year]);
/// assert_eq!(claim.rectangles().len(), 3);
/// assert!(claim.rectangles().iter().all(|piece| piece.known.from() == january));
/// # Ok::<(), TimeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Coverage {
    /// Sorted by the start of their valid period, then of their known one.
    rectangles: Vec<Rectangle>,
}

impl Coverage {
    /// Returns the coverage of a claim that was never believed.
    ///
    /// ```
    /// use hitherto::time::Coverage;
    ///
    /// assert!(Coverage::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { rectangles: Vec::new() }
    }

    /// Returns the coverage of one rectangle.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle};
    ///
    /// let always = Rectangle { valid: Period::ALL, known: Period::ALL };
    /// assert_eq!(Coverage::of(always).rectangles(), [always]);
    /// ```
    #[must_use]
    pub fn of(rectangle: Rectangle) -> Self {
        Self { rectangles: vec![rectangle] }
    }

    /// Returns the coverage of rectangles in any order.
    ///
    /// # Errors
    ///
    /// [`TimeError::RectanglesOverlap`] if two of them share a point.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle};
    ///
    /// let always = Rectangle { valid: Period::ALL, known: Period::ALL };
    /// assert!(Coverage::from_rectangles(vec![always]).is_ok());
    /// assert!(Coverage::from_rectangles(vec![always, always]).is_err());
    /// ```
    pub fn from_rectangles(mut rectangles: Vec<Rectangle>) -> Result<Self, TimeError> {
        rectangles.sort_unstable_by_key(order);
        for (index, first) in rectangles.iter().enumerate() {
            // No rectangle that starts where this one has ended can meet it. The
            // pieces that `end` leaves never share valid time, so the inner loop
            // is short.
            let near =
                rectangles[index + 1..].iter().take_while(|second| second.valid.from() < first.valid.until());
            for second in near {
                if first.intersects(*second) {
                    return Err(TimeError::RectanglesOverlap { first: *first, second: *second });
                }
            }
        }
        Ok(Self { rectangles })
    }

    /// Returns the rectangles by the start of their valid, then of their known period.
    ///
    /// ```
    /// use hitherto::time::Coverage;
    ///
    /// assert!(Coverage::new().rectangles().is_empty());
    /// ```
    #[must_use]
    pub fn rectangles(&self) -> &[Rectangle] {
        &self.rectangles
    }

    /// Says whether the claim was never believed.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle};
    ///
    /// let always = Rectangle { valid: Period::ALL, known: Period::ALL };
    /// assert!(!Coverage::of(always).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rectangles.is_empty()
    }

    /// Adds a rectangle that shares no point with those there are.
    ///
    /// That is the caller's to see to, who writes only what is not yet
    /// believed; a debug build checks it.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle, TimeError};
    ///
    /// let mut claim = Coverage::new();
    /// claim.insert(Rectangle { valid: Period::parse("2025-01-01", "open")?, known: Period::ALL });
    /// claim.insert(Rectangle { valid: Period::parse("2024-01-01", "2025-01-01")?, known: Period::ALL });
    /// assert_eq!(claim.believed_latest().iter().count(), 1);
    /// # Ok::<(), TimeError>(())
    /// ```
    pub fn insert(&mut self, rectangle: Rectangle) {
        debug_assert!(
            !self.rectangles.iter().any(|old| old.intersects(rectangle)),
            "{rectangle} is believed already",
        );
        let index = self.rectangles.partition_point(|old| order(old) < order(&rectangle));
        self.rectangles.insert(index, rectangle);
    }

    /// Ends belief over `valid` at the known instant `at`, and returns the
    /// valid periods over which it ended, in order, one for each rectangle cut.
    ///
    /// Only rectangles still believed are touched. Each is split by valid time:
    /// the part inside `valid` is closed at `at`, the rest stays believed with
    /// its own `known_from`. A part that was first known at `at` or later would
    /// be believed at no instant; it goes without trace, and its period is
    /// among those returned. Nothing ends at [`Timestamp::OPEN`].
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle, TimeError, Timestamp};
    ///
    /// let january = Timestamp::parse("2025-01-01")?;
    /// let mut claim = Coverage::of(Rectangle { valid: Period::ALL, known: Period::since(january)? });
    /// let future = Period::parse("2026-01-01", "open")?;
    /// assert_eq!(claim.end(future, january), [future], "said and taken back in one turn");
    /// assert_eq!(claim.rectangles().len(), 1);
    /// assert_eq!(claim.end(future, january.next()), []);
    /// # Ok::<(), TimeError>(())
    /// ```
    pub fn end(&mut self, valid: Period, at: Timestamp) -> Vec<Period> {
        let mut ended = Vec::new();
        let is_cut = |piece: &Rectangle| is_latest(piece) && piece.valid.intersects(valid);
        if at == Timestamp::OPEN || !self.rectangles.iter().any(is_cut) {
            return ended;
        }
        // The pieces of one rectangle keep its place but for the last, which
        // may start after the next ones: hence the sort.
        let mut left = Vec::with_capacity(self.rectangles.len() + 2);
        for piece in self.rectangles.drain(..) {
            let Some(inside) = piece.valid.intersection(valid).filter(|_| is_latest(&piece)) else {
                left.push(piece);
                continue;
            };
            ended.push(inside);
            left.extend(piece.valid.minus(valid).map(|valid| Rectangle { valid, ..piece }));
            if let Ok(known) = Period::new(piece.known.from(), at) {
                left.push(Rectangle { valid: inside, known });
            }
        }
        left.sort_unstable_by_key(order);
        self.rectangles = left;
        ended
    }

    /// Says whether the claim held at `valid_at`, as believed at `known_at`.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle, Timestamp};
    ///
    /// let claim = Coverage::of(Rectangle { valid: Period::ALL, known: Period::ALL });
    /// assert!(claim.contains(Timestamp::MIN, Timestamp::MAX));
    /// ```
    #[must_use]
    pub fn contains(&self, valid_at: Timestamp, known_at: Timestamp) -> bool {
        self.at(valid_at, known_at).is_some()
    }

    /// Returns since when that the claim held at `valid_at` was believed, as of `known_at`.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle, TimeError, Timestamp};
    ///
    /// let january = Timestamp::parse("2025-01-01")?;
    /// let claim = Coverage::of(Rectangle { valid: Period::ALL, known: Period::since(january)? });
    /// assert_eq!(claim.known_from_at(Timestamp::MIN, Timestamp::MAX), Some(january));
    /// assert_eq!(claim.known_from_at(Timestamp::MIN, Timestamp::MIN), None);
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn known_from_at(&self, valid_at: Timestamp, known_at: Timestamp) -> Option<Timestamp> {
        self.at(valid_at, known_at).map(|piece| piece.known.from())
    }

    /// Returns when the claim held, as believed at `known_at`.
    ///
    /// Rectangles that adjoin in valid time are joined.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, PeriodSet, Rectangle, TimeError, Timestamp};
    ///
    /// let claim = Coverage::from_rectangles(vec![
    ///     Rectangle { valid: Period::parse("2024-01-01", "2025-01-01")?, known: Period::ALL },
    ///     Rectangle { valid: Period::parse("2025-01-01", "2026-01-01")?, known: Period::ALL },
    /// ])?;
    /// let both = PeriodSet::from_iter([Period::parse("2024-01-01", "2026-01-01")?]);
    /// assert_eq!(claim.believed_at(Timestamp::MIN), both);
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn believed_at(&self, known_at: Timestamp) -> PeriodSet {
        self.rectangles
            .iter()
            .filter(|piece| piece.known.contains(known_at))
            .map(|piece| piece.valid)
            .collect()
    }

    /// Returns when the claim holds as far as is known: what no belief has ended.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle, TimeError, Timestamp};
    ///
    /// let mut claim = Coverage::of(Rectangle { valid: Period::ALL, known: Period::ALL });
    /// claim.end(Period::ALL, Timestamp::parse("2025-01-01")?);
    /// assert!(claim.believed_latest().is_empty());
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn believed_latest(&self) -> PeriodSet {
        self.rectangles.iter().filter(|piece| is_latest(piece)).map(|piece| piece.valid).collect()
    }

    /// Returns the whole stretch of valid time, joined across rectangles, that
    /// was believed at `known_at` and holds `valid_at`.
    ///
    /// Allocates nothing.
    ///
    /// ```text
    ///  known
    ///    ^
    ///    |      +----+           +----+
    ///    |      |    +-----------+    |
    ///    |  ....|....|....x......|....|....  known_at
    ///    |      |    |           |    |
    ///    +------------------------------> valid
    ///           [=====================)      the piece at x
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle, TimeError, Timestamp};
    ///
    /// let claim = Coverage::from_rectangles(vec![
    ///     Rectangle { valid: Period::parse("2024-01-01", "2025-01-01")?, known: Period::ALL },
    ///     Rectangle { valid: Period::parse("2025-01-01", "open")?, known: Period::ALL },
    /// ])?;
    /// assert_eq!(
    ///     claim.piece_at(Timestamp::parse("2025-06-01")?, Timestamp::MAX),
    ///     Some(Period::parse("2024-01-01", "open")?),
    /// );
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn piece_at(&self, valid_at: Timestamp, known_at: Timestamp) -> Option<Period> {
        if let [only] = self.rectangles[..] {
            return only.contains(valid_at, known_at).then_some(only.valid);
        }
        // What is believed at one known instant is disjoint in valid time, and
        // in order: one walk joins the run that reaches or passes the point.
        let mut run: Option<Period> = None;
        for piece in self.rectangles.iter().filter(|piece| piece.known.contains(known_at)) {
            run = match run {
                Some(run) if run.meets(piece.valid) => Some(run.hull(piece.valid)),
                Some(run) if run.contains(valid_at) => return Some(run),
                _ => Some(piece.valid),
            };
        }
        run.filter(|run| run.contains(valid_at))
    }

    /// Returns the earliest known instant at which belief in any of it ended.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle, TimeError, Timestamp};
    ///
    /// let mut claim = Coverage::of(Rectangle { valid: Period::ALL, known: Period::ALL });
    /// assert_eq!(claim.first_end(), None);
    /// let january = Timestamp::parse("2025-01-01")?;
    /// claim.end(Period::ALL, january);
    /// assert_eq!(claim.first_end(), Some(january));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn first_end(&self) -> Option<Timestamp> {
        self.rectangles.iter().map(|piece| piece.known.until()).filter(|until| *until < Timestamp::OPEN).min()
    }

    /// Returns the smallest rectangle that covers all of it.
    ///
    /// ```
    /// use hitherto::time::{Coverage, Period, Rectangle};
    ///
    /// let always = Rectangle { valid: Period::ALL, known: Period::ALL };
    /// assert_eq!(Coverage::of(always).hull(), Some(always));
    /// assert_eq!(Coverage::new().hull(), None);
    /// ```
    #[must_use]
    pub fn hull(&self) -> Option<Rectangle> {
        self.rectangles.iter().copied().reduce(|sum, piece| Rectangle {
            valid: sum.valid.hull(piece.valid),
            known: sum.known.hull(piece.known),
        })
    }

    fn at(&self, valid_at: Timestamp, known_at: Timestamp) -> Option<&Rectangle> {
        self.rectangles.iter().find(|piece| piece.contains(valid_at, known_at))
    }
}

fn order(rectangle: &Rectangle) -> (Timestamp, Timestamp) {
    (rectangle.valid.from(), rectangle.known.from())
}

/// Says whether the rectangle is believed still, whatever the clock says.
fn is_latest(rectangle: &Rectangle) -> bool {
    rectangle.known.until() == Timestamp::OPEN
}

#[cfg(test)]
mod tests;
