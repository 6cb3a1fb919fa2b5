//! Instants as the tests read them, by a reckoning of their own.

/// Microseconds of a day.
pub(crate) const DAY: i64 = 86_400_000_000;

/// Returns the microseconds since 1970 of a date or an RFC 3339 instant.
pub(crate) fn micros(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let (sign, rest) = match bytes.first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let number = |part: Option<&str>, width: usize| -> Option<i64> {
        let part = part?;
        (part.len() == width && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let dash = |place: usize| (rest.as_bytes().get(place) == Some(&b'-')).then_some(());
    let year = sign * number(rest.get(..4), 4)?;
    dash(4)?;
    let month = number(rest.get(5..7), 2)?;
    dash(7)?;
    let day = number(rest.get(8..10), 2)?;
    let days = days_from_civil(year, month, day);
    let Some(time) = rest.get(10..).filter(|time| !time.is_empty()) else { return Some(days * DAY) };
    let time = time.strip_prefix(['T', 't', ' '])?;
    let colons = time.as_bytes().get(2) == Some(&b':') && time.as_bytes().get(5) == Some(&b':');
    let (hour, minute, second) =
        (number(time.get(..2), 2)?, number(time.get(3..5), 2)?, number(time.get(6..8), 2)?);
    let after = time.get(8..).filter(|_| colons)?;
    let (fraction, offset) = match after.strip_prefix('.') {
        None => (0, after),
        Some(after) => {
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let shown: String = after[..digits].chars().chain("000000".chars()).take(6).collect();
            (shown.parse::<i64>().ok().filter(|_| digits > 0)?, &after[digits..])
        }
    };
    let offset = match offset {
        "Z" | "z" => 0,
        other => {
            let sign = if other.starts_with('-') { -1 } else { 1 };
            let part = other.strip_prefix(['+', '-'])?;
            (part.len() == 5).then_some(())?;
            sign * (number(part.get(..2), 2)? * 60 + number(part.get(3..5), 2)?)
        }
    };
    let seconds = hour * 3_600 + (minute - offset) * 60 + second;
    Some(days * DAY + seconds * 1_000_000 + fraction)
}

/// Returns the days from 1970-01-01 to a day of the proleptic Gregorian calendar.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the date of a number of days after 2020-01-01.
pub(crate) fn day(number: i64) -> String {
    // The inverse of the reckoning above.
    let shifted = number + 18_262 + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[test]
fn instants_are_read_by_what_they_mean() {
    for (text, expected) in [
        ("1970-01-01", Some(0)),
        ("1969-12-31T23:59:59.999999Z", Some(-1)),
        ("2020-01-01", Some(18_262 * DAY)),
        ("2000-02-29T00:00:00+00:00", Some(11_016 * DAY)),
        ("2000-02-29T01:30:00+01:30", Some(11_016 * DAY)),
        ("2000-02-28T22:30:00-01:30", Some(11_016 * DAY)),
        ("1970-01-01T00:00:00.0000019Z", Some(1)),
        ("1970-01-01T00:00:00", None),
        ("1970-01-01T00:00:00.Z", None),
        ("north gate", None),
        ("2020-01-0x", None),
        ("open", None),
        ("", None),
    ] {
        assert_eq!(micros(text), expected, "{text}");
    }
}

#[test]
fn days_are_written_as_the_dates_they_are() {
    for number in [-400_000, -40_000, -1, 0, 59, 60, 366, 40_000] {
        assert_eq!(micros(&day(number)), Some((18_262 + number) * DAY), "{number}");
    }
    assert_eq!(day(0), "2020-01-01");
    assert_eq!(day(60), "2020-03-01");
}
