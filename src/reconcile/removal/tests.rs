use super::words::SARCASM;
use super::*;
use proptest::prelude::*;

/// Checks one table of (message, value) against one answer.
fn check(table: &[(&str, &str)], expected: bool) {
    for (raw, value) in table {
        assert_eq!(definite_removal(raw, value), expected, "{raw:?} of {value:?}");
    }
}

#[test]
fn every_removal_phrase_removes_what_its_clause_names() {
    for (phrase, _) in REMOVAL {
        for raw in [
            format!("news: {phrase} (Kestrel)"),
            format!("NEWS: {} KESTREL.", phrase.to_uppercase()),
            format!("we kept Bellboy, {} Kestrel", phrase.replace('\'', "’")),
        ] {
            assert!(definite_removal(&raw, "Kestrel"), "{raw}");
        }
        assert!(!definite_removal(&format!("{phrase} Bellboy, Kestrel stays"), "Kestrel"));
        assert!(!definite_removal(&format!("not {phrase} Kestrel"), "Kestrel"));
        assert!(!definite_removal(&format!("x{phrase} Kestrel"), "Kestrel"), "{phrase}");
    }
}

#[test]
fn every_hedge_and_sarcasm_marker_blocks_wherever_it_stands() {
    for marker in HEDGE.iter().chain(SARCASM) {
        for raw in [
            format!("{marker} Kestrel was dropped"),
            format!("Kestrel was dropped {marker}"),
            format!("Kestrel was dropped. {} !", marker.to_uppercase()),
            format!("({marker}) we no longer use Kestrel"),
        ] {
            assert!(!definite_removal(&raw, "Kestrel"), "{raw}");
        }
    }
}

#[test]
fn a_marker_inside_a_word_or_in_the_value_is_none() {
    check(
        &[
            ("we no longer have Lollipop Co", "Lollipop Co"),
            ("we dropped Maybe Corp", "Maybe Corp"),
            ("we removed Not Sure Yet Ltd.", "not sure yet LTD"),
            ("we dropped src/summary from Kestrel, Kestrel was retired", "Kestrel"),
            ("limit of 10 m/s: no longer Kestrel", "Kestrel"),
            ("Kestrel was dropped (see /srv/lolly.txt)", "Kestrel"),
        ],
        true,
    );
    check(
        &[
            ("sponsor is Retired Ltd", "Retired Ltd"),
            ("the band is No More Heroes", "No More Heroes"),
            ("Kestrel is left-handed", "Kestrel"),
            ("Kestrel quite suits us", "Kestrel"),
            ("Kestrel was airdropped", "Kestrel"),
            ("a skilled Kestrel", "Kestrel"),
            ("Retired Ltd, not Retired", "Retired Ltd"),
        ],
        false,
    );
}

