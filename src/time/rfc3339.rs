//! Reads and prints RFC 3339, and converts days to calendar dates and back.
//!
//! Written by hand because both directions are hot (every fact read prints
//! four instants) and because the years before 0000 and the digits below the
//! microsecond follow this store's rules and no library's.

use std::fmt;

pub(super) const SECOND: i64 = 1_000_000;
pub(super) const DAY: i64 = 86_400 * SECOND;

/// The first microsecond of year -9999.
pub(super) const FIRST: i64 = days_of(-9_999, 1, 1) * DAY;
/// The last microsecond of year 9999.
pub(super) const LAST: i64 = days_of(10_000, 1, 1) * DAY - 1;

/// Why a text is no instant.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Malformed,
    OffsetMissing,
    OutOfRange,
}

/// Reads a date or a date-time with an offset as microseconds since 1970.
pub(super) fn read(text: &str) -> Result<i64, Fault> {
    let mut cursor = Cursor(text.as_bytes());
    let year = cursor.year()?;
    // The month and day of a year out of range are still checked for form, so
    // that rubbish is called rubbish. 2000 stands in for it, a leap year.
    let calendar_year = year.unwrap_or(2_000);
    cursor.expect(b'-')?;
    let month = cursor.two_digits(1, 12)?;
    cursor.expect(b'-')?;
    let day = cursor.two_digits(1, days_in_month(calendar_year, month))?;
    let clock = if cursor.0.is_empty() { Clock::MIDNIGHT } else { cursor.clock()? };

    if year.is_none() {
        return Err(Fault::OutOfRange);
    }
    let micros = days_of(calendar_year, month, day) * DAY + clock.micros;
    if !(FIRST..=LAST).contains(&micros) {
        return Err(Fault::OutOfRange);
    }
    if clock.leap_second && !ends_a_month(micros) {
        return Err(Fault::Malformed);
    }
    Ok(micros)
}

/// Prints an instant of the range with `Z` and the digits it has, no others.
pub(super) fn print(micros: i64, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (year, month, day) = date_of(micros.div_euclid(DAY));
    let within_day = micros.rem_euclid(DAY);
    let seconds = within_day / SECOND;

    let mut line = Line { bytes: [0; LONGEST], len: 0 };
    if year < 0 {
        line.push(b'-');
    }
    line.digits::<4>(year.abs());
    line.push(b'-');
    line.digits::<2>(month);
    line.push(b'-');
    line.digits::<2>(day);
    line.push(b'T');
    line.digits::<2>(seconds / 3_600);
    line.push(b':');
    line.digits::<2>(seconds / 60 % 60);
    line.push(b':');
    line.digits::<2>(seconds % 60);
    let fraction = within_day % SECOND;
    if 0 < fraction {
        line.push(b'.');
        line.digits::<6>(fraction);
        while line.bytes[line.len - 1] == b'0' {
            line.len -= 1;
        }
    }
    line.push(b'Z');
    out.pad(str::from_utf8(&line.bytes[..line.len]).expect("only ASCII was pushed"))
}

/// The time of day, its offset already taken off, so it may lie a day outside.
struct Clock {
    micros: i64,
    leap_second: bool,
}

impl Clock {
    const MIDNIGHT: Self = Self { micros: 0, leap_second: false };
}

