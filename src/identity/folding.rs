//! The folding under which texts are compared.

use std::borrow::Cow;

use icu_casemap::CaseMapper;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Returns `text` by full case folding, in NFC, every run of white space one
/// space, trimmed.
///
/// Two texts that differ in nothing else fold to the same; folding twice
/// changes nothing. This is the folding of a [`Name`](super::Name) without its
/// refusals, for what is compared and never an identity: the name of a source,
/// the text of a message.
///
/// ```
/// use hitherto::identity::fold;
///
/// assert_eq!(fold(" Große\tSTRASSE\n"), "grosse strasse");
/// assert_eq!(fold("Zoe\u{308}"), fold("ZOË"));
/// assert_ne!(fold("Zoë"), fold("Zoe"));
/// ```
#[must_use]
pub fn fold(text: &str) -> String {
    folded(text).into_owned()
}

/// Returns `text` as [`fold`] does, with no white space, hyphen or underscore left.
///
/// Under it a key meets the slot it was declared as, however it is joined. A
/// text of nothing but joints folds to nothing.
///
/// ```
/// use hitherto::identity::fold_slot;
///
/// assert_eq!(fold_slot("Home-City"), "homecity");
/// assert_eq!(fold_slot("home_city"), fold_slot(" HOME city "));
/// ```
#[must_use]
pub fn fold_slot(text: &str) -> String {
    let bare: String = folded(text).chars().filter(|character| !is_joint(*character)).collect();
    // What a joint held apart may compose now that it is gone.
    match composed(&bare) {
        Cow::Borrowed(_) => bare,
        Cow::Owned(composed) => composed,
    }
}

/// Folds as [`fold`] does, and copies nothing that is folded already.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { folded_ascii(text) } else { Cow::Owned(folded_unicode(text)) }
}

/// Returns `text` in NFC.
pub(super) fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        IsNormalized::No | IsNormalized::Maybe => Cow::Owned(text.nfc().collect()),
    }
}

/// Names are short, mostly ASCII, and folded on every read and write.
fn folded_ascii(text: &str) -> Cow<'_, str> {
    let is_space = |byte: u8| char::from(byte).is_whitespace();
    let trimmed = text.trim();
    let mut last = b'x';
    let is_folded = trimmed.bytes().all(|byte| {
        let is_kept = match byte {
            b' ' => last != b' ',
            _ => !byte.is_ascii_uppercase() && !is_space(byte),
        };
        last = byte;
        is_kept
    });
    if is_folded {
        return Cow::Borrowed(trimmed);
    }
    let mut folded = String::with_capacity(trimmed.len());
    for byte in trimmed.bytes() {
        if !is_space(byte) {
            folded.push(char::from(byte.to_ascii_lowercase()));
        } else if !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    Cow::Owned(folded)
}

/// White space is folded first and not last, so that a long run of it is never
/// copied. It comes to the same: no white space composes with anything, none
/// has case, and what normalises to white space is white space itself.
fn folded_unicode(text: &str) -> String {
    let mut spaced = String::new();
    for character in text.trim().chars() {
        if !character.is_whitespace() {
            spaced.push(character);
        } else if !spaced.ends_with(' ') {
            spaced.push(' ');
        }
    }
    let once = composed(&spaced);
    let lower = CaseMapper::new().fold_string(&once);
    composed(&lower).into_owned()
}

/// Says whether the character only joins the words of a key: white space, an
/// underscore, or one of the three hyphens that look the same.
fn is_joint(character: char) -> bool {
    matches!(character, '-' | '_' | '\u{2010}' | '\u{2011}') || character.is_whitespace()
}
