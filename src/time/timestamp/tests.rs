use proptest::prelude::*;

use super::*;

#[test]
fn what_is_accepted_is_printed_in_utc_with_the_digits_it_has() {
    let cases = [
        ("2025-02-01", "2025-02-01T00:00:00Z"),
        ("2025-02-01T10:30:00Z", "2025-02-01T10:30:00Z"),
        ("2025-02-01t10:30:00z", "2025-02-01T10:30:00Z"),
        ("2025-02-01T10:30:00+01:00", "2025-02-01T09:30:00Z"),
        ("2025-02-01T00:15:00+05:30", "2025-01-31T18:45:00Z"),
        ("2025-02-01T10:30:00-00:00", "2025-02-01T10:30:00Z"),
        ("2025-01-01T00:00:00+23:59", "2024-12-31T00:01:00Z"),
        ("2025-12-31T23:59:00-23:59", "2026-01-01T23:58:00Z"),
        ("2024-02-29", "2024-02-29T00:00:00Z"),
        ("2000-02-29", "2000-02-29T00:00:00Z"),
        ("2025-02-01T10:30:00.5Z", "2025-02-01T10:30:00.5Z"),
        ("2025-02-01T10:30:00.000Z", "2025-02-01T10:30:00Z"),
        ("2025-02-01T10:30:00.100200Z", "2025-02-01T10:30:00.1002Z"),
        ("2025-02-01T10:30:00.000001Z", "2025-02-01T10:30:00.000001Z"),
        // Floored, on either side of 1970 and of year 0.
        ("2025-02-01T10:30:00.1234569Z", "2025-02-01T10:30:00.123456Z"),
        ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
        ("-0001-12-31T23:59:59.00000099999999999999999999Z", "-0001-12-31T23:59:59Z"),
        ("-0044-03-15", "-0044-03-15T00:00:00Z"),
        ("0000-02-29", "0000-02-29T00:00:00Z"),
        ("-0004-02-29T12:00:00.25Z", "-0004-02-29T12:00:00.25Z"),
        ("0001-01-01T00:00:00+00:01", "0000-12-31T23:59:00Z"),
        ("0000-01-01T00:00:00+00:01", "-0001-12-31T23:59:00Z"),
        ("-9999-01-01", "-9999-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999999Z"),
        ("1990-12-31T23:59:60Z", "1990-12-31T23:59:59.999999Z"),
        ("1990-12-31T15:59:60.5-08:00", "1990-12-31T23:59:59.999999Z"),
        ("2017-01-01T05:29:60+05:30", "2016-12-31T23:59:59.999999Z"),
        ("9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999999Z"),
    ];
    for (text, printed) in cases {
        let instant = Timestamp::parse(text).expect(text);
        assert_eq!(instant.to_string(), printed, "{text}");
        assert_eq!(Timestamp::parse(printed), Ok(instant), "{text}");
        assert_eq!(Timestamp::parse_from(text), Ok(instant), "{text}");
        assert_eq!(Timestamp::parse_until(text), Ok(instant), "{text}");
    }
}

#[test]
fn what_is_no_instant_is_refused_by_the_right_name() {
    let malformed = [
        "",
        " ",
        "now",
        "beginning",
        "open",
        "2025",
        "2025-02",
        "2025-2-1",
        "20250201",
        "2025-00-01",
        "2025-13-01",
        "2025-02-00",
        "2025-02-29",
        "1900-02-29",
        "2025-04-31",
        " 2025-02-01",
        "2025-02-01 ",
        "2025-02-01Z",
        "2025-02-01+01:00",
        "2025-02-01T",
        "2025-02-01 10:30:00Z",
        "2025-02-01T10:30Z",
        "2025-02-01T10Z",
        "2025-02-01T24:00:00Z",
        "2025-02-01T10:60:00Z",
        "2025-02-01T10:30:61Z",
        "2025-02-01T10:30:60Z",
        "2025-02-01T23:59:60Z",
        "2016-12-31T23:59:60+01:00",
        "2025-02-01T10:30:00.Z",
        "2025-02-01T10:30:00,5Z",
        "2025-02-01T10:30:00.5.5Z",
        "2025-02-01T10:30:00+0100",
        "2025-02-01T10:30:00+01",
        "2025-02-01T10:30:00+24:00",
        "2025-02-01T10:30:00+01:60",
        "2025-02-01T10:30:00+1:00",
        "2025-02-01T10:30:00ZZ",
        "2025-02-01T10:30:00Z[Europe/Zurich]",
        "2025-02-01T10:30:00\u{2212}01:00",
        "+2025-02-01",
        "02025-02-01",
        "-00044-03-15",
        "-0000-01-01",
        "--044-03-15",
        "+-044-03-15",
        "٢٠٢٥-02-01",
        "10000-13-01",
        "99999999999999999999",
    ];
    for text in malformed {
        assert_eq!(Timestamp::parse(text), Err(TimeError::Instant { text: text.into() }), "{text}");
    }
    for text in ["2025-02-01T10:30:00", "2025-02-01T10:30:00.5", "-0044-03-15t00:00:00"] {
        let error = TimeError::OffsetMissing { text: text.into() };
        assert_eq!(Timestamp::parse(text), Err(error), "{text}");
    }
    let outside = [
        "10000-01-01",
        "10000-02-29",
        "+10000-01-01T00:00:00Z",
        "-10000-12-31",
        "99999999999999999999-01-01",
        "-9999-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "9999-12-31T23:59:60-00:01",
    ];
    for text in outside {
        let error = TimeError::YearOutOfRange { text: text.into() };
        assert_eq!(Timestamp::parse(text), Err(error), "{text}");
    }
}