#[test]
fn the_clause_that_names_the_value_decides() {
    check(
        &[
            ("we dropped Pagerly but kept Firebird", "Pagerly"),
            ("we quit Kestrel and tore it out", "Kestrel"),
            ("we kept Bellboy; Kestrel is gone", "Kestrel"),
            ("Ivo no longer rides the red bike.", "the red bike"),
            ("Kestrel is old, we dropped Kestrel", "Kestrel"),
            ("v2.1 is deprecated", "v2.1"),
            ("as of 3.5 we no longer use Kestrel", "Kestrel"),
            ("in 1,000 shops we no longer use Kestrel", "Kestrel"),
            ("R. Vane is no longer the signatory", "R. Vane"),
            ("Dr. R. Vane is no longer the signatory", "Vane"),
            ("they cancelled Grove", "Grove"),
            ("we no longer use Plan B, C & D, Ltd", "Plan B, C & D, Ltd"),
            ("we no longer use Red\nBike", "red bike"),
        ],
        true,
    );
    check(
        &[
            ("we dropped Bellboy and kept Pagerly", "Pagerly"),
            ("Ivo no longer takes the ferry, he rides the red bike.", "the red bike"),
            ("US dropped the plan, using Pagerly", "Pagerly"),
            ("we no longer use Pagerly, Bellboy took over", "Bellboy"),
            ("Pagerly is gone, it is Bellboy", "Bellboy"),
            ("Pagerly is gone. It is Bellboy", "Bellboy"),
            ("Pagerly is gone.It is Bellboy", "Bellboy"),
            ("Pagerly is gone\nit is Bellboy", "Bellboy"),
            ("Pagerly is gone… it is Bellboy", "Bellboy"),
            ("we dropped plan B. Kestrel is fine", "Kestrel"),
            ("we no longer have Lollipop Co. Kestrel is our sponsor", "Kestrel"),
            ("Pagerly was dropped while Kestrel stays", "Kestrel"),
            ("Pagerly was dropped though Kestrel stays", "Kestrel"),
            ("we dropped Kestrel, then Kestrel came back", "Kestrel"),
            ("we dropped Pagerly", "Kestrel"),
            ("cancelled", "Grove"),
            ("", "Grove"),
            ("we dropped", ""),
            ("we dropped it", " "),
        ],
        false,
    );
}

#[test]
fn a_negation_before_the_marker_cancels_it() {
    check(
        &[
            ("v2 has not been deprecated", "v2"),
            ("v2 hasn't been deprecated", "v2"),
            ("v2 hasn’t been deprecated", "v2"),
            ("v2 hasnt been deprecated", "v2"),
            ("we never dropped v2", "v2"),
            ("nobody removed v2", "v2"),
            ("I never said, e.g. to Dr. Lee, nor R. Vane that v2 is gone", "v2"),
            ("never did R. Vane say v2 is gone", "v2"),
            ("if v2 is gone", "v2"),
            ("v2 should be removed", "v2"),
            ("nearly dropped v2", "v2"),
            ("no more than 4 retries are allowed", "4"),
            ("it takes no longer than 4 tries", "4"),
            ("we never said don't use v2", "v2"),
        ],
        false,
    );
    check(
        &[
            ("we don't use v2", "v2"),
            ("we don’t use v2", "v2"),
            ("WE DON'T USE v2", "V2"),
            ("we do not use v2", "v2"),
            ("not Bellboy, v2 was dropped", "v2"),
            ("v2 was dropped, not Bellboy", "v2"),
            ("v2 will be shut down in May", "v2"),
            ("we can no longer use v2", "v2"),
            ("we no longer use v2: it is not good", "v2"),
        ],
        true,
    );
}

#[test]
fn a_question_or_what_is_taken_back_is_not_definite() {
    check(
        &[
            ("is Kestrel no longer in use?", "Kestrel"),
            ("was Kestrel dropped?!", "Kestrel"),
            ("we dropped Kestrel, no wait, we kept it", "Kestrel"),
            ("we dropped Kestrel. No, wait!", "Kestrel"),
            ("Oh, sure, Ivo no longer rides the red bike, yeah right.", "the red bike"),
            ("Kestrel was dropped🙄", "Kestrel"),
            ("Kestrel was dropped /s.", "Kestrel"),
            ("Kestrel was dropped (/S)", "Kestrel"),
            ("perhaps not, but it might be. Kestrel was dropped.", "Kestrel"),
        ],
        false,
    );
    check(
        &[("did you hear? Kestrel was dropped", "Kestrel"), ("no wait, Kestrel was dropped", "Kestrel")],
        true,
    );
}