/// What is left to read.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    /// Reads a year; `None` is one that is well-formed and out of range.
    fn year(&mut self) -> Result<Option<i64>, Fault> {
        let plus = self.eat(b'+');
        let minus = !plus && self.eat(b'-');
        let len = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(len);
        self.0 = rest;
        if len == 4 && !plus {
            let year = digits.iter().fold(0, |sum, byte| sum * 10 + i64::from(byte - b'0'));
            return match (minus, year) {
                // ISO 8601 knows no second year zero.
                (true, 0) => Err(Fault::Malformed),
                (true, year) => Ok(Some(-year)),
                (false, year) => Ok(Some(year)),
            };
        }
        let leading_zeros = digits.iter().take_while(|byte| **byte == b'0').count();
        // One spelling for each year: "+2025" and "02025" are refused.
        if 4 < len - leading_zeros { Ok(None) } else { Err(Fault::Malformed) }
    }

    fn clock(&mut self) -> Result<Clock, Fault> {
        if !self.eat(b'T') && !self.eat(b't') {
            return Err(Fault::Malformed);
        }
        let hour = self.two_digits(0, 23)?;
        self.expect(b':')?;
        let minute = self.two_digits(0, 59)?;
        self.expect(b':')?;
        let second = self.two_digits(0, 60)?;
        let fraction = if self.eat(b'.') { self.fraction()? } else { 0 };
        let offset = self.offset()?;
        if !self.0.is_empty() {
            return Err(Fault::Malformed);
        }
        let leap_second = second == 60;
        let within_minute = if leap_second { 60 * SECOND - 1 } else { second * SECOND + fraction };
        let micros = (hour * 60 + minute - offset) * 60 * SECOND + within_minute;
        Ok(Clock { micros, leap_second })
    }

    /// Reads one digit or more, and drops those below the microsecond: that
    /// floors, since a fraction counts upwards in years before 1970 too.
    fn fraction(&mut self) -> Result<i64, Fault> {
        let mut fraction = 0;
        let mut unit = SECOND / 10;
        let mut seen = false;
        while let [digit @ b'0'..=b'9', rest @ ..] = self.0 {
            fraction += i64::from(digit - b'0') * unit;
            unit /= 10;
            seen = true;
            self.0 = rest;
        }
        if seen { Ok(fraction) } else { Err(Fault::Malformed) }
    }

    /// Reads an offset in minutes east of UTC.
    fn offset(&mut self) -> Result<i64, Fault> {
        if self.0.is_empty() {
            return Err(Fault::OffsetMissing);
        }
        if self.eat(b'Z') || self.eat(b'z') {
            return Ok(0);
        }
        let sign = if self.eat(b'-') { -1 } else { 1 };
        if 0 < sign {
            self.expect(b'+')?;
        }
        let hours = self.two_digits(0, 23)?;
        self.expect(b':')?;
        Ok(sign * (hours * 60 + self.two_digits(0, 59)?))
    }

    fn two_digits(&mut self, least: i64, most: i64) -> Result<i64, Fault> {
        let [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] = self.0 else {
            return Err(Fault::Malformed);
        };
        let number = i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
        self.0 = rest;
        if (least..=most).contains(&number) { Ok(number) } else { Err(Fault::Malformed) }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.eat(byte) { Ok(()) } else { Err(Fault::Malformed) }
    }

    fn eat(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }
}

/// The length of `-9999-12-31T23:59:59.999999Z`.
const LONGEST: usize = 28;

/// A line being printed, on the stack.
struct Line {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Line {
    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    #[expect(clippy::cast_sign_loss, reason = "a digit of a number that is not negative")]
    fn digits<const WIDTH: usize>(&mut self, mut number: i64) {
        for place in (self.len..self.len + WIDTH).rev() {
            self.bytes[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.len += WIDTH;
    }
}

/// Returns the days from 1970-01-01 to a date of the proleptic Gregorian
/// calendar, year 0 being 1 BC. After Howard Hinnant's `days_from_civil`: years
/// are counted from March, so that the leap day is a year's last.
const fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let march_year = if month <= 2 { year - 1 } else { year };
    let era = march_year.div_euclid(400);
    let year_of_era = march_year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * DAYS_OF_ERA + day_of_era - DAYS_TO_1970
}

/// Returns the date `days` after 1970-01-01: the inverse of [`days_of`].
const fn date_of(days: i64) -> (i64, i64, i64) {
    let since_year_zero = days + DAYS_TO_1970;
    let era = since_year_zero.div_euclid(DAYS_OF_ERA);
    let in_era = since_year_zero.rem_euclid(DAYS_OF_ERA);
    let year_of_era = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let day_of_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = (march_month + 2) % 12 + 1;
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

/// The days of 400 years, after which the calendar repeats.
const DAYS_OF_ERA: i64 = 146_097;
/// The days from 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Says whether `micros` is the last microsecond of a month in UTC, the only
/// place where a leap second is put.
fn ends_a_month(micros: i64) -> bool {
    let next = micros + 1;
    next.rem_euclid(DAY) == 0 && date_of(next.div_euclid(DAY)).2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_the_range_agrees_with_a_calendar_walked_by_hand() {
        let mut days = days_of(-9_999, 1, 1);
        for year in -9_999..=9_999 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    assert_eq!(days_of(year, month, day), days);
                    assert_eq!(date_of(days), (year, month, day));
                    days += 1;
                }
            }
        }
        assert_eq!(days * DAY - 1, LAST);
        assert_eq!(days_of(1970, 1, 1), 0);
        assert_eq!(days_of(2000, 2, 29), 11_016);
    }
}
