//! Any number of instants of one axis, kept as the fewest periods.

use super::{Period, Timestamp};

/// A set of instants, kept as sorted periods that neither share an instant nor adjoin.
///
/// ```text
///  inserted   [====)[===)       [===)
///                    [===)
///  kept       [==========)      [===)
/// ```
///
/// So each period of it is a maximal piece, and two sets of the same instants
/// are equal.
///
/// ```
/// use hitherto::time::{Period, PeriodSet, TimeError};
///
/// let january = Period::parse("2025-01-01", "2025-02-01")?;
/// let february = Period::parse("2025-02-01", "2025-03-01")?;
/// let set = PeriodSet::from_iter([february, january]);
/// assert!(set.iter().eq([&january.hull(february)]));
/// # Ok::<(), TimeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PeriodSet {
    pieces: Vec<Period>,
}

impl PeriodSet {
    /// Returns the set of no instants.
    ///
    /// ```
    /// use hitherto::time::PeriodSet;
    ///
    /// assert!(PeriodSet::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { pieces: Vec::new() }
    }

    /// Says whether the set holds no instant.
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet};
    ///
    /// assert!(!PeriodSet::from_iter([Period::ALL]).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Visits the maximal pieces, the earliest first.
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet};
    ///
    /// assert_eq!(PeriodSet::from_iter([Period::ALL]).iter().count(), 1);
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, Period> {
        self.pieces.iter()
    }

    /// Adds every instant of `period`.
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet, TimeError};
    ///
    /// let mut set = PeriodSet::new();
    /// set.insert(Period::parse("2025-01-01", "2025-02-01")?);
    /// set.insert(Period::parse("2025-02-01", "2025-03-01")?);
    /// assert_eq!(set, PeriodSet::from_iter([Period::parse("2025-01-01", "2025-03-01")?]));
    /// # Ok::<(), TimeError>(())
    /// ```
    pub fn insert(&mut self, period: Period) {
        let start = self.pieces.partition_point(|piece| piece.until() < period.from());
        let end = self.pieces.partition_point(|piece| piece.from() <= period.until());
        let joined = self.pieces[start..end].iter().fold(period, |sum, piece| sum.hull(*piece));
        self.pieces.splice(start..end, [joined]);
    }

    /// Takes every instant of `period` away.
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet, TimeError};
    ///
    /// let mut set = PeriodSet::from_iter([Period::ALL]);
    /// set.remove(Period::parse("2025-01-01", "open")?);
    /// assert_eq!(set, PeriodSet::from_iter([Period::parse("beginning", "2025-01-01")?]));
    /// # Ok::<(), TimeError>(())
    /// ```
    pub fn remove(&mut self, period: Period) {
        let range = self.range(period);
        let mut left: [Option<Period>; 2] = [None, None];
        // Only the outermost two of those it meets can reach beyond it.
        if let [first, .., last] | [first @ last] = &self.pieces[range.clone()] {
            left = [
                Period::new(first.from(), period.from()).ok(),
                Period::new(period.until(), last.until()).ok(),
            ];
        }
        self.pieces.splice(range, left.into_iter().flatten());
    }

    /// Says whether the set holds `instant`.
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet, Timestamp};
    ///
    /// assert!(PeriodSet::from_iter([Period::ALL]).contains(Timestamp::MIN));
    /// ```
    #[must_use]
    pub fn contains(&self, instant: Timestamp) -> bool {
        self.piece_at(instant).is_some()
    }

    /// Returns the maximal piece that holds `instant`.
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet, TimeError, Timestamp};
    ///
    /// let january = Period::parse("2025-01-01", "2025-02-01")?;
    /// let set = PeriodSet::from_iter([january]);
    /// assert_eq!(set.piece_at(Timestamp::parse("2025-01-20")?), Some(january));
    /// assert_eq!(set.piece_at(Timestamp::parse("2025-02-01")?), None);
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn piece_at(&self, instant: Timestamp) -> Option<Period> {
        let index = self.pieces.partition_point(|piece| piece.until() <= instant);
        self.pieces.get(index).copied().filter(|piece| piece.contains(instant))
    }

    /// Says whether the set holds an instant of `period`.
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet, TimeError};
    ///
    /// let set = PeriodSet::from_iter([Period::parse("2025-01-01", "2025-02-01")?]);
    /// assert!(set.intersects(Period::ALL));
    /// assert!(!set.intersects(Period::parse("2025-02-01", "open")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn intersects(&self, period: Period) -> bool {
        !self.range(period).is_empty()
    }

    /// Returns what the set holds of `period`, in order.
    ///
    /// ```text
    ///  set      [====)    [====)  [==)
    ///  period      [========)
    ///  result      [=)    [=)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet, TimeError};
    ///
    /// let set = PeriodSet::from_iter([Period::parse("2025-01-01", "open")?]);
    /// assert_eq!(
    ///     set.within(Period::parse("2024-01-01", "2025-02-01")?),
    ///     [Period::parse("2025-01-01", "2025-02-01")?],
    /// );
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn within(&self, period: Period) -> Vec<Period> {
        let pieces = &self.pieces[self.range(period)];
        pieces.iter().filter_map(|piece| piece.intersection(period)).collect()
    }

    /// Returns what `period` has that the set does not hold, in order.
    ///
    /// ```text
    ///  set      [====)    [====)  [==)
    ///  period      [========)
    ///  result        [====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, PeriodSet, TimeError};
    ///
    /// let set = PeriodSet::from_iter([Period::parse("2025-01-01", "open")?]);
    /// assert_eq!(
    ///     set.gaps_in(Period::parse("2024-01-01", "2025-02-01")?),
    ///     [Period::parse("2024-01-01", "2025-01-01")?],
    /// );
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn gaps_in(&self, period: Period) -> Vec<Period> {
        let mut gaps = Vec::new();
        let mut reached = period.from();
        for piece in &self.pieces[self.range(period)] {
            gaps.extend(Period::new(reached, piece.from()));
            reached = piece.until();
        }
        gaps.extend(Period::new(reached, period.until()));
        gaps
    }

    /// Returns the indices of the pieces that share an instant with `period`.
    fn range(&self, period: Period) -> std::ops::Range<usize> {
        let start = self.pieces.partition_point(|piece| piece.until() <= period.from());
        let end = self.pieces.partition_point(|piece| piece.from() < period.until());
        start..end
    }
}

/// Collects in `O(n log n)`, whatever the order.
impl FromIterator<Period> for PeriodSet {
    fn from_iter<I: IntoIterator<Item = Period>>(periods: I) -> Self {
        let mut sorted: Vec<Period> = periods.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup_by(|next, kept| {
            let joins = kept.touches(*next);
            if joins {
                *kept = kept.hull(*next);
            }
            joins
        });
        Self { pieces: sorted }
    }
}

impl<'a> IntoIterator for &'a PeriodSet {
    type Item = &'a Period;
    type IntoIter = std::slice::Iter<'a, Period>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
