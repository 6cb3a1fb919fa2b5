//! Text as a terminal may show it.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The longest text that a table shows of one value, in characters: a value
/// may have a megabyte, a screen has two thousand.
const SHOWN: usize = 240;

/// Returns a text with everything spelt out that a terminal would obey or hide:
/// control, direction and invisible characters, as `(U+200B)`.
pub(super) fn legible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            shown.push_str(&format!("(U+{:04X})", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Returns a legible text, cut where it is too long for a table.
pub(super) fn clipped(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => legible(text),
        Some((end, _)) => {
            let more = text[end..].chars().count();
            format!("{}… ({more} characters more; --json shows all)", legible(&text[..end]))
        }
    }
}

/// Whether a character does something to a terminal, or shows nothing.
fn is_hidden(c: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Unassigned};
    let category = c.general_category();
    matches!(category, Control | Format | LineSeparator | ParagraphSeparator | PrivateUse | Unassigned)
        // Letters and marks that draw nothing: joiners, fillers, variation selectors.
        || matches!(c,
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_or_hide_is_spelt_out() {
        assert_eq!(legible("zero\u{200b}width"), "zero(U+200B)width");
        assert_eq!(legible("\u{1b}[31mred\u{7}"), "(U+001B)[31mred(U+0007)");
        assert_eq!(legible("a\u{202e}b\nc\u{9b}"), "a(U+202E)b(U+000A)c(U+009B)");
        assert_eq!(legible("Zoë 東京 — ß"), "Zoë 東京 — ß");
    }

    #[test]
    fn a_long_text_says_how_much_is_missing() {
        let shown = clipped(&"é".repeat(290));
        assert!(shown.ends_with("é… (50 characters more; --json shows all)"), "{shown}");
        assert_eq!(clipped("short"), "short");
    }
}
