//! The gates of rules 9 and 10: may this claim retire that fact?
//!
//! Each function answers for one fact; a candidate passes when every fact that its effect
//! would cut lets it pass.

use super::settings::claimant;
use super::{Mode, Policy};

/// Tells whether a candidate is confident enough to retire a fact (rule 9).
///
/// It has to reach the floor and, unless the policy drops that half, the confidence of the fact.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{Policy, confidence_passes};
///
/// let policy = Policy::default();
/// assert!(confidence_passes(&policy, 0.7, 0.7));
/// assert!(!confidence_passes(&policy, 0.69, 0.5), "below the floor");
/// assert!(!confidence_passes(&policy, 0.75, 0.9), "weaker than what it meets");
/// ```
#[must_use]
pub fn confidence_passes(policy: &Policy, candidate: f64, held: f64) -> bool {
    candidate >= policy.confidence_floor && (!policy.not_weaker || candidate >= held)
}

/// Tells whether the source of a candidate may retire a fact (rule 10).
///
/// `held_names` starts with the fact's own source; its evidence follows. A source may
/// always correct itself, unless another named source stands behind the fact. A claim
/// without a name is nobody's: never itself, and nobody who stands behind a fact.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{Mode, Policy, source_allows};
///
/// let mut policy = Policy { mode: Mode::Authority, ..Policy::default() };
/// policy.ranks.insert("ledger".into(), 5);
///
/// assert!(source_allows(&policy, Some("ledger"), &[Some("desk")]));
/// assert!(!source_allows(&policy, Some("desk"), &[Some("ledger")]));
/// assert!(source_allows(&policy, Some("Desk"), &[Some("desk")]), "its own correction");
/// assert!(!source_allows(&policy, Some("desk"), &[Some("desk"), Some("ledger")]));
/// ```
#[must_use]
pub fn source_allows(policy: &Policy, candidate: Option<&str>, held_names: &[Option<&str>]) -> bool {
    if policy.mode == Mode::Recency || corrects_itself(candidate, held_names) {
        return true;
    }
    if policy.mode == Mode::Review {
        return false;
    }
    // A fact of no known source ranks 0, like an unlisted one.
    let held = held_names.iter().map(|name| policy.rank(*name)).max().unwrap_or(0);
    policy.rank(candidate) > held
}

fn corrects_itself(candidate: Option<&str>, held_names: &[Option<&str>]) -> bool {
    let (Some(candidate), Some((own, evidence))) = (claimant(candidate), held_names.split_first()) else {
        return false;
    };
    claimant(*own).is_some_and(|own| own == candidate)
        && evidence.iter().filter_map(|name| claimant(*name)).all(|name| name == candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn policy(mode: Mode) -> Policy {
        Policy {
            mode,
            ranks: BTreeMap::from([
                ("ledger".into(), 5),
                ("desk".into(), 2),
                ("bot".into(), 1),
                ("spam".into(), -3),
            ]),
            ..Policy::default()
        }
    }

    #[test]
    fn the_confidence_table_of_rule_nine_holds() {
        // (candidate, held, passes, passes without the second half)
        let table = [
            (0.70, 0.60, true, true),
            (0.70, 0.70, true, true),
            (0.75, 0.90, false, true),
            (0.69, 0.90, false, false),
            (0.69, 0.50, false, false),
            (0.90, 0.90, true, true),
            (f64::NAN, 0.0, false, false),
            (1.0, f64::NAN, false, true),
        ];
        let strict = Policy::default();
        let lax = Policy { not_weaker: false, ..Policy::default() };
        for (candidate, held, passes, passes_lax) in table {
            assert_eq!(confidence_passes(&strict, candidate, held), passes, "{candidate} over {held}");
            assert_eq!(confidence_passes(&lax, candidate, held), passes_lax, "{candidate} over {held}, lax");
        }
    }

    #[test]
    fn the_source_table_of_rule_ten_holds() {
        type Row<'a> = (Option<&'a str>, &'a [Option<&'a str>], bool, bool);
        // (candidate, held, under authority, under review)
        let table: [Row; 13] = [
            (Some("ledger"), &[Some("desk")], true, false),
            (Some("desk"), &[Some("ledger")], false, false),
            (Some("bot"), &[Some("bot")], true, true),
            (Some(" Bot "), &[Some("bOT")], true, true),
            (Some("bot"), &[Some("bot"), Some("bot"), None], true, true),
            (Some("bot"), &[Some("bot"), Some("desk")], false, false),
            (Some("desk"), &[Some("bot"), Some("desk")], false, false),
            (Some("x1"), &[Some("x2")], false, false),
            (None, &[None], false, false),
            (Some(" "), &[Some(" ")], false, false),
            (None, &[Some("spam")], true, false),
            (Some("bot"), &[None], true, false),
            (Some("bot"), &[], true, false),
        ];
        for (candidate, held, authority, review) in table {
            assert_eq!(
                source_allows(&policy(Mode::Authority), candidate, held),
                authority,
                "{candidate:?} over {held:?}"
            );
            assert_eq!(
                source_allows(&policy(Mode::Review), candidate, held),
                review,
                "{candidate:?} over {held:?}"
            );
            assert!(source_allows(&policy(Mode::Recency), candidate, held));
        }
    }
}
