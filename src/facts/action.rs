//! The nine actions and the reasons for them.

/// Makes an enumeration whose members have one word each on the wire.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// Every member, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the word of the protocol.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Returns the member with exactly this word.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What reconciliation did with a candidate: always exactly one of nine.
    ///
    /// ```
    /// use hitherto::facts::Action;
    ///
    /// assert_eq!(Action::parse("SUPERSEDE"), Some(Action::Supersede));
    /// assert_eq!(Action::ALL.len(), 9);
    /// ```
    Action {
        /// Something new is believed and nothing was retired for it.
        Add = "ADD",
        /// A newer value took over some valid time of an older one.
        Supersede = "SUPERSEDE",
        /// Belief ended with no successor.
        Retract = "RETRACT",
        /// A version with more detail replaced an earlier one.
        Refine = "REFINE",
        /// Already held; counted as evidence.
        Dedup = "DEDUP",
        /// Another scope holds a different value at the same time.
        Coexist = "COEXIST",
        /// Held for a person; nothing current was changed.
        Flag = "FLAG",
        /// Nothing was stored.
        Skip = "SKIP",
        /// Filed as history, never current.
        Archive = "ARCHIVE",
    }
}

words! {
    /// Why a candidate met its action: one closed list, see `docs/reconcile.md`.
    ///
    /// ```
    /// use hitherto::facts::Reason;
    ///
    /// assert_eq!(Reason::LowConfidence.as_str(), "low_confidence");
    /// ```
    Reason {
        /// The slot held nothing over this period.
        NewValue = "new_value",
        /// Only the part that was not yet believed was written.
        Extends = "extends",
        /// A document or an operator said what so far only talk had said.
        Confirmed = "confirmed",
        /// An event happened.
        Occurred = "occurred",
        /// A note was taken.
        Noted = "noted",
        /// A different value took over.
        NewerValue = "newer_value",
        /// The new value keeps all of the old one and says more.
        MoreDetail = "more_detail",
        /// The value ended.
        Ended = "ended",
        /// The same is believed already.
        Restated = "restated",
        /// The same claim is held already and would be held again.
        AlreadyHeld = "already_held",
        /// The same past value is archived already.
        AlreadyArchived = "already_archived",
        /// The exact message was taken in before and all it said still holds.
        RepeatedMessage = "repeated_message",
        /// Another scope holds a different value of the key.
        OtherScope = "other_scope",
        /// A plan without a date is not true yet.
        NotTrueYet = "not_true_yet",
        /// An experiential claim met a differing authoritative fact, or the reverse.
        AuthorityConflict = "authority_conflict",
        /// The slot asks for confirmation.
        Confirmation = "confirmation",
        /// Too weak to retire what is held.
        LowConfidence = "low_confidence",
        /// The source policy of the scope does not let this source retire it.
        SourcePolicy = "source_policy",
        /// Two undated values for one slot in one turn.
        Ambiguous = "ambiguous",
        /// Several entities bear the name.
        AmbiguousReference = "ambiguous_reference",
        /// The caller asked to skip it.
        Skipped = "skipped",
        /// The value named is not held, so there is nothing to remove.
        NothingToRemove = "nothing_to_remove",
        /// A past value without a period is history only.
        Past = "past",
        /// The target named no believed fact of this slot and was ignored.
        TargetIgnored = "target_ignored",
        /// A person chose it.
        Chosen = "chosen",
        /// A person let a proposal through.
        Approved = "approved",
        /// A person turned it down.
        Rejected = "rejected",
        /// It was forgotten on request.
        Forgotten = "forgotten",
        /// A sweep found the entity that a placeholder stood for.
        Resolved = "resolved",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_as_its_member() {
        for action in Action::ALL {
            assert_eq!(Action::parse(action.as_str()), Some(*action));
        }
        for reason in Reason::ALL {
            assert_eq!(Reason::parse(reason.as_str()), Some(*reason));
        }
        assert_eq!(Action::parse("add"), None);
    }
}
