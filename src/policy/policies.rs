//! What each scope says of its policy, and what that comes to.

use std::collections::{BTreeMap, BTreeSet};

use super::settings::exact;
use super::{Mode, Policy};
use crate::identity::fold;

/// Changes to the policy of one scope; an absent field keeps what is in force.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{Mode, PolicyPatch};
///
/// let patch = PolicyPatch { mode: Some(Mode::Review), ..PolicyPatch::new("/org/acme") };
/// assert_eq!(patch.scope, "/org/acme");
/// assert_eq!(patch.not_weaker, None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyPatch {
    /// The scope, normalised: `/` or `/org/acme`.
    pub scope: String,
    /// See [`Policy::confidence_floor`].
    pub confidence_floor: Option<f64>,
    /// See [`Policy::not_weaker`].
    pub not_weaker: Option<bool>,
    /// See [`Policy::mode`].
    pub mode: Option<Mode>,
    /// See [`Policy::ranks`]; replaces the whole table.
    pub ranks: Option<BTreeMap<String, i64>>,
    /// See [`Policy::trusted_sources`]; replaces the whole set.
    pub trusted_sources: Option<BTreeSet<String>>,
    /// See [`Policy::functional_labels`]; replaces the whole set.
    pub functional_labels: Option<BTreeSet<String>>,
}

impl PolicyPatch {
    /// Returns a patch of `scope` that changes nothing yet.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::PolicyPatch::new("/").mode, None);
    /// ```
    #[must_use]
    pub fn new(scope: impl Into<String>) -> Self {
        Self {
            scope: scope.into(),
            confidence_floor: None,
            not_weaker: None,
            mode: None,
            ranks: None,
            trusted_sources: None,
            functional_labels: None,
        }
    }

    /// Takes over every field that `other` names.
    fn overlay(&mut self, other: Self) {
        self.confidence_floor = other.confidence_floor.or(self.confidence_floor);
        self.not_weaker = other.not_weaker.or(self.not_weaker);
        self.mode = other.mode.or(self.mode);
        self.ranks = other.ranks.or_else(|| self.ranks.take());
        self.trusted_sources = other.trusted_sources.or_else(|| self.trusted_sources.take());
        self.functional_labels = other.functional_labels.or_else(|| self.functional_labels.take());
    }

    /// Writes names the way they are compared, so that a patch built by hand matches like
    /// a parsed one.
    fn normalised(mut self) -> Self {
        self.ranks =
            self.ranks.map(|ranks| ranks.into_iter().map(|(name, rank)| (fold(&name), rank)).collect());
        self.trusted_sources = self
            .trusted_sources
            .map(|names| names.iter().map(|name| fold(name)).filter(|name| !name.is_empty()).collect());
        self.functional_labels =
            self.functional_labels.map(|labels| labels.iter().map(|label| exact(label)).collect());
        self
    }
}

/// The policies of a store, by scope.
///
/// The nearest ancestor scope that names a field decides that field; fields that no scope
/// names have their defaults.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{Mode, Policies, PolicyPatch};
///
/// let mut policies = Policies::default();
/// policies.apply(PolicyPatch { mode: Some(Mode::Review), ..PolicyPatch::new("/") });
/// policies.apply(PolicyPatch { confidence_floor: Some(0.9), ..PolicyPatch::new("/org") });
///
/// let nearest = policies.effective("/org/acme");
/// assert_eq!(nearest.mode, Mode::Review);
/// assert_eq!(nearest.confidence_floor, 0.9);
/// assert_eq!(policies.effective("/organ").confidence_floor, 0.7);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policies {
    by_scope: BTreeMap<String, PolicyPatch>,
}

impl Policies {
    /// Puts a patch in force, field by field over what its scope already says.
    ///
    /// ```
    /// use hitherto::policy::{Policies, PolicyPatch};
    ///
    /// let mut policies = Policies::default();
    /// policies.apply(PolicyPatch { not_weaker: Some(false), ..PolicyPatch::new("/") });
    /// policies.apply(PolicyPatch { confidence_floor: Some(0.5), ..PolicyPatch::new("/") });
    /// assert!(!policies.effective("/").not_weaker);
    /// ```
    pub fn apply(&mut self, patch: PolicyPatch) {
        let patch = patch.normalised();
        match self.by_scope.get_mut(&patch.scope) {
            Some(held) => held.overlay(patch),
            None => {
                self.by_scope.insert(patch.scope.clone(), patch);
            }
        }
    }

