//! What can be wrong with an instant, a period or a set of rectangles.

use super::{Rectangle, Timestamp};

/// How much of a refused text an error repeats, in characters: enough to know
/// it again, not enough for a megabyte to travel through a log.
const SHOWN: usize = 40;

/// Reports a value that is no time.
///
/// The text that an error carries is the one given, cut to 40 characters.
///
/// ```
/// use hitherto::time::{TimeError, Timestamp};
///
/// let error = Timestamp::parse("2025-02-01T10:00:00").unwrap_err();
/// assert!(matches!(error, TimeError::OffsetMissing { .. }));
/// assert_eq!(error.code(), "offset_missing");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The text is neither an RFC 3339 date-time nor a date.
    #[error("{text:?} is not an instant: expected 2025-02-01T09:30:00Z or 2025-02-01")]
    Instant {
        /// The text given.
        text: String,
    },

    /// The text is a date-time that does not say which offset it is in.
    #[error("{text:?} has no offset from UTC: end it with Z or with one like +01:00")]
    OffsetMissing {
        /// The text given.
        text: String,
    },

    /// The text is an instant before year -9999 or after year 9999.
    #[error("{text:?} is outside the years -9999 to 9999")]
    YearOutOfRange {
        /// The text given.
        text: String,
    },

    /// The number is no instant between year -9999 and year 9999, and neither sentinel.
    #[error("{micros} microseconds from 1970 is outside the years -9999 to 9999")]
    MicrosOutOfRange {
        /// The number given.
        micros: i64,
    },

    /// The period would end where it starts, or before.
    #[error("valid_from {from} is not before valid_until {until}")]
    PeriodInverted {
        /// The start given.
        from: Timestamp,
        /// The end given.
        until: Timestamp,
    },

    /// Two rectangles of one claim share a point.
    #[error("rectangle {first} overlaps {second}")]
    RectanglesOverlap {
        /// The one that starts first in valid time.
        first: Rectangle,
        /// The other.
        second: Rectangle,
    },
}

impl TimeError {
    /// Returns the stable word for this error on every surface.
    ///
    /// ```
    /// use hitherto::time::Period;
    ///
    /// let error = Period::parse("2025-02-01", "2025-02-01").unwrap_err();
    /// assert_eq!(error.code(), "period_inverted");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Instant { .. } => "instant_invalid",
            Self::OffsetMissing { .. } => "offset_missing",
            Self::YearOutOfRange { .. } | Self::MicrosOutOfRange { .. } => "year_out_of_range",
            Self::PeriodInverted { .. } => "period_inverted",
            Self::RectanglesOverlap { .. } => "rectangles_overlap",
        }
    }
}

/// Returns `text` as an error repeats it.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
