//! A normalised name, and the keys that are only composed and trimmed.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use super::NameError;
use super::error::shown;
use super::folding::{composed, folded};

/// The longest a name may be once normalised, in bytes of UTF-8.
const LONGEST: usize = 1_024;

/// The longest a text may be, white space left out, for it to be worth
/// normalising. Composing and folding leave a third of any text at least (the
/// Kelvin sign becomes a `k`, three Hangul letters one syllable; a test goes
/// through all of Unicode), so a text of sixteen times the bytes is too long
/// whatever it says, and is refused before any of it is copied.
const WORTH_READING: usize = 16 * LONGEST;

/// A name as entities are told apart by it: composed, case-folded, with single
/// spaces.
///
/// Cheap to clone. Ordered by its bytes, and as good as its text in a map.
///
/// ```
/// use hitherto::identity::{Name, NameError};
///
/// let name = Name::new("  Mara\u{a0}\tQuill ")?;
/// assert_eq!(name.as_str(), "mara quill");
/// assert_ne!(name, Name::new("Mara-Quill")?);
/// # Ok::<(), NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<str>);

impl Name {
    /// Returns `given` normalised: NFC, full case folding, NFC again, every run
    /// of Unicode white space one space, trimmed.
    ///
    /// Nothing else is touched: punctuation, digits, diacritics, script and
    /// format characters all count. Normalising a name again gives the same.
    ///
    /// # Errors
    ///
    /// [`NameError::Empty`] if nothing is left, [`NameError::TooLong`] if over
    /// 1,024 bytes of UTF-8 are, [`NameError::Control`] if a character of
    /// category Cc is; the first of these that applies.
    ///
    /// ```
    /// use hitherto::identity::{Name, NameError};
    ///
    /// assert_eq!(Name::new("ΣΊΣΥΦΟΣ")?, Name::new("Σίσυφος")?);
    /// assert_eq!(Name::new("\u{2003}\n").unwrap_err().code(), "name_empty");
    /// # Ok::<(), NameError>(())
    /// ```
    pub fn new(given: &str) -> Result<Self, NameError> {
        if is_hopeless(given) {
            return Err(NameError::TooLong { text: shown(given) });
        }
        judged(&folded(given), given).map(Self)
    }

    /// Returns the normalised text.
    ///
    /// ```
    /// use hitherto::identity::{Name, NameError};
    ///
    /// assert_eq!(Name::new("ACME")?.as_str(), "acme");
    /// # Ok::<(), NameError>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns a key or label as it is compared where no slot is declared: in NFC
/// and trimmed, its case and inner white space as given.
///
/// # Errors
///
/// Those of [`Name::new`], on the same grounds.
///
/// ```
/// use hitherto::identity::{NameError, key};
///
/// assert_eq!(&*key(" works At ")?, "works At");
/// assert_eq!(key("cafe\u{301}")?, key("café")?);
/// assert!(key("").is_err());
/// # Ok::<(), NameError>(())
/// ```
pub fn key(given: &str) -> Result<Arc<str>, NameError> {
    let trimmed = given.trim();
    if WORTH_READING < trimmed.len() {
        return Err(NameError::TooLong { text: shown(given) });
    }
    judged(&composed(trimmed), given)
}

/// Says whether `given` is too long whatever it normalises to.
fn is_hopeless(given: &str) -> bool {
    if given.len() <= WORTH_READING {
        return false;
    }
    let mut dense = 0;
    given.chars().any(|character| {
        dense += if character.is_whitespace() { 0 } else { character.len_utf8() };
        WORTH_READING < dense
    })
}

/// Refuses what `given` was normalised to, or shares it.
fn judged(normalised: &str, given: &str) -> Result<Arc<str>, NameError> {
    if normalised.is_empty() {
        return Err(NameError::Empty { text: shown(given) });
    }
    if LONGEST < normalised.len() {
        return Err(NameError::TooLong { text: shown(given) });
    }
    // White space is left in keys alone, and is no ground for refusing one: a
    // name with the same tab in it is taken.
    let is_refused = |character: &char| character.is_control() && !character.is_whitespace();
    match normalised.chars().find(is_refused) {
        Some(character) => Err(NameError::Control { text: shown(given), character }),
        None => Ok(Arc::from(normalised)),
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

/// Prints the text, quoted.
impl fmt::Debug for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, out)
    }
}

#[cfg(test)]
mod tests;
