//! What can be wrong with a name.

/// How much of a refused name an error repeats, in characters: enough to know
/// it again, not enough for a megabyte to travel through a log.
const SHOWN: usize = 40;

/// Reports a text that cannot be a name, a type, a key or a label.
///
/// The text it carries is the one given, cut to 40 characters.
///
/// ```
/// use hitherto::identity::{Name, NameError};
///
/// let error = Name::new("bell\u{7}").unwrap_err();
/// assert!(matches!(error, NameError::Control { .. }));
/// assert_eq!(error.to_string(), r#""bell\u{7}" has the control character U+0007"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing is left of the text once white space is trimmed.
    #[error("{text:?} is empty as a name")]
    Empty {
        /// The text given.
        text: String,
    },

    /// What is left of the text is over 1,024 bytes of UTF-8.
    #[error("{text:?} is over 1,024 bytes as a name")]
    TooLong {
        /// The text given.
        text: String,
    },

    /// The text has a control character that is no white space.
    #[error("{text:?} has the control character U+{:04X}", u32::from(*character))]
    Control {
        /// The text given.
        text: String,
        /// The first such character.
        character: char,
    },
}

impl NameError {
    /// Returns the stable word for this error on every surface.
    ///
    /// ```
    /// use hitherto::identity::Name;
    ///
    /// assert_eq!(Name::new(" ").unwrap_err().code(), "name_empty");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "name_empty",
            Self::TooLong { .. } => "name_too_long",
            Self::Control { .. } => "name_control",
        }
    }
}

/// Returns `text` as an error repeats it.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
