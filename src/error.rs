//! The one error of the library.

use std::fmt;

use thiserror::Error as ThisError;

use crate::facts::words;
use crate::facts::{FactIdError, ScopeError, ValueError};
use crate::identity::NameError;
use crate::policy::SlotError;
use crate::policy::parse::ParseError;
use crate::store::{StoreError, StoreErrorKind};
use crate::time::TimeError;

words! {
    /// What kind of trouble an [`Error`] is.
    ///
    /// ```
    /// use hitherto::ErrorKind;
    ///
    /// assert_eq!(ErrorKind::NotFound.as_str(), "not_found");
    /// ```
    ErrorKind {
        /// The request is malformed.
        Invalid = "invalid",
        /// There is nothing of that id.
        NotFound = "not_found",
        /// It clashes with what is there.
        Conflict = "conflict",
        /// It is not allowed.
        Refused = "refused",
        /// What is stored cannot be read.
        Corrupt = "corrupt",
        /// Another version wrote it.
        Incompatible = "incompatible",
        /// The store cannot be reached, or cannot write.
        Unavailable = "unavailable",
        /// A fault of this library.
        Internal = "internal",
    }
}

/// Why something could not be done: a kind, a stable code, one sentence, and
/// the field and candidate at fault where there is one.
///
/// ```
/// use hitherto::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::NotFound, "fact_unknown", "there is no fact F1.0");
/// assert_eq!(error.to_string(), "there is no fact F1.0");
/// assert_eq!(error.code(), "fact_unknown");
/// ```
#[derive(Debug, ThisError)]
pub struct Error {
    kind: ErrorKind,
    code: &'static str,
    message: String,
    field: Option<String>,
    index: Option<usize>,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error {
    /// Returns an error of a kind and code, with its sentence.
    ///
    /// ```
    /// # use hitherto::{Error, ErrorKind};
    /// assert_eq!(Error::new(ErrorKind::Refused, "no", "no").kind(), ErrorKind::Refused);
    /// ```
    #[must_use]
    pub fn new(kind: ErrorKind, code: &'static str, message: impl Into<String>) -> Self {
        Self { kind, code, message: message.into(), field: None, index: None, source: None }
    }

    /// Returns the error of a malformed request.
    ///
    /// ```
    /// # use hitherto::{Error, ErrorKind};
    /// assert_eq!(Error::invalid("limit_invalid", "limit 0 is below 1").kind(), ErrorKind::Invalid);
    /// ```
    #[must_use]
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, code, message)
    }

    /// Names the field at fault.
    ///
    /// ```
    /// # use hitherto::Error;
    /// let error = Error::invalid("limit_invalid", "limit 0 is below 1").at_field("limit");
    /// assert_eq!(error.field(), Some("limit"));
    /// ```
    #[must_use]
    pub fn at_field(mut self, field: impl Into<String>) -> Self {
        self.field.get_or_insert(field.into());
        self
    }

    /// Names the candidate at fault.
    ///
    /// ```
    /// # use hitherto::Error;
    /// assert_eq!(Error::invalid("name_empty", "the name is empty").at_index(2).index(), Some(2));
    /// ```
    #[must_use]
    pub fn at_index(mut self, index: usize) -> Self {
        self.index.get_or_insert(index);
        self
    }

    /// Keeps what caused it.
    pub(crate) fn because(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    /// Returns what kind of trouble it is.
    ///
    /// ```
    /// # use hitherto::{Error, ErrorKind};
    /// assert_eq!(Error::invalid("x", "x").kind(), ErrorKind::Invalid);
    /// ```
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the stable code; the table is in `docs/cli.md`.
    ///
    /// ```
    /// # use hitherto::Error;
    /// assert_eq!(Error::invalid("name_empty", "the name is empty").code(), "name_empty");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the field at fault.
    ///
    /// ```
    /// # use hitherto::Error;
    /// assert_eq!(Error::invalid("x", "x").field(), None);
    /// ```
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// Returns the place of the candidate at fault in its turn.
    ///
    /// ```
    /// # use hitherto::Error;
    /// assert_eq!(Error::invalid("x", "x").index(), None);
    /// ```
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        self.index
    }

    /// Returns a copy without the cause, for each of several who waited for
    /// the same thing.
    pub(crate) fn share(&self) -> Self {
        Self {
            kind: self.kind,
            code: self.code,
            message: self.message.clone(),
            field: self.field.clone(),
            index: self.index,
            source: None,
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let (kind, code) = match error.kind() {
            StoreErrorKind::NotAStore => (ErrorKind::Incompatible, "not_a_store"),
            StoreErrorKind::Missing => (ErrorKind::NotFound, "store_missing"),
            StoreErrorKind::Held => (ErrorKind::Unavailable, "store_held"),
            StoreErrorKind::Newer => (ErrorKind::Incompatible, "store_newer"),
            StoreErrorKind::Corrupt => (ErrorKind::Corrupt, "store_corrupt"),
            StoreErrorKind::Unavailable => (ErrorKind::Unavailable, "store_unavailable"),
            StoreErrorKind::Conflict => (ErrorKind::Conflict, "write_conflict"),
        };
        Self::new(kind, code, error.to_string()).because(error)
    }
}

impl From<TimeError> for Error {
    fn from(error: TimeError) -> Self {
        Self::invalid(error.code(), error.to_string()).because(error)
    }
}

impl From<NameError> for Error {
    fn from(error: NameError) -> Self {
        Self::invalid(error.code(), error.to_string()).because(error)
    }
}

impl From<ScopeError> for Error {
    fn from(error: ScopeError) -> Self {
        Self::invalid("scope_invalid", error.to_string()).at_field("scope").because(error)
    }
}

impl From<ValueError> for Error {
    fn from(error: ValueError) -> Self {
        Self::invalid("number_invalid", error.to_string()).because(error)
    }
}

impl From<FactIdError> for Error {
    fn from(error: FactIdError) -> Self {
        Self::new(ErrorKind::NotFound, "id_unknown", error.to_string()).because(error)
    }
}

impl From<SlotError> for Error {
    fn from(error: SlotError) -> Self {
        Self::invalid("slot_clash", error.to_string()).because(error)
    }
}

impl From<ParseError> for Error {
    fn from(error: ParseError) -> Self {
        let field = error.field().map(str::to_owned);
        let made = Self::invalid(error.code(), error.to_string());
        let made = match field {
            Some(field) => made.at_field(field),
            None => made,
        };
        made.because(error)
    }
}