    /// Returns the policy in force for a normalised scope path.
    ///
    /// ```
    /// use hitherto::policy::{Policies, Policy};
    ///
    /// assert_eq!(Policies::default().effective("/any/where"), Policy::default());
    /// ```
    #[must_use]
    pub fn effective(&self, scope: &str) -> Policy {
        let mut sum = PolicyPatch::new(scope);
        for ancestor in ancestors(scope) {
            if let Some(patch) = self.by_scope.get(ancestor) {
                sum.overlay(patch.clone());
            }
        }
        let default = Policy::default();
        Policy {
            confidence_floor: sum.confidence_floor.unwrap_or(default.confidence_floor),
            not_weaker: sum.not_weaker.unwrap_or(default.not_weaker),
            mode: sum.mode.unwrap_or(default.mode),
            ranks: sum.ranks.unwrap_or_default(),
            trusted_sources: sum.trusted_sources.unwrap_or_default(),
            functional_labels: sum.functional_labels.unwrap_or_default(),
        }
    }

    /// Returns what each scope says, in order of the scope path.
    ///
    /// ```
    /// use hitherto::policy::{Policies, PolicyPatch};
    ///
    /// let mut policies = Policies::default();
    /// policies.apply(PolicyPatch::new("/b"));
    /// policies.apply(PolicyPatch::new("/a"));
    /// let scopes: Vec<_> = policies.patches().map(|patch| patch.scope.as_str()).collect();
    /// assert_eq!(scopes, ["/a", "/b"]);
    /// ```
    pub fn patches(&self) -> impl Iterator<Item = &PolicyPatch> {
        self.by_scope.values()
    }
}

/// Returns the scopes from the root down to `scope` itself, by path segment.
fn ancestors(scope: &str) -> impl Iterator<Item = &str> {
    let inner = scope.char_indices().skip(1).filter(|&(_, c)| c == '/').map(|(at, _)| &scope[..at]);
    std::iter::once("/").chain(inner).chain((scope != "/").then_some(scope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_go_by_segment_from_the_root() {
        assert_eq!(ancestors("/").collect::<Vec<_>>(), ["/"]);
        assert_eq!(ancestors("/a").collect::<Vec<_>>(), ["/", "/a"]);
        assert_eq!(ancestors("/a/bé/c").collect::<Vec<_>>(), ["/", "/a", "/a/bé", "/a/bé/c"]);
    }

    #[test]
    fn the_nearest_scope_decides_each_field_by_itself() {
        let mut policies = Policies::default();
        policies.apply(PolicyPatch {
            mode: Some(Mode::Authority),
            ranks: Some(BTreeMap::from([("Ledger".into(), 5)])),
            not_weaker: Some(false),
            ..PolicyPatch::new("/")
        });
        policies.apply(PolicyPatch {
            ranks: Some(BTreeMap::from([("desk".into(), 9)])),
            ..PolicyPatch::new("/a/b")
        });
        policies.apply(PolicyPatch { not_weaker: Some(true), ..PolicyPatch::new("/a") });
        let deep = policies.effective("/a/b/c");
        assert_eq!((deep.mode, deep.not_weaker), (Mode::Authority, true));
        assert_eq!((deep.rank(Some("ledger")), deep.rank(Some("DESK"))), (0, 9));
        assert_eq!(policies.effective("/a/bb").rank(Some("ledger")), 5);
        assert!(!policies.effective("/ab").not_weaker);
    }

    #[test]
    fn a_later_patch_of_a_scope_changes_only_what_it_names() {
        let mut policies = Policies::default();
        policies.apply(PolicyPatch {
            trusted_sources: Some(BTreeSet::from(["Registry ".into()])),
            functional_labels: Some(BTreeSet::from([" employed_by ".into()])),
            ..PolicyPatch::new("/")
        });
        policies.apply(PolicyPatch { mode: Some(Mode::Review), ..PolicyPatch::new("/") });
        let policy = policies.effective("/");
        assert_eq!(policy.mode, Mode::Review);
        assert!(policy.trusts(Some("REGISTRY")) && policy.is_functional("employed_by"));
        policies.apply(PolicyPatch { trusted_sources: Some(BTreeSet::new()), ..PolicyPatch::new("/") });
        assert!(!policies.effective("/").trusts(Some("registry")));
        assert_eq!(policies.patches().count(), 1);
    }
}
