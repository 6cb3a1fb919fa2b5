use super::*;
use proptest::prelude::*;

fn tokens(text: &str) -> Vec<String> {
    distinctive(text).into_keys().collect()
}

#[test]
fn distinctive_tokens_follow_the_table() {
    let table: &[(&str, &[&str])] = &[
        ("the name of the file is in the project", &["file", "in", "is", "name", "of", "project", "the"]),
        ("run the user_id migration", &["migration", "run", "user_id"]),
        ("userId and userID", &["userid"]),
        ("pin v2.1.3, not v2.1", &["not", "pin", "v2.1", "v2.1.3"]),
        ("edit src/main.rs and ~/.config/x.toml", &["edit", "src/main.rs", "~/.config/x.toml"]),
        ("see https://ex.org/a?b=c,d(e).", &["https://ex.org/a?b=c,d(e", "see"]),
        ("run `cargo test --All` twice", &["`cargo test --All`", "run", "twice"]),
        ("git push --force-with-lease -n", &["--force-with-lease", "-n", "git", "push"]),
        ("10 mg of it, 5% or $3.50", &["$3.50", "10", "10mg", "5", "5%", "it", "or"]),
        ("10mg and 5 % now", &["10", "10mg", "5", "5%", "now"]),
        ("wait 1,000 ms at 10:30", &["1,000", "1,000ms", "10:30", "wait"]),
        ("don’t, can't, won’t, cannot, dont", &["can", "not", "will"]),
        ("Mara’s team isn't O'Brien's", &["mara", "not", "o'brien", "team"]),
        ("ship to US, not to us, plan A", &["a", "not", "plan", "ship", "us"]),
        ("C++ and C# and F", &["c#", "c++", "f"]),
        ("status ✅ → ❌", &["status", "→", "✅", "❌"]),
        ("timeout < 5 s", &["5", "5s", "<", "timeout"]),
        ("lights on", &["lights", "on"]),
        ("opt in", &["in", "opt"]),
        ("-5 and 5", &["-5", "5"]),
        ("東京 x", &["x", "京", "東", "東京"]),
        ("ไม่", &["ม", "ม่", "่", "ไ", "ไม"]),
        ("STRASSE Straße", &["strasse"]),
        ("CAFE\u{301} café", &["café"]),
        ("ne\u{200b}ver", &["never"]),
        ("", &[]),
        ("... !? ()", &[]),
    ];
    for (text, expected) in table {
        let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        expected.sort();
        assert_eq!(tokens(text), expected, "{text:?}");
    }
}

#[test]
fn a_refinement_keeps_every_distinctive_token() {
    for (old, new, expected) in [
        ("Firebird", "Firebird 5 on node 3", true),
        ("Firebird", "Firebird 5", true),
        ("Firebird", "Derby", false),
        ("Grove", "Grove annual", true),
        ("Lisoril 10 mg daily", "Lisoril 10 mg at night", false),
        ("Lisoril 10 mg", "Lisoril 10mg daily", true),
        ("Lisoril 10 mg and Oxaril 5 ml", "Lisoril 5 mg and Oxaril 10 ml", false),
        ("R. Vane", "Rosa Vane", false),
        ("March", "4 March", true),
        ("5", "5 mg", true),
        ("5", "50", false),
        ("A", "B", false),
        ("plan a", "plan b", false),
        ("A team", "B team", false),
        ("phase I", "phase II", false),
        ("yes", "no", false),
        ("on", "off", false),
        ("lights on", "lights off", false),
        ("the project", "Derby", false),
        ("the project", "the project of Mara", true),
        ("office in Berlin", "Berlin office, 3rd floor", true),
        ("not Firebird", "Firebird", false),
        ("only staging", "staging", false),
        ("GROVE", "grove annual", true),
        ("Grove  annual", "annual Grove", true),
        ("retry 3 times, wait 3 s", "retry 3 times, wait", false),
        ("never A, never B", "never A, B", false),
        ("東京本社", "東京本社ビル", true),
        ("東京本社", "本社東京", false),
        ("😀", "😡", false),
        ("", "anything", true),
    ] {
        assert_eq!(refines(old, new), expected, "{old:?} → {new:?} misses {:?}", missing(old, new));
    }
}

