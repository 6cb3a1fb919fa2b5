//! Which values of a list are one item.

use super::Slot;
use crate::identity::fold;

/// What makes two values of a list one item.
///
/// ```
/// use hitherto::policy::Identity;
///
/// assert_eq!(Identity::parse("head"), Some(Identity::Head));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Identity {
    /// The whole value, case-folded.
    #[default]
    Whole,
    /// The value up to a spaced dash or a spaced digit, case-folded.
    Head,
}

impl Identity {
    /// Returns the word of the protocol.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::Identity::Whole.as_str(), "whole");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Head => "head",
        }
    }

    /// Returns the identity that `word` names, if it names one exactly.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::Identity::parse("tail"), None);
    /// ```
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Whole, Self::Head].into_iter().find(|identity| identity.as_str() == word)
    }
}

/// Returns what makes a value of a list slot the item it is.
///
/// Under [`Identity::Head`] that is the value up to a spaced dash or a spaced digit. A
/// value that starts with a digit, or would have no letter or digit left, has no shorter
/// identity. Commas and brackets before the cut belong to the identity.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{Identity, Slot, item_identity};
///
/// let slot = Slot { identity: Identity::Head, ..Slot::new("medication") };
/// assert_eq!(item_identity(&slot, "Lisoril 10 mg daily"), "lisoril");
/// assert_eq!(item_identity(&slot, "Plum cake - small"), "plum cake");
/// assert_eq!(item_identity(&slot, "Co-lisoril 5 mg"), "co-lisoril");
/// assert_eq!(item_identity(&slot, "5 mg Oxaril"), "5 mg oxaril");
/// ```
#[must_use]
pub fn item_identity(slot: &Slot, value: &str) -> String {
    let whole = fold(value);
    if slot.identity == Identity::Whole || whole.starts_with(char::is_numeric) {
        return whole;
    }
    // Folding leaves one space for every run of white space.
    let cut = whole.match_indices(' ').map(|(at, _)| at).find(|&at| {
        let mut rest = whole[at + 1..].chars();
        match rest.next() {
            Some('-' | '–' | '—') => rest.next() == Some(' '),
            Some(c) => c.is_numeric(),
            None => false,
        }
    });
    match cut {
        Some(at) if whole[..at].contains(char::is_alphanumeric) => whole[..at].to_owned(),
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_an_item_follows_the_table() {
        let head = Slot { identity: Identity::Head, ..Slot::new("current_drug") };
        let table = [
            ("Lisoril 10 mg daily", "lisoril"),
            ("Metavan", "metavan"),
            ("Co-lisoril 5 mg", "co-lisoril"),
            ("Oxaril (5 mg)", "oxaril (5 mg)"),
            ("Oxaril, 5 mg", "oxaril,"),
            ("5 mg Oxaril", "5 mg oxaril"),
            ("  5 mg Oxaril", "5 mg oxaril"),
            ("Rack 4 primary", "rack"),
            ("plum CAKE – large", "plum cake"),
            ("plum cake — large - 2", "plum cake"),
            ("Plum\u{a0}cake\u{2003}-\tlarge", "plum cake"),
            ("Plum cake -large", "plum cake -large"),
            ("Plum cake -", "plum cake -"),
            ("- small", "- small"),
            ("— 5", "— 5"),
            ("STRASSE ٣ mg", "strasse"),
            ("Straße 3", "strasse"),
            ("B12 drops", "b12 drops"),
            ("", ""),
        ];
        for (value, identity) in table {
            assert_eq!(item_identity(&head, value), identity, "{value:?}");
        }
        let whole = Slot::new("grid_node");
        assert_eq!(item_identity(&whole, " Rack 4  Primary"), "rack 4 primary");
    }

    #[test]
    fn the_head_of_a_head_is_itself() {
        let head = Slot { identity: Identity::Head, ..Slot::new("s") };
        for value in ["Lisoril 10 mg", "a - b 3 - c", "x – 3", "3 x 3", "İ 3"] {
            let once = item_identity(&head, value);
            assert_eq!(item_identity(&head, &once), once);
        }
    }
}