#[test]
fn each_bound_has_its_own_word_only() {
    assert_eq!(Timestamp::parse_from("beginning"), Ok(Timestamp::BEGINNING));
    assert_eq!(Timestamp::parse_until("open"), Ok(Timestamp::OPEN));
    for word in ["open", "Beginning", "beginning "] {
        assert_eq!(Timestamp::parse_from(word), Err(TimeError::Instant { text: word.into() }));
    }
    for word in ["beginning", "OPEN", "open "] {
        assert_eq!(Timestamp::parse_until(word), Err(TimeError::Instant { text: word.into() }));
    }
    assert_eq!(Timestamp::BEGINNING.to_string(), "beginning");
    assert_eq!(format!("{:>6}", Timestamp::OPEN), "  open");
}

#[test]
fn an_error_repeats_only_the_start_of_a_long_text() {
    let error = Timestamp::parse(&"é".repeat(1_000_000)).expect_err("no instant");
    assert_eq!(error, TimeError::Instant { text: format!("{}…", "é".repeat(40)) });
}

#[test]
fn numbers_outside_of_the_range_are_refused_but_for_the_sentinels() {
    for edge in [Timestamp::MIN, Timestamp::MAX, Timestamp::BEGINNING, Timestamp::OPEN] {
        assert_eq!(Timestamp::from_micros(edge.as_micros()), Ok(edge));
    }
    for micros in [i64::MIN + 1, Timestamp::MIN.as_micros() - 1, Timestamp::MAX.as_micros() + 1, i64::MAX - 1]
    {
        let error = TimeError::MicrosOutOfRange { micros };
        assert_eq!(Timestamp::from_micros(micros), Err(error));
    }
    assert_eq!(Timestamp::MIN.to_string(), "-9999-01-01T00:00:00Z");
    assert_eq!(Timestamp::MAX.to_string(), "9999-12-31T23:59:59.999999Z");
}

#[test]
fn adding_saturates_at_the_sentinels() {
    assert_eq!(Timestamp::MAX.next(), Timestamp::OPEN);
    assert_eq!(Timestamp::OPEN.next(), Timestamp::OPEN);
    assert_eq!(Timestamp::BEGINNING.next(), Timestamp::BEGINNING);
    assert_eq!(Timestamp::MIN.saturating_add_micros(i64::MIN), Timestamp::BEGINNING);
    assert_eq!(Timestamp::MAX.saturating_add_micros(i64::MAX), Timestamp::OPEN);
    let span = Timestamp::MAX.as_micros() - Timestamp::MIN.as_micros();
    assert_eq!(Timestamp::MIN.saturating_add_micros(span), Timestamp::MAX);
    assert_eq!(Timestamp::MAX.saturating_add_micros(-span), Timestamp::MIN);
}

fn instants() -> impl Strategy<Value = Timestamp> {
    let micros = Timestamp::MIN.as_micros()..=Timestamp::MAX.as_micros();
    // Whole seconds and days are rare among microseconds and print shorter.
    (micros, prop_oneof![Just(1), Just(1_000), Just(1_000_000), Just(86_400_000_000)])
        .prop_map(|(micros, unit)| Timestamp::from_micros(micros / unit * unit).expect("nearer to 1970"))
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(instant in instants()) {
        prop_assert_eq!(Timestamp::parse(&instant.to_string()), Ok(instant));
    }

    #[test]
    fn the_order_of_instants_is_that_of_their_numbers(a in instants(), b in instants()) {
        prop_assert_eq!(a.cmp(&b), a.as_micros().cmp(&b.as_micros()));
        prop_assert!(Timestamp::BEGINNING < a && a < a.next() && a < Timestamp::OPEN);
    }

    #[test]
    fn an_offset_shifts_and_nothing_else(instant in instants(), minutes in -1_439_i64..=1_439) {
        let shifted = instant.saturating_add_micros(minutes * 60_000_000);
        prop_assume!(shifted.is_bounded());
        let sign = if minutes < 0 { '-' } else { '+' };
        let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
        let local = shifted.to_string().replace('Z', &format!("{sign}{hours:02}:{minutes:02}"));
        prop_assert_eq!(Timestamp::parse(&local), Ok(instant));
    }

    #[test]
    fn no_text_panics_and_what_is_read_prints_and_reads_the_same(
        text in prop_oneof![any::<String>(), "[-+0-9TtZz:. é]{0,40}"],
    ) {
        if let Ok(instant) = Timestamp::parse(&text) {
            prop_assert_eq!(Timestamp::parse(&instant.to_string()), Ok(instant));
        }
    }

    #[test]
    fn no_slip_in_a_good_text_panics_or_reads_as_a_sentinel(
        instant in instants(),
        at in 0_usize..28,
        slip in any::<char>(),
        replaces in any::<bool>(),
    ) {
        let mut characters: Vec<char> = instant.to_string().chars().collect();
        let at = at.min(characters.len() - 1);
        if replaces {
            characters[at] = slip;
        } else {
            characters.insert(at, slip);
        }
        let text: String = characters.into_iter().collect();
        if let Ok(read) = Timestamp::parse(&text) {
            prop_assert!(read.is_bounded());
            prop_assert_eq!(Timestamp::parse(&read.to_string()), Ok(read));
        }
    }
}