#[test]
fn what_limits_is_seen_in_every_dress() {
    let old = "run migrations against staging";
    for new in [
        "never run migrations against staging",
        "NEVER run migrations against staging",
        "_never_ run migrations against staging",
        "**never** run migrations against staging",
        "don’t run migrations against staging",
        "dont run migrations against staging",
        "run migrations against staging only",
        "run migrations against staging (except on Fridays)",
        "run migrations against staging unless told",
        "run migrations against staging.Never production",
        "run read-only migrations against staging",
        "run migrations against staging?",
        "maybe run migrations against staging",
        "run migrations against staging or production",
        "run migrations against staging 🚫",
        "run migrations against staging > 3",
        "run migrations against staging, nicht production",
        "run migrations against staging, ne production",
        "run migrations against staging, n'importe",
        "run migrations against staging, кроме production",
        "run migrations against staging, لا production",
        "run migrations against staging 以外",
        "ne\u{200b}ver run migrations against staging",
    ] {
        assert!(adds_limit(old, new), "{new}");
        assert_eq!(note_merge(old, new), NoteMerge::Separate, "{new}");
    }
    for new in [
        "run migrations against staging on node 3",
        "please run the migrations against staging, thanks",
        "run migrations, Noël, against staging",
    ] {
        assert!(!adds_limit(old, new), "{new}");
    }
    assert!(!adds_limit("never A", "A"), "taking a limit away adds none");
    assert!(adds_limit("never A", "never A, never B"));
}

#[test]
fn notes_merge_by_the_table() {
    use NoteMerge::{Refines, Same, Separate};
    let staging = "always run migrations against staging";
    for (old, new, expected) in [
        (staging, staging, Same),
        (staging, "  Always run\nmigrations  against staging ", Same),
        ("use cafe\u{301}", "use café", Same),
        ("ask US first", "ask us first", Separate),
        ("rename userID to userId", "rename userId to userID", Separate),
        ("run `Make`", "run `make`", Separate),
        (staging, "always run migrations against staging, never production", Separate),
        (staging, "always run migrations against staging on node 3", Refines),
        (staging, "always run the migrations against staging", Refines),
        (staging, "always run migrations against staging.", Refines),
        (staging, "run migrations against staging", Separate),
        (staging, "migrations", Separate),
        ("always run migrations against staging, never production", staging, Separate),
        ("the main store is Firebird", "the main store is Firebird 5 on node 3", Refines),
        ("Mara prefers tea", "Mara prefers green tea in the morning", Refines),
        ("Mara is CTO", "Mara was CTO", Separate),
        ("he drinks tea", "she drinks tea", Separate),
        ("delete the file", "delete the project", Separate),
        ("move A to B", "move B to A", Separate),
        ("deploy blue before green", "deploy green before blue", Separate),
        ("never use A with B", "never use A; use B", Separate),
        ("never deploy on Friday", "never skip tests, deploy on Friday", Separate),
        ("never deploy on Friday", "never, in May, deploy on Friday", Separate),
        ("no deploy on Friday", "no, deploy on Friday", Separate),
        ("never deploy on Friday", "never deploy on Friday the 13", Refines),
        ("staging only", "staging and production only", Separate),
        ("staging only", "staging only, at night", Refines),
        ("limit 5", "limit 5000", Separate),
        ("limit 5", "limit 5 MB", Refines),
        ("10 mg then 5 ml", "5 mg then 10 ml", Separate),
        ("wait 3 s, retry 3 times", "wait 3 s, retry", Separate),
        ("東京本社", "東京本社", Same),
        ("東京本社", "東京本社以外", Separate),
        ("", "", Same),
        ("", "x", Separate),
        ("...", "x", Separate),
        ("the", "the file", Separate),
    ] {
        assert_eq!(note_merge(old, new), expected, "{old:?} → {new:?}");
    }
}

