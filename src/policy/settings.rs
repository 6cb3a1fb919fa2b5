//! The policy of a scope: which claim may replace which.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization;

use crate::identity::fold;

/// The confidence from which on a claim may retire another, where no policy names one.
pub(crate) const DEFAULT_FLOOR: f64 = 0.7;

/// How the sources of two rival claims are weighed.
///
/// # Examples
///
/// ```
/// use hitherto::policy::Mode;
///
/// assert_eq!(Mode::parse("review"), Some(Mode::Review));
/// assert_eq!(Mode::Review.as_str(), "review");
/// assert_eq!(Mode::parse("Review"), None, "words of the protocol are exact");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The later claim wins, whoever made it.
    #[default]
    Recency,
    /// Only a strictly higher rank supersedes.
    Authority,
    /// Every replacement is held for a person.
    Review,
}

impl Mode {
    /// Returns the word of the protocol.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::Mode::Recency.as_str(), "recency");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recency => "recency",
            Self::Authority => "authority",
            Self::Review => "review",
        }
    }

    /// Returns the mode that `word` names, if it names one exactly.
    ///
    /// ```
    /// use hitherto::policy::Mode;
    ///
    /// assert_eq!(Mode::parse("authority"), Some(Mode::Authority));
    /// ```
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Recency, Self::Authority, Self::Review].into_iter().find(|mode| mode.as_str() == word)
    }
}

/// The policy in force for one scope, with every field decided.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{Mode, Policy};
///
/// let policy = Policy::default();
/// assert_eq!(policy.mode, Mode::Recency);
/// assert_eq!(policy.confidence_floor, 0.7);
/// assert!(policy.not_weaker);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The confidence from which on a claim may retire another.
    pub confidence_floor: f64,
    /// Whether a claim must also be at least as confident as what it retires.
    pub not_weaker: bool,
    /// How sources are weighed.
    pub mode: Mode,
    /// Rank by folded source name.
    pub ranks: BTreeMap<String, i64>,
    /// Folded names of the sources that need no confirmation.
    pub trusted_sources: BTreeSet<String>,
    /// Labels of which a subject has one object at a time, NFC and trimmed.
    pub functional_labels: BTreeSet<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            confidence_floor: DEFAULT_FLOOR,
            not_weaker: true,
            mode: Mode::default(),
            ranks: BTreeMap::new(),
            trusted_sources: BTreeSet::new(),
            functional_labels: BTreeSet::new(),
        }
    }
}

impl Policy {
    /// Returns the rank of a source; nobody and the unlisted rank 0.
    ///
    /// ```
    /// use hitherto::policy::Policy;
    ///
    /// let mut policy = Policy::default();
    /// policy.ranks.insert("crm".into(), 2);
    /// assert_eq!(policy.rank(Some(" CRM ")), 2);
    /// assert_eq!(policy.rank(Some("desk")), 0);
    /// assert_eq!(policy.rank(None), 0);
    /// ```
    #[must_use]
    pub fn rank(&self, source: Option<&str>) -> i64 {
        claimant(source).and_then(|name| self.ranks.get(&name).copied()).unwrap_or(0)
    }

    /// Tells whether a source may change a guarded slot at once; nobody is never trusted.
    ///
    /// ```
    /// use hitherto::policy::Policy;
    ///
    /// let mut policy = Policy::default();
    /// policy.trusted_sources.insert("registry".into());
    /// assert!(policy.trusts(Some("Registry")));
    /// assert!(!policy.trusts(None));
    /// ```
    #[must_use]
    pub fn trusts(&self, source: Option<&str>) -> bool {
        claimant(source).is_some_and(|name| self.trusted_sources.contains(&name))
    }

    /// Tells whether a subject has one object at a time under `label`. Labels compare
    /// exactly, after NFC and trimming.
    ///
    /// ```
    /// use hitherto::policy::Policy;
    ///
    /// let mut policy = Policy::default();
    /// policy.functional_labels.insert("employed_by".into());
    /// assert!(policy.is_functional(" employed_by"));
    /// assert!(!policy.is_functional("Employed_By"));
    /// ```
    #[must_use]
    pub fn is_functional(&self, label: &str) -> bool {
        !self.functional_labels.is_empty() && self.functional_labels.contains(&exact(label))
    }
}

/// Returns the name that a source is compared by; a blank name is nobody's.
pub(super) fn claimant(source: Option<&str>) -> Option<String> {
    source.map(fold).filter(|name| !name.is_empty())
}

/// Returns a label as it is compared: NFC and trimmed, nothing folded.
pub(super) fn exact(label: &str) -> String {
    label.nfc().collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_name_is_nobody() {
        let policy = Policy {
            ranks: BTreeMap::from([(String::new(), 7)]),
            trusted_sources: BTreeSet::from([String::new()]),
            ..Policy::default()
        };
        assert_eq!(policy.rank(Some("  ")), 0);
        assert!(!policy.trusts(Some("\t")));
    }
}
