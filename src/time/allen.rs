//! Allen's thirteen relations between two periods.
//!
//! The file is longer than most because each relation is drawn where it is
//! named. The names are Allen's: *overlaps* is the strict one, which starts
//! first and ends within; that two periods share an instant is
//! [`Period::intersects`].

use std::cmp::Ordering::{Equal, Greater, Less};

use super::Period;

/// How one period lies to another.
///
/// Of any two periods exactly one of the thirteen holds. They are listed from
/// the earliest to the latest, and the inverse of each stands in its mirror
/// place.
///
/// ```
/// use hitherto::time::{Allen, Period, TimeError};
///
/// let january = Period::parse("2025-01-01", "2025-02-01")?;
/// let year = Period::parse("2025-01-01", "2026-01-01")?;
/// assert_eq!(january.allen(year), Allen::Starts);
/// assert_eq!(year.allen(january), Allen::StartedBy);
/// # Ok::<(), TimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allen {
    /// The period ends before the other starts, with a gap between.
    ///
    /// ```text
    ///  self   [=====)
    ///  other           [=====)
    /// ```
    Before,

    /// The period ends when the other starts.
    ///
    /// ```text
    ///  self   [=====)
    ///  other        [=====)
    /// ```
    Meets,

    /// The period starts first, ends within the other.
    ///
    /// ```text
    ///  self   [=======)
    ///  other      [=======)
    /// ```
    Overlaps,

    /// The period starts with the other and ends first.
    ///
    /// ```text
    ///  self   [====)
    ///  other  [=========)
    /// ```
    Starts,

    /// The period starts after the other and ends before it does.
    ///
    /// ```text
    ///  self      [====)
    ///  other  [==========)
    /// ```
    During,

    /// The period starts after the other and ends with it.
    ///
    /// ```text
    ///  self        [====)
    ///  other  [=========)
    /// ```
    Finishes,

    /// The period is the other.
    ///
    /// ```text
    ///  self   [=========)
    ///  other  [=========)
    /// ```
    Equals,

    /// The period starts before the other and ends with it.
    ///
    /// ```text
    ///  self   [=========)
    ///  other       [====)
    /// ```
    FinishedBy,

    /// The period starts before the other and ends after it.
    ///
    /// ```text
    ///  self   [==========)
    ///  other     [====)
    /// ```
    Contains,

    /// The period starts with the other and ends after it.
    ///
    /// ```text
    ///  self   [=========)
    ///  other  [====)
    /// ```
    StartedBy,

    /// The period starts within the other and ends after it.
    ///
    /// ```text
    ///  self       [=======)
    ///  other  [=======)
    /// ```
    OverlappedBy,

    /// The period starts when the other ends.
    ///
    /// ```text
    ///  self         [=====)
    ///  other  [=====)
    /// ```
    MetBy,

    /// The period starts after the other has ended, with a gap between.
    ///
    /// ```text
    ///  self            [=====)
    ///  other  [=====)
    /// ```
    After,
}

impl Allen {
    /// The thirteen, from the earliest to the latest.
    pub const ALL: [Self; 13] = [
        Self::Before,
        Self::Meets,
        Self::Overlaps,
        Self::Starts,
        Self::During,
        Self::Finishes,
        Self::Equals,
        Self::FinishedBy,
        Self::Contains,
        Self::StartedBy,
        Self::OverlappedBy,
        Self::MetBy,
        Self::After,
    ];

    /// Returns how the other period lies to this one.
    ///
    /// ```
    /// use hitherto::time::Allen;
    ///
    /// assert_eq!(Allen::Before.inverse(), Allen::After);
    /// assert_eq!(Allen::Equals.inverse(), Allen::Equals);
    /// ```
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Before => Self::After,
            Self::Meets => Self::MetBy,
            Self::Overlaps => Self::OverlappedBy,
            Self::Starts => Self::StartedBy,
            Self::During => Self::Contains,
            Self::Finishes => Self::FinishedBy,
            Self::Equals => Self::Equals,
            Self::FinishedBy => Self::Finishes,
            Self::Contains => Self::During,
            Self::StartedBy => Self::Starts,
            Self::OverlappedBy => Self::Overlaps,
            Self::MetBy => Self::Meets,
            Self::After => Self::Before,
        }
    }
}

/// The thirteen, one predicate each. In the drawings time runs to the right.
impl Period {
    /// Returns which of the thirteen relations this period has to the other.
    ///
    /// ```
    /// use hitherto::time::{Allen, Period, TimeError};
    ///
    /// let january = Period::parse("2025-01-01", "2025-02-01")?;
    /// assert_eq!(january.allen(Period::parse("2025-02-01", "open")?), Allen::Meets);
    /// assert_eq!(january.allen(Period::ALL), Allen::During);
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn allen(self, other: Self) -> Allen {
        match (self.from().cmp(&other.from()), self.until().cmp(&other.until())) {
            (Equal, Equal) => Allen::Equals,
            (Equal, Less) => Allen::Starts,
            (Equal, Greater) => Allen::StartedBy,
            (Greater, Less) => Allen::During,
            (Less, Greater) => Allen::Contains,
            (Greater, Equal) => Allen::Finishes,
            (Less, Equal) => Allen::FinishedBy,
            (Less, Less) => match self.until().cmp(&other.from()) {
                Less => Allen::Before,
                Equal => Allen::Meets,
                Greater => Allen::Overlaps,
            },
            (Greater, Greater) => match self.from().cmp(&other.until()) {
                Greater => Allen::After,
                Equal => Allen::MetBy,
                Less => Allen::OverlappedBy,
            },
        }
    }

