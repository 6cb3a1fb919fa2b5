//! A record that two claims clash, or that one could not be decided.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::action::{Reason, words};
use super::line::{FactId, FactIdError};
use super::scope::Scope;
use crate::identity::EntityId;
use crate::time::Timestamp;

/// The id of an uncertainty.
///
/// ```
/// use hitherto::facts::UncertaintyId;
///
/// let id: UncertaintyId = "U7.0".parse()?;
/// assert_eq!(id.to_string(), "U7.0");
/// # Ok::<(), hitherto::facts::FactIdError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UncertaintyId {
    /// The transaction that opened it.
    pub tx: u64,
    /// Its place in that transaction.
    pub place: u32,
}

impl fmt::Display for UncertaintyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U{}.{}", self.tx, self.place)
    }
}

impl FromStr for UncertaintyId {
    type Err = FactIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let as_fact = text.strip_prefix('U').map_or_else(|| text.to_owned(), |rest| format!("F{rest}"));
        let FactId { tx, place } = as_fact.parse()?;
        Ok(Self { tx, place })
    }
}

words! {
    /// How an uncertainty was closed.
    ///
    /// ```
    /// use hitherto::facts::Resolution;
    ///
    /// assert_eq!(Resolution::BecameCurrent.as_str(), "became_current");
    /// ```
    Resolution {
        /// A person let the proposal through.
        Confirmed = "confirmed",
        /// A person turned it down.
        Rejected = "rejected",
        /// A person chose a side.
        Chosen = "chosen",
        /// A person chose neither side.
        Neither = "neither",
        /// A person left the current side standing.
        Dismissed = "dismissed",
        /// The held claim was said again and passed.
        BecameCurrent = "became_current",
        /// One side is believed no longer.
        OtherSideGone = "other_side_gone",
    }
}

/// When, by whom and how an uncertainty was closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closing {
    /// When.
    pub at: Timestamp,
    /// By whom; nobody when it closed by itself.
    pub by: Option<Arc<str>>,
    /// How.
    pub resolution: Resolution,
    /// The side that was chosen, if one was.
    pub chosen: Option<FactId>,
}

/// Two claims that clash, or one that could not be decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uncertainty {
    /// Its id.
    pub id: UncertaintyId,
    /// Whom it is about.
    pub subject: EntityId,
    /// Which key or label it is about.
    pub key: Arc<str>,
    /// In which scope.
    pub scope: Scope,
    /// Why it was opened.
    pub reason: Reason,
    /// The facts on either side, each from when on.
    pub sides: Vec<(FactId, Timestamp)>,
    /// The entities that a reference may mean.
    pub candidates: Vec<EntityId>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// How it was closed, if it was.
    pub closed: Option<Closing>,
}

impl Uncertainty {
    /// Whether it was open at a known instant.
    #[must_use]
    pub fn is_open_at(&self, known_at: Timestamp) -> bool {
        self.opened_at <= known_at && self.closed.as_ref().is_none_or(|c| c.at > known_at)
    }
}
