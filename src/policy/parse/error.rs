//! Why a policy or a declaration was refused.

use crate::identity::NameError;
use crate::policy::{PRESETS, SlotError};

/// Why a policy or a declaration could not be read.
///
/// ```
/// use hitherto::policy::parse;
///
/// let refused = parse::policy(&serde_json::json!({"flor": 0.5})).unwrap_err();
/// assert_eq!(refused.code(), "unknown_field");
/// assert_eq!(refused.field(), Some("flor"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A field that the shape does not have.
    #[error("a {shape} has no field {field:?}")]
    UnknownField {
        /// The field as given.
        field: String,
        /// What was being read.
        shape: &'static str,
    },
    /// A field that the shape cannot do without.
    #[error("a {shape} needs the field {field:?}")]
    MissingField {
        /// The field that is not there.
        field: &'static str,
        /// What was being read.
        shape: &'static str,
    },
    /// A `null`, which no field takes.
    #[error("{field} is null")]
    Null {
        /// The field that holds it.
        field: String,
    },
    /// A value of the wrong kind or out of its range.
    #[error("{field} must be {expected}, not {found}")]
    Value {
        /// The field that holds it.
        field: String,
        /// What the field takes.
        expected: &'static str,
        /// What was given.
        found: String,
    },
    /// A path that is no scope.
    #[error("scope {scope:?} {why}")]
    Scope {
        /// The path as given.
        scope: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Slots that cannot be declared together.
    #[error(transparent)]
    Slot(#[from] SlotError),
    /// A functional label that is no label.
    #[error(transparent)]
    Label(NameError),
    /// A preset that does not exist.
    #[error("there is no preset {name:?}, only {}", PRESETS.join(", "))]
    Preset {
        /// The name as given.
        name: String,
    },
    /// A text that is no JSON.
    #[error("no JSON: {reason}")]
    Json {
        /// What the JSON reader says.
        reason: String,
    },
    /// A fault in a file, with its line.
    #[error("line {line}: {fault}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there.
        #[source]
        fault: Box<ParseError>,
    },
}

impl ParseError {
    /// Returns the field at fault, where one is.
    ///
    /// ```
    /// use hitherto::policy::parse;
    ///
    /// let refused = parse::policy(&serde_json::json!({"mode": null})).unwrap_err();
    /// assert_eq!(refused.field(), Some("mode"));
    /// ```
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::UnknownField { field, .. } | Self::Null { field } | Self::Value { field, .. } => {
                Some(field)
            }
            Self::MissingField { field, .. } => Some(field),
            Self::Scope { .. } => Some("scope"),
            Self::Slot(SlotError::Clash { .. }) | Self::Preset { .. } => Some("set"),
            Self::Slot(SlotError::Name(_)) => Some("name"),
            Self::Label(_) => Some("functional_labels"),
            Self::Json { .. } => None,
            Self::Line { fault, .. } => fault.field(),
        }
    }

    /// Returns the code of the protocol.
    ///
    /// ```
    /// use hitherto::policy::parse;
    ///
    /// let refused = parse::slots(&serde_json::json!("preset:astrology")).unwrap_err();
    /// assert_eq!(refused.code(), "preset_unknown");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownField { .. } => "unknown_field",
            Self::MissingField { .. } => "missing_field",
            Self::Null { .. } => "value_null",
            Self::Value { .. } => "value_invalid",
            Self::Scope { .. } => "scope_invalid",
            Self::Slot(SlotError::Clash { .. }) => "slot_clash",
            Self::Slot(SlotError::Name(error)) | Self::Label(error) => error.code(),
            Self::Preset { .. } => "preset_unknown",
            Self::Json { .. } => "json_invalid",
            Self::Line { fault, .. } => fault.code(),
        }
    }
}