#[test]
fn the_lists_are_folded_and_do_not_contradict_each_other() {
    for word in FUNCTION.iter().chain(GENERIC).chain(LIMITS).chain(UNITS).chain(ARTICLES) {
        assert_eq!(*word, fold(word));
    }
    for word in LIMITS {
        assert!(!FUNCTION.contains(word) && !GENERIC.contains(word), "{word} is a limit and counts");
        assert_eq!(tokens(&format!("{word} x")).len(), 2, "{word}");
    }
    assert!(ARTICLES.iter().all(|word| FUNCTION.contains(word)));
}

#[test]
fn long_notes_take_time_in_proportion() {
    let size = 30_000;
    for text in ["-", "€", "`", "` ``", "a.", "a/", "never ", "東", "http://a,"] {
        let long = text.repeat(size / text.len());
        assert_eq!(note_merge(&long, &long), NoteMerge::Same, "{text}");
        assert_eq!(note_merge(&long, &format!("{long} only")), NoteMerge::Separate, "{text}");
    }
}

fn sentence() -> impl Strategy<Value = String> {
    let words = [
        "never",
        "only",
        "don't",
        "the",
        "file",
        "Mara",
        "user_id",
        "userId",
        "v2.1",
        "10",
        "mg",
        "5%",
        "$3.50",
        "`a b`",
        "src/x.rs",
        ",",
        ".",
        "?",
        "to",
        "A",
        "a",
        "US",
        "us",
        "東京",
        "ไม่",
        "→",
        "😀",
        "\u{301}",
        "\u{200d}",
        "`",
        "'",
        "-",
        "not",
        "and",
        "İ",
        "ı",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(old in any::<String>(), new in any::<String>()) {
        let _ = (note_merge(&old, &new), refines(&old, &new), adds_limit(&old, &new), missing(&old, &new));
    }

    #[test]
    fn a_text_keeps_itself_and_merges_with_itself(text in any::<String>()) {
        prop_assert!(keeps_all(&text, &text));
        prop_assert!(!adds_limit(&text, &text));
        prop_assert_eq!(note_merge(&text, &text), NoteMerge::Same);
    }

    #[test]
    fn case_and_white_space_of_a_sentence_lose_nothing(text in sentence()) {
        let spaced = text.replace(' ', " \n ");
        prop_assert_eq!(distinctive(&text), distinctive(&spaced));
        prop_assert_eq!(note_merge(&text, &spaced), NoteMerge::Same);
    }

    #[test]
    fn a_merge_never_loses_a_token_and_never_adds_a_limit(old in sentence(), added in sentence(), at in 0..12_usize) {
        let mut words: Vec<&str> = old.split(' ').collect();
        words.insert(at.min(words.len()), &added);
        for new in [words.join(" "), added.clone(), format!("{old}, {added}")] {
            if note_merge(&old, &new) == NoteMerge::Refines {
                let kept = tally(&pieces(&new), |_| true);
                for (token, times) in distinctive(&old) {
                    prop_assert!(kept.get(&token).is_some_and(|kept| *kept >= times), "{} lost in {:?}", token, new);
                }
                prop_assert!(!adds_limit(&old, &new));
                prop_assert!(keeps_all(&old, &new));
            }
        }
    }

    #[test]
    fn refining_is_transitive(a in sentence(), b in sentence(), c in sentence()) {
        let (ab, abc) = (format!("{a} , {b}"), format!("{a} , {b} , {c}"));
        if keeps_all(&a, &ab) && keeps_all(&ab, &abc) {
            prop_assert!(keeps_all(&a, &abc));
        }
    }

    #[test]
    fn letters_and_digits_are_never_lost(text in any::<String>()) {
        // Contractions are written out and possessives taken off, so they are left out here.
        let text = text.replace(['\'', '’', '‘', 'ʼ', '＇', '´'], " ");
        let tokens: Vec<String> = tally(&pieces(&text), |_| true).into_keys().collect();
        let kept = fold(&tokens.join(" "));
        for c in fold(&text).chars().filter(|c| c.is_alphanumeric()) {
            prop_assert!(kept.contains(c), "{:?} lost from {:?}", c, text);
        }
    }
}
