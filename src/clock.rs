//! The only reader of wall time.

use crate::time::Timestamp;

/// Tells the time.
///
/// Known time does not follow it blindly: a stamp is never at or before the
/// newest one, whatever the clock says.
///
/// ```
/// use hitherto::{Clock, SystemClock, time::Timestamp};
///
/// assert!(SystemClock.now() > Timestamp::parse("2025-01-01")?);
/// # Ok::<(), hitherto::time::TimeError>(())
/// ```
pub trait Clock: Send + Sync {
    /// Returns the current instant.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
///
/// ```
/// use hitherto::{Clock, SystemClock};
///
/// assert!(SystemClock.now().is_bounded());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let nanos = ::time::OffsetDateTime::now_utc().unix_timestamp_nanos();
        let micros = i64::try_from(nanos.div_euclid(1000)).unwrap_or(i64::MAX);
        // A clock outside the years that can be stored reads as their edge.
        Timestamp::from_micros(micros.clamp(Timestamp::MIN.as_micros(), Timestamp::MAX.as_micros()))
            .unwrap_or(Timestamp::MAX)
    }
}
