use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::super::{fold, fold_slot};
use super::*;

/// Normalises by the letter of the law, step by step and with copies.
fn slow_twin(given: &str) -> String {
    let composed: String = given.nfc().collect();
    let lower = icu_casemap::CaseMapper::new().fold_string(&composed).into_owned();
    let again: String = lower.nfc().collect();
    again.split(char::is_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the first error a normalised text gives cause for, if any.
fn slow_judgement(normalised: &str) -> Option<&'static str> {
    if normalised.is_empty() {
        Some("name_empty")
    } else if 1_024 < normalised.len() {
        Some("name_too_long")
    } else if normalised.chars().any(char::is_control) {
        Some("name_control")
    } else {
        None
    }
}

fn check(given: &str) {
    let expected = slow_twin(given);
    assert_eq!(fold(given), expected, "{given:?}");
    match Name::new(given) {
        Ok(name) => {
            assert_eq!(name.as_str(), expected, "{given:?}");
            assert_eq!(slow_judgement(&expected), None, "{given:?}");
            assert_eq!(Name::new(name.as_str()).as_ref(), Ok(&name), "{given:?} again");
        }
        Err(error) => assert_eq!(Some(error.code()), slow_judgement(&expected), "{given:?}"),
    }
}

#[test]
fn names_are_one_when_only_case_composition_and_white_space_differ() {
    let cases = [
        ("Mara Quill", "mara quill"),
        ("  mara \t\r\n QUILL\u{b}", "mara quill"),
        ("Mara\u{a0}\u{3000}\u{2028}\u{85}Quill", "mara quill"),
        ("Straße", "strasse"),
        ("STRASSE", "strasse"),
        ("ẞ", "ss"),
        ("ﬁnance", "finance"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        ("Zoe\u{308}", "zoë"),
        ("A\u{30a}ngström", "ångström"),
        ("\u{212b}ngström", "ångström"),
        ("\u{212a}elvin", "kelvin"),
        ("İstanbul", "i\u{307}stanbul"),
        ("\u{1100}\u{1161}\u{11a8}", "각"),
        ("ᾼ", "αι"),
        ("ΐ", "ΐ"),
        ("Ꭰ", "Ꭰ"),
        ("ꭰ", "Ꭰ"),
    ];
    for (given, normalised) in cases {
        assert_eq!(Name::new(given).expect(given).as_str(), normalised, "{given}");
        check(given);
    }
}

#[test]
fn punctuation_diacritics_script_width_and_invisible_characters_all_count() {
    let names = [
        "acme",
        "acme.",
        "a-c-m-e",
        "acmé",
        "а\u{441}me",
        "ac\u{200b}me",
        "ac\u{ad}me",
        "\u{feff}acme",
        "acme\u{200d}",
        "ａｃｍｅ",
        "acme 1",
        "acme ①",
        "acm\u{435}",
    ];
    let distinct: BTreeSet<Name> = names.iter().map(|name| Name::new(name).expect(name)).collect();
    assert_eq!(distinct.len(), names.len());
}

#[test]
fn what_cannot_be_a_name_is_refused_with_its_code() {
    let cases = [
        ("", "name_empty"),
        (" \t\n\u{3000}", "name_empty"),
        ("a\u{0}b", "name_control"),
        ("a\u{1f}b", "name_control"),
        ("é\u{7f}", "name_control"),
        ("\u{9f}", "name_control"),
    ];
    for (given, code) in cases {
        assert_eq!(Name::new(given).expect_err(given).code(), code, "{given:?}");
        assert_eq!(key(given).expect_err(given).code(), code, "{given:?}");
        check(given);
    }
}

#[test]
fn length_is_judged_in_bytes_after_normalising() {
    let longest = "é".repeat(512);
    assert_eq!(Name::new(&longest).expect("1,024 bytes").as_str(), longest);
    assert_eq!(Name::new(&format!("{longest}e")).expect_err("over").code(), "name_too_long");
    assert_eq!(key(&format!("{longest}e")).expect_err("over").code(), "name_too_long");
    // Twice the bytes, and shorter once composed or folded; or the reverse.
    assert!(Name::new(&"\u{212a}".repeat(1_024)).is_ok());
    assert!(Name::new(&"\u{1100}\u{1161}\u{11a8}".repeat(341)).is_ok());
    assert!(Name::new(&"e\u{301}".repeat(512)).is_ok());
    assert!(key(&"e\u{301}".repeat(512)).is_ok());
    assert_eq!(Name::new(&"ΐ".repeat(513)).expect_err("over").code(), "name_too_long");
    assert_eq!(Name::new(&"ŉ".repeat(512)).expect_err("folds to three bytes").code(), "name_too_long");
}

#[test]
fn white_space_of_any_length_is_no_ground_for_refusal() {
    let wide = " \u{3000}".repeat(100_000);
    assert_eq!(Name::new(&format!("{wide}Mara{wide}Quill{wide}")), Name::new("mara quill"));
    assert_eq!(Name::new(&format!("{wide}Zoë{wide}Quill{wide}")), Name::new("zoë quill"));
    assert_eq!(key(&format!("{wide}Mara{wide}")), key("Mara"));
    assert_eq!(Name::new(&wide).expect_err("empty").code(), "name_empty");
    assert_eq!(key(&wide).expect_err("empty").code(), "name_empty");
}

#[test]
fn an_enormous_text_is_refused_and_only_its_start_repeated() {
    for given in ["é".repeat(5_000_000), "x ".repeat(50_000), "\u{0}".repeat(17_000)] {
        let start: String = given.chars().take(40).collect();
        let error = NameError::TooLong { text: format!("{start}…") };
        assert_eq!(Name::new(&given), Err(error.clone()));
        assert_eq!(key(&given), Err(error));
    }
    let error = Name::new(&"x".repeat(1_025)).expect_err("over");
    assert_eq!(error.to_string(), format!("\"{}…\" is over 1,024 bytes as a name", "x".repeat(40)));
}

#[test]
fn every_character_normalises_as_the_law_says_and_to_no_less_than_a_third() {
    // Beyond these Unicode has neither case nor anything that decomposes.
    let lower_planes = '\0'..='\u{1ffff}';
    let compatibility_ideographs = '\u{2f800}'..='\u{2fa1f}';
    for character in lower_planes.chain(compatibility_ideographs) {
        let alone = character.to_string();
        let apart: String = alone.nfd().collect();
        let is_composed = apart != alone;
        for given in [Some(alone), is_composed.then_some(apart)].into_iter().flatten() {
            let normalised = fold(&given);
            assert_eq!(normalised, slow_twin(&given), "{given:?}");
            assert_eq!(fold(&normalised), normalised, "{given:?} again");
            assert_eq!(fold_slot(&fold_slot(&given)), fold_slot(&given), "{given:?} as a slot");
            let is_space = normalised.is_empty();
            assert!(is_space || given.len() <= 3 * normalised.len(), "{given:?} shrinks");
        }
    }
}

#[test]
fn a_name_is_found_in_a_map_by_its_text() {
    let names = HashSet::from([Name::new("Mara Quill").expect("a name")]);
    assert!(names.contains("mara quill"));
    assert!(!names.contains("Mara Quill"));
    let name = Name::new("b").expect("a name");
    assert!(Name::new("A").expect("a name") < name.clone());
    assert_eq!((format!("{name:>2}"), format!("{name:?}")), (" b".into(), "\"b\"".into()));
}

#[test]
fn keys_keep_their_case_and_inner_white_space() {
    assert_eq!(key(" Works  At\u{3000}").as_deref(), Ok("Works  At"));
    assert_eq!(key("a\tb").as_deref(), Ok("a\tb"));
    assert_ne!(key("ß"), key("ss"));
    assert_eq!(key("e\u{301}").as_deref(), Ok("é"));
}

#[test]
fn slots_fold_over_case_and_whatever_joins_their_words() {
    let written = ["home_city", "Home City", "HOME-CITY", "homeCity", " home\u{a0}\u{2010}\u{2011}city_"];
    for key in written {
        assert_eq!(fold_slot(key), "homecity", "{key:?}");
    }
    assert_eq!(fold_slot("GRÖSSE"), fold_slot("Gro\u{308}ße"));
    assert_eq!(fold_slot("e_\u{301}"), "é");
    assert_eq!(fold_slot("home.city"), "home.city");
    assert_eq!(fold_slot("- _"), "");
}

/// Texts of what is likely to go wrong: marks that reorder, letters that
/// expand, joiners, white space, controls.
fn hard_texts() -> impl Strategy<Value = String> {
    let characters = prop::sample::select(
        "aAkZ \t\u{a0}\u{2000}\u{2028}-_\u{7}\u{0}ßẞİıſŉǰΐᾳᾼΣσςÅ\u{212a}\u{212b}\u{2126}\u{300}\
         \u{301}\u{307}\u{308}\u{327}\u{323}\u{345}\u{34f}\u{342}\u{200d}\u{1100}\u{1161}\u{11a8}\
         각Ꭰꭰﬃ𐐀𑄱\u{11127}\u{16d67}\u{16d68}"
            .chars()
            .collect::<Vec<_>>(),
    );
    prop::collection::vec(characters, 0..12).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_text_normalises_as_the_law_says(text in prop_oneof![any::<String>(), hard_texts()]) {
        check(&text);
    }

    #[test]
    fn any_ascii_text_normalises_as_the_law_says(text in "[a-cA-C \t\n\u{b}\u{7}._-]{0,12}") {
        check(&text);
    }

    #[test]
    fn what_is_canonically_equivalent_is_one_name(text in hard_texts()) {
        let apart: String = text.nfd().collect();
        prop_assert_eq!(fold(&text), fold(&apart));
        prop_assert_eq!(fold_slot(&text), fold_slot(&apart));
    }

    #[test]
    fn folding_again_changes_nothing(text in prop_oneof![any::<String>(), hard_texts()]) {
        prop_assert_eq!(fold(&fold(&text)), fold(&text));
        prop_assert_eq!(fold_slot(&fold_slot(&text)), fold_slot(&text));
        prop_assert_eq!(fold_slot(&fold(&text)), fold_slot(&text));
        if let Ok(once) = key(&text) {
            prop_assert_eq!(key(&once), Ok(once));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_long_text_is_judged_as_the_law_says(text in hard_texts(), times in 1_usize..2_000) {
        check(&text.repeat(times));
    }
}