#[test]
fn what_came_instead_is_not_what_went() {
    check(
        &[
            ("we dropped Pagerly for Bellboy", "Bellboy"),
            ("she left Acme for the Globex", "Globex"),
            ("we moved off Pagerly to Bellboy", "Bellboy"),
            ("Pagerly was cancelled in favour of Bellboy", "Bellboy"),
            ("the retired Pagerly was replaced by Bellboy", "Bellboy"),
            ("Bellboy replaced the discontinued Pagerly", "Bellboy"),
            ("Bellboy dropped the fee", "Bellboy"),
            ("Bellboy has finally removed its limit", "Bellboy"),
            ("we removed a bug in Bellboy", "Bellboy"),
            ("the limit dropped to 4", "4"),
        ],
        false,
    );
    check(
        &[
            ("we dropped Pagerly for Bellboy", "Pagerly"),
            ("she left Acme for Globex", "Acme"),
            ("we moved off Pagerly to Bellboy", "Pagerly"),
            ("the retired Pagerly gave way to Bellboy", "Pagerly"),
            ("we dropped support for Pagerly", "Pagerly"),
            ("cancelled the subscription to Pagerly", "Pagerly"),
            ("Ivo was removed from Kestrel", "Kestrel"),
            ("Ivo no longer works for Acme", "Acme"),
            ("R. Vane left the board", "R. Vane"),
            ("Pagerly was dropped by the team", "Pagerly"),
            ("Pagerly dropped last week", "Pagerly"),
        ],
        true,
    );
}

#[test]
fn what_is_left_in_place_stays() {
    check(
        &[
            ("only Kestrel is left", "Kestrel"),
            ("we left Kestrel running", "Kestrel"),
            ("we left Kestrel in place", "Kestrel"),
            ("turn left at Kestrel", "Kestrel"),
            ("Kestrel opens at sunset", "Kestrel"),
        ],
        false,
    );
    check(
        &[
            ("Ivo left Kestrel", "Kestrel"),
            ("we turned the Kestrel off", "Kestrel"),
            ("Kestrel: phased-out", "Kestrel"),
        ],
        true,
    );
    check(&[("we moved Kestrel off the old node", "Kestrel")], false);
}

#[test]
fn a_name_joined_to_more_letters_is_another_name() {
    for other in [
        "Kestrel-2",
        "Kestrel2",
        "Kestrel's friend",
        "Kestrel.io",
        "old/Kestrel",
        "Kestrel_x",
        "xKestrel",
        "Kestrel\u{301}",
    ] {
        assert!(!definite_removal(&format!("we dropped {other}"), "Kestrel"), "{other}");
    }
    for same in [
        "\"Kestrel\"",
        "'Kestrel'",
        "(Kestrel)",
        "«Kestrel»",
        "*Kestrel*",
        "Kestrel.",
        "Kestrel🚀",
        "kestrel",
        "the Kestrel.",
    ] {
        assert!(definite_removal(&format!("we dropped {same}"), "Kestrel"), "{same}");
    }
    check(
        &[
            ("C++ was dropped", "C"),
            ("$5 was dropped", "5"),
            ("-5 was dropped", "5"),
            ("5,000 was dropped", "5"),
            ("5% was dropped", "5"),
        ],
        false,
    );
    check(
        &[
            ("C++ was dropped", "C++"),
            ("$5 was dropped", "$5"),
            ("dropped #5", "#5"),
            ("5 was dropped", "5"),
            ("dropped 5, kept 6", "5"),
        ],
        true,
    );
}

#[test]
fn folding_is_full_unicode_and_turkish_letters_stay_apart() {
    check(
        &[
            ("we dropped STRASSE", "Straße"),
            ("we dropped CAFE\u{301}", "Café"),
            ("we dropped ΣΊΣΥΦΟΣ", "Σίσυφος"),
            ("we dropped İstanbul", "İSTANBUL"),
            ("we dropped 東京", "東京"),
            ("ﬁx no longer", "FIX"),
        ],
        true,
    );
    check(
        &[("we dropped Kırmızı", "Kirmizi"), ("Kestrel ıs gone", "Kestrel"), ("東京都 dropped", "東京")],
        false,
    );
}

