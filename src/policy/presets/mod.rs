//! Ready-made declarations for six kinds of work.
//!
//! One table a domain, in the language of its users. The flags follow three questions.
//! Can more than one hold at a time? Then the slot is a list. Would a wrong change cost
//! money, health or access? Then it is guarded (`confirm`). Is it copied out letter by
//! letter? Then it is `verbatim`. Aliases are spellings of the same thing, never of
//! something near it; one that could mean two slots of a domain is given to neither.

mod assistant;
mod clinical;
mod coding;
mod finance;
mod sales;
mod support;

use super::{Identity, SlotKind, SlotPatch};

/// The names of the presets.
///
/// ```
/// assert!(hitherto::policy::PRESETS.contains(&"clinical"));
/// ```
pub const PRESETS: [&str; 6] = ["assistant", "clinical", "coding", "finance", "sales", "support"];

/// Returns the declarations of a preset, or nothing where no preset has that name.
///
/// Every field but `kind` is said, so that a preset gives the same slots whatever was
/// declared before.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{Slots, preset};
///
/// let mut slots = Slots::default();
/// slots.declare(preset("clinical").expect("a preset of that name"))?;
/// let allergy = slots.declared("Allergies").expect("declared by the preset");
/// assert!(allergy.multi && allergy.verbatim);
/// assert_eq!(preset("astrology"), None);
/// # Ok::<(), hitherto::policy::SlotError>(())
/// ```
#[must_use]
pub fn preset(name: &str) -> Option<Vec<SlotPatch>> {
    let rows = match name {
        "assistant" => assistant::SLOTS,
        "clinical" => clinical::SLOTS,
        "coding" => coding::SLOTS,
        "finance" => finance::SLOTS,
        "sales" => sales::SLOTS,
        "support" => support::SLOTS,
        _ => return None,
    };
    Some(rows.iter().map(Row::patch).collect())
}

/// One slot of a preset, as its table writes it.
struct Row {
    name: &'static str,
    category: &'static str,
    aliases: &'static [&'static str],
    description: &'static str,
    multi: bool,
    confirm: bool,
    verbatim: bool,
    identity: Identity,
    kind: Option<SlotKind>,
}

/// Starts a row: one value, unguarded, of no stated kind.
const fn slot(
    name: &'static str,
    category: &'static str,
    aliases: &'static [&'static str],
    description: &'static str,
) -> Row {
    Row {
        name,
        category,
        aliases,
        description,
        multi: false,
        confirm: false,
        verbatim: false,
        identity: Identity::Whole,
        kind: None,
    }
}

impl Row {
    /// Any number of values at a time.
    const fn list(mut self) -> Self {
        self.multi = true;
        self
    }

    /// A list whose items keep their identity when a dose, a version or a remark behind
    /// the name changes.
    const fn list_by_head(mut self) -> Self {
        self.multi = true;
        self.identity = Identity::Head;
        self
    }

    /// A change waits for a person.
    const fn guarded(mut self) -> Self {
        self.confirm = true;
        self
    }

    /// The exact words matter.
    const fn verbatim(mut self) -> Self {
        self.verbatim = true;
        self
    }

    /// Happenings, which never supersede each other.
    const fn events(mut self) -> Self {
        self.kind = Some(SlotKind::Event);
        self
    }

    fn patch(&self) -> SlotPatch {
        SlotPatch {
            name: self.name.to_owned(),
            aliases: Some(self.aliases.iter().map(|&alias| alias.to_owned()).collect()),
            multi: Some(self.multi),
            confirm: Some(self.confirm),
            verbatim: Some(self.verbatim),
            category: Some(self.category.to_owned()),
            kind: self.kind,
            identity: Some(self.identity),
            description: Some(self.description.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::fold_slot;
    use crate::policy::{Slots, item_identity};
    use std::collections::{BTreeMap, BTreeSet};

    fn declared(name: &str) -> Slots {
        let mut slots = Slots::default();
        slots.declare(preset(name).unwrap()).unwrap();
        slots
    }

    #[test]
    fn every_preset_declares_cleanly_and_describes_itself() {
        for name in PRESETS {
            let patches = preset(name).unwrap();
            assert!(patches.len() >= 12, "{name} is thin");
            for patch in &patches {
                assert!(
                    patch.description.as_deref().is_some_and(|text| text.ends_with('.')),
                    "{}",
                    patch.name
                );
                assert!(patch.category.is_some());
                assert_eq!(patch.name, patch.name.to_lowercase().replace(' ', "_"), "one manner of names");
                assert!(patch.identity == Some(Identity::Whole) || patch.multi == Some(true));
                assert!(patch.kind.is_none() || patch.confirm == Some(false), "an event retires nothing");
            }
            assert_eq!(declared(name).iter().count(), patches.len());
        }
        assert_eq!(preset("Coding"), None);
        assert_eq!(preset(""), None);
    }

    #[test]
    fn the_spellings_of_a_preset_fold_uniquely() {
        for name in PRESETS {
            let mut seen = BTreeSet::new();
            for patch in preset(name).unwrap() {
                for spelling in std::iter::once(&patch.name).chain(patch.aliases.iter().flatten()) {
                    assert!(seen.insert(fold_slot(spelling)), "{name} has {spelling} twice");
                }
            }
        }
    }

    #[test]
    fn presets_stand_beside_each_other_in_any_order() {
        for first in PRESETS {
            for second in PRESETS {
                let mut slots = declared(first);
                slots
                    .declare(preset(second).unwrap())
                    .unwrap_or_else(|clash| panic!("{first}, {second}: {clash}"));
            }
        }
        let mut all = Slots::default();
        let mut said: BTreeMap<String, SlotPatch> = BTreeMap::new();
        for patch in PRESETS.iter().flat_map(|name| preset(name).unwrap()) {
            let held = said.entry(patch.name.clone()).or_insert_with(|| patch.clone());
            assert_eq!(held, &patch, "two presets mean two things by one name");
            all.declare(vec![patch]).unwrap();
        }
    }

    #[test]
    fn declaring_a_preset_again_changes_nothing() {
        for name in PRESETS {
            let mut slots = declared(name);
            let before = slots.clone();
            slots.declare(preset(name).unwrap()).unwrap();
            assert_eq!(slots, before);
        }
    }

    #[test]
    fn what_can_do_harm_is_guarded() {
        for (name, key) in [
            ("clinical", "meds"),
            ("finance", "IBAN"),
            ("finance", "signatory"),
            ("support", "account owner"),
            ("coding", "licence"),
            ("assistant", "emergency contact"),
            ("sales", "discount"),
        ] {
            assert!(declared(name).declared(key).unwrap().confirm, "{name} {key}");
        }
    }

    #[test]
    fn medication_and_allergy_go_by_their_head() {
        let slots = declared("clinical");
        for (key, value, item) in [
            ("medication", "Lisoril 10 mg daily", "lisoril"),
            ("allergies", "Penicillin - rash", "penicillin"),
        ] {
            let slot = slots.declared(key).unwrap();
            assert!(slot.multi);
            assert_eq!(item_identity(slot, value), item);
        }
    }
}
