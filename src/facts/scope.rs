//! A scope: the slash path that partitions facts.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

/// The longest segment of a scope, in bytes of UTF-8.
const SEGMENT_LIMIT: usize = 256;

/// A path such as `/org/acme` that partitions facts.
///
/// A scope sees itself and its ancestors, compared segment by segment and
/// never by text prefix.
///
/// ```
/// use hitherto::facts::Scope;
///
/// let acme = Scope::parse("/org/acme/")?;
/// assert_eq!(acme.as_str(), "/org/acme");
/// assert!(acme.sees(&Scope::root()));
/// assert!(!acme.sees(&Scope::parse("/org/acme2")?));
/// # Ok::<(), hitherto::facts::ScopeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scope(Arc<str>);

/// A text that is no scope.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("scope {text:?} is not a path: {fault}")]
pub struct ScopeError {
    text: String,
    fault: &'static str,
}

impl Scope {
    /// Returns `/`, the ancestor of every scope.
    ///
    /// ```
    /// assert_eq!(hitherto::facts::Scope::root().as_str(), "/");
    /// ```
    #[must_use]
    pub fn root() -> Self {
        Self(Arc::from("/"))
    }

    /// Reads a scope from its path, dropping one trailing slash.
    ///
    /// # Errors
    ///
    /// A [`ScopeError`] when the text does not begin with `/`, or has a segment
    /// that is empty, `.`, `..`, longer than 256 bytes or holds a control
    /// character.
    ///
    /// ```
    /// use hitherto::facts::Scope;
    ///
    /// assert!(Scope::parse("org").is_err());
    /// assert!(Scope::parse("/a//b").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, ScopeError> {
        let refuse = |fault| ScopeError { text: text.chars().take(80).collect(), fault };
        let path: String = text.nfc().collect();
        let Some(rest) = path.strip_prefix('/') else {
            return Err(refuse("it does not begin with /"));
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.is_empty() {
            return if path == "/" { Ok(Self::root()) } else { Err(refuse("a segment is empty")) };
        }
        for segment in rest.split('/') {
            if segment.is_empty() {
                return Err(refuse("a segment is empty"));
            }
            if segment == "." || segment == ".." {
                return Err(refuse("a segment is . or .."));
            }
            if segment.len() > SEGMENT_LIMIT {
                return Err(refuse("a segment is longer than 256 bytes"));
            }
            if segment.chars().any(char::is_control) {
                return Err(refuse("a segment holds a control character"));
            }
        }
        Ok(Self(Arc::from(format!("/{rest}"))))
    }

    /// Returns the path.
    ///
    /// ```
    /// # use hitherto::facts::Scope;
    /// assert_eq!(Scope::parse("/a/b")?.as_str(), "/a/b");
    /// # Ok::<(), hitherto::facts::ScopeError>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a read in this scope sees facts of `other`: itself or an ancestor.
    ///
    /// ```
    /// # use hitherto::facts::Scope;
    /// assert!(Scope::parse("/a/b")?.sees(&Scope::parse("/a")?));
    /// assert!(!Scope::parse("/a")?.sees(&Scope::parse("/a/b")?));
    /// # Ok::<(), hitherto::facts::ScopeError>(())
    /// ```
    #[must_use]
    pub fn sees(&self, other: &Self) -> bool {
        self.is_within(other)
    }

    /// Whether this scope is `ancestor` or lies beneath it.
    ///
    /// ```
    /// # use hitherto::facts::Scope;
    /// assert!(Scope::parse("/a/b")?.is_within(&Scope::root()));
    /// # Ok::<(), hitherto::facts::ScopeError>(())
    /// ```
    #[must_use]
    pub fn is_within(&self, ancestor: &Self) -> bool {
        if &*ancestor.0 == "/" {
            return true;
        }
        self.0.strip_prefix(&*ancestor.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Returns the number of segments; the root has none.
    ///
    /// ```
    /// # use hitherto::facts::Scope;
    /// assert_eq!(Scope::parse("/a/b")?.depth(), 2);
    /// # Ok::<(), hitherto::facts::ScopeError>(())
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        if &*self.0 == "/" { 0 } else { self.0.matches('/').count() }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_or_refused_by_its_segments() {
        for (text, path) in [("/", "/"), ("/a", "/a"), ("/a/", "/a"), ("/a b/%", "/a b/%"), ("/EU", "/EU")] {
            assert_eq!(Scope::parse(text).map(|s| s.to_string()), Ok(path.into()));
        }
        for text in ["", "a", "//", "/a//b", "/a//", "/.", "/a/..", "/a\u{7}"] {
            assert!(Scope::parse(text).is_err(), "{text:?}");
        }
        assert!(Scope::parse(&format!("/{}", "x".repeat(256))).is_ok());
        assert!(Scope::parse(&format!("/{}", "x".repeat(257))).is_err());
    }

    #[test]
    fn a_scope_sees_by_segment_and_never_by_prefix() {
        let scope = |t| Scope::parse(t).expect("a path");
        assert!(scope("/org/acme/user").sees(&scope("/org/acme")));
        assert!(scope("/org/acme").sees(&scope("/org/acme")));
        assert!(!scope("/org/acme2").sees(&scope("/org/acme")));
        assert!(!scope("/org").sees(&scope("/org/acme")));
        assert!(!scope("/EU").sees(&scope("/eu")));
    }
}