    /// Says whether the period ends before the other starts, with a gap between.
    ///
    /// ```text
    ///  self   [=====)
    ///  other           [=====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-01-01", "2025-02-01")?;
    /// assert!(period.before(Period::parse("2025-03-01", "2025-04-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn before(self, other: Self) -> bool {
        self.until() < other.from()
    }

    /// Says whether the period ends when the other starts.
    ///
    /// ```text
    ///  self   [=====)
    ///  other        [=====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-01-01", "2025-02-01")?;
    /// assert!(period.meets(Period::parse("2025-02-01", "2025-03-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.until() == other.from()
    }

    /// Says whether the period starts first, ends within the other.
    ///
    /// ```text
    ///  self   [=======)
    ///  other      [=======)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-01-01", "2025-03-01")?;
    /// assert!(period.overlaps(Period::parse("2025-02-01", "2025-04-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.from() < other.from() && other.from() < self.until() && self.until() < other.until()
    }

    /// Says whether the period starts with the other and ends first.
    ///
    /// ```text
    ///  self   [====)
    ///  other  [=========)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-01-01", "2025-02-01")?;
    /// assert!(period.starts(Period::parse("2025-01-01", "2025-03-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn starts(self, other: Self) -> bool {
        self.from() == other.from() && self.until() < other.until()
    }

    /// Says whether the period starts after the other and ends before it does.
    ///
    /// ```text
    ///  self      [====)
    ///  other  [==========)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-02-01", "2025-03-01")?;
    /// assert!(period.during(Period::parse("2025-01-01", "2025-04-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn during(self, other: Self) -> bool {
        other.from() < self.from() && self.until() < other.until()
    }

    /// Says whether the period starts after the other and ends with it.
    ///
    /// ```text
    ///  self        [====)
    ///  other  [=========)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-02-01", "2025-03-01")?;
    /// assert!(period.finishes(Period::parse("2025-01-01", "2025-03-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn finishes(self, other: Self) -> bool {
        other.from() < self.from() && self.until() == other.until()
    }

    /// Says whether the period is the other.
    ///
    /// ```text
    ///  self   [=========)
    ///  other  [=========)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-01-01", "2025-03-01")?;
    /// assert!(period.equals(Period::parse("2025-01-01", "2025-03-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn equals(self, other: Self) -> bool {
        self == other
    }

    /// Says whether the period starts before the other and ends with it.
    ///
    /// ```text
    ///  self   [=========)
    ///  other       [====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-01-01", "2025-03-01")?;
    /// assert!(period.finished_by(Period::parse("2025-02-01", "2025-03-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn finished_by(self, other: Self) -> bool {
        other.finishes(self)
    }

    /// Says whether the period starts before the other and ends after it.
    ///
    /// ```text
    ///  self   [==========)
    ///  other     [====)
    /// ```
    ///
    /// Its name is *contains*, which [`contains`](Self::contains) uses for an
    /// instant; [`covers`](Self::covers) lets the ends coincide.
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-01-01", "2025-04-01")?;
    /// assert!(period.contains_period(Period::parse("2025-02-01", "2025-03-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn contains_period(self, other: Self) -> bool {
        other.during(self)
    }

    /// Says whether the period starts with the other and ends after it.
    ///
    /// ```text
    ///  self   [=========)
    ///  other  [====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-01-01", "2025-03-01")?;
    /// assert!(period.started_by(Period::parse("2025-01-01", "2025-02-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn started_by(self, other: Self) -> bool {
        other.starts(self)
    }

    /// Says whether the period starts within the other and ends after it.
    ///
    /// ```text
    ///  self       [=======)
    ///  other  [=======)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-02-01", "2025-04-01")?;
    /// assert!(period.overlapped_by(Period::parse("2025-01-01", "2025-03-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn overlapped_by(self, other: Self) -> bool {
        other.overlaps(self)
    }

    /// Says whether the period starts when the other ends.
    ///
    /// ```text
    ///  self         [=====)
    ///  other  [=====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-02-01", "2025-03-01")?;
    /// assert!(period.met_by(Period::parse("2025-01-01", "2025-02-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn met_by(self, other: Self) -> bool {
        other.meets(self)
    }

    /// Says whether the period starts after the other has ended, with a gap between.
    ///
    /// ```text
    ///  self            [=====)
    ///  other  [=====)
    /// ```
    ///
    /// ```
    /// use hitherto::time::{Period, TimeError};
    ///
    /// let period = Period::parse("2025-03-01", "2025-04-01")?;
    /// assert!(period.after(Period::parse("2025-01-01", "2025-02-01")?));
    /// # Ok::<(), TimeError>(())
    /// ```
    #[must_use]
    pub fn after(self, other: Self) -> bool {
        other.before(self)
    }
}