#[test]
fn change_words_count_on_word_boundaries_and_outside_the_value() {
    for word in CHANGE {
        assert!(worded_as_change(&format!("{} Grove", word.to_uppercase()), "Grove"), "{word}");
        assert!(!worded_as_change(&format!("x{word}x Grove"), "Grove"), "{word}");
        assert!(!worded_as_change(&format!("it is {word}"), word), "{word}");
    }
    for (raw, value, expected) in [
        ("Seed, no wait, Grove", "Grove", true),
        ("Seed. No, wait! Grove", "Grove", true),
        ("they know Grove", "Grove", false),
        ("Seed plan, five seats.", "Seed", false),
        ("Upgraded to Grove.", "Grove", true),
        ("strengthened, known, snow", "x", false),
        ("", "", false),
    ] {
        assert_eq!(worded_as_change(raw, value), expected, "{raw}");
    }
}

#[test]
fn long_messages_take_time_in_proportion() {
    // Each of these was, or would be, quadratic if read naively, which takes minutes.
    let size = 60_000;
    for (raw, value, expected) in [
        ("not dropped ".repeat(size / 12) + "x", "x".to_owned(), false),
        ("no more than ".repeat(size / 13) + "x", "x".to_owned(), false),
        ("left the ".repeat(size / 9) + "x", "x".to_owned(), true),
        ("a ".repeat(size), "a ".repeat(size / 2) + "b", false),
        ("xa ".repeat(size), "a xa".to_owned(), false),
        ("-".repeat(size), "-".to_owned(), false),
        ("a.".repeat(size), "a".to_owned(), false),
    ] {
        assert_eq!(definite_removal(&raw, &value), expected, "{}", &raw[..9]);
    }
}

fn fragment() -> impl Strategy<Value = String> {
    let words = [
        "Kestrel",
        "kestrel-2",
        "no",
        "longer",
        "dropped",
        "don’t",
        "use",
        "not",
        "never",
        ",",
        ".",
        "?",
        "and",
        "but",
        "lol",
        "/s",
        "🙄",
        "is",
        "gone",
        "maybe",
        "the",
        "for",
        "R.",
        "v2.1",
        "\n",
        "…",
        "İ",
        "ı",
        "\u{301}",
        "\u{200d}",
        "東京",
        "left",
        "more",
        "than",
        "'",
        "\"",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..14).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(raw in any::<String>(), value in any::<String>()) {
        let _ = (definite_removal(&raw, &value), worded_as_change(&raw, &value));
        let quoted = format!("{raw}{value}{raw}");
        let _ = (definite_removal(&quoted, &value), worded_as_change(&quoted, &raw));
    }

    #[test]
    fn case_and_white_space_make_no_difference(raw in fragment()) {
        let spaced = raw.replace(' ', "  ");
        prop_assert_eq!(definite_removal(&raw, "Kestrel"), definite_removal(&spaced, "KESTREL"));
        prop_assert_eq!(definite_removal(&raw, "Kestrel"), definite_removal(&raw.to_lowercase(), "kestrel"));
    }

    #[test]
    fn a_hedge_added_anywhere_never_makes_a_removal(raw in fragment(), tail in any::<bool>()) {
        let hedged = if tail { format!("{raw} , maybe") } else { format!("maybe , {raw}") };
        prop_assert!(!definite_removal(&hedged, "Kestrel"));
    }

    #[test]
    fn a_removal_needs_the_value_and_a_marker(raw in fragment()) {
        if definite_removal(&raw, "Kestrel") {
            prop_assert!(raw.to_lowercase().contains("kestrel"));
            let joined = raw.to_lowercase();
            prop_assert!(["longer", "dropped", "use", "gone", "more", "left"].iter().any(|word| joined.contains(word)));
        }
    }

    #[test]
    fn a_value_of_marker_words_never_removes_itself(index in 0..REMOVAL.len()) {
        let value = format!("{} Ltd", REMOVAL[index].0);
        let raw = format!("the sponsor is {value}");
        prop_assert!(!definite_removal(&raw, &value));
    }
}
