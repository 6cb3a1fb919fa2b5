//! Declared slots: what kind of place a key is.

use std::collections::HashMap;

use super::item::Identity;
use crate::identity::{NameError, fold_slot, key};

/// Whether a slot holds states that succeed each other or happenings.
///
/// ```
/// use hitherto::policy::SlotKind;
///
/// assert_eq!(SlotKind::parse("event"), Some(SlotKind::Event));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// A state, superseded by the next.
    State,
    /// A happening, never superseded.
    Event,
}

impl SlotKind {
    /// Returns the word of the protocol.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::SlotKind::State.as_str(), "state");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Event => "event",
        }
    }

    /// Returns the kind that `word` names, if it names one exactly.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::SlotKind::parse("State"), None);
    /// ```
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::State, Self::Event].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A declared slot.
///
/// ```
/// use hitherto::policy::{Slot, SlotPatch, Slots};
///
/// let mut slots = Slots::default();
/// slots.declare(vec![SlotPatch::new("tier")])?;
/// assert_eq!(slots.declared("tier"), Some(&Slot::new("tier")));
/// # Ok::<(), hitherto::policy::SlotError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The name, as first declared.
    pub name: String,
    /// Other spellings that fold onto the slot.
    pub aliases: Vec<String>,
    /// Whether it holds a list.
    pub multi: bool,
    /// Whether a change of what is held waits for a person.
    pub confirm: bool,
    /// Whether the exact words matter, so that nothing may reword a value.
    pub verbatim: bool,
    /// A word of the user's own, for grouping.
    pub category: Option<String>,
    /// What the slot holds, where that is declared.
    pub kind: Option<SlotKind>,
    /// What makes two values of the list one item.
    pub identity: Identity,
    /// What belongs in the slot, for people and models.
    pub description: Option<String>,
}

impl Slot {
    /// Returns the folded spellings of the slot, in order, none twice.
    ///
    /// ```
    /// use hitherto::policy::Slot;
    ///
    /// let slot = Slot { aliases: vec!["Home-City".into(), "town".into()], ..Slot::new("home city") };
    /// assert_eq!(slot.spellings(), ["homecity", "town"]);
    /// ```
    #[must_use]
    pub fn spellings(&self) -> Vec<String> {
        let names = std::iter::once(&self.name).chain(&self.aliases);
        let mut spellings: Vec<String> = names.map(|name| fold_slot(name)).collect();
        spellings.sort();
        spellings.dedup();
        spellings
    }

    /// Returns a single-valued, unguarded slot.
    ///
    /// ```
    /// assert!(!hitherto::policy::Slot::new("tier").multi);
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            aliases: Vec::new(),
            multi: false,
            confirm: false,
            verbatim: false,
            category: None,
            kind: None,
            identity: Identity::Whole,
            description: None,
        }
    }

    fn overlay(&mut self, patch: SlotPatch) {
        self.aliases = patch.aliases.unwrap_or_else(|| std::mem::take(&mut self.aliases));
        self.multi = patch.multi.unwrap_or(self.multi);
        self.confirm = patch.confirm.unwrap_or(self.confirm);
        self.verbatim = patch.verbatim.unwrap_or(self.verbatim);
        self.category = patch.category.or_else(|| self.category.take());
        self.kind = patch.kind.or(self.kind);
        self.identity = patch.identity.unwrap_or(self.identity);
        self.description = patch.description.or_else(|| self.description.take());
    }
}

/// A declaration of one slot; an absent field keeps what is in force, else has its default.
///
/// ```
/// use hitherto::policy::SlotPatch;
///
/// let patch = SlotPatch { multi: Some(true), ..SlotPatch::new("allergy") };
/// assert_eq!(patch.confirm, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotPatch {
    /// The name; declares the slot, or finds the one in force by its own name.
    pub name: String,
    /// See [`Slot::aliases`]; replaces the whole list.
    pub aliases: Option<Vec<String>>,
    /// See [`Slot::multi`].
    pub multi: Option<bool>,
    /// See [`Slot::confirm`].
    pub confirm: Option<bool>,
    /// See [`Slot::verbatim`].
    pub verbatim: Option<bool>,
    /// See [`Slot::category`].
    pub category: Option<String>,
    /// See [`Slot::kind`].
    pub kind: Option<SlotKind>,
    /// See [`Slot::identity`].
    pub identity: Option<Identity>,
    /// See [`Slot::description`].
    pub description: Option<String>,
}

impl SlotPatch {
    /// Returns a declaration that names nothing but the slot.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::SlotPatch::new("tier").name, "tier");
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

/// Why a declaration was refused.
///
/// ```
/// use hitherto::policy::{SlotError, SlotPatch, Slots};
///
/// let refused = Slots::default().declare(vec![SlotPatch::new(" - ")]).unwrap_err();
/// assert!(matches!(refused, SlotError::Name(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// A name or alias that is no key, or of which folding leaves nothing.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Two slots that answer to one spelling.
    #[error("slots {first:?} and {second:?} both claim {key:?}")]
    Clash {
        /// The slot declared earlier.
        first: String,
        /// The slot that came second.
        second: String,
        /// The name or alias that both have, as the second spells it.
        key: String,
    },
}

/// The declared slots of a store.
///
/// A key finds its slot by name or alias, folded by case, spaces, hyphens and underscores.
///
/// # Examples
///
/// ```
/// use hitherto::policy::{SlotPatch, Slots};
///
/// let mut slots = Slots::default();
/// slots.declare(vec![SlotPatch {
///     aliases: Some(vec!["olap store".into()]),
///     ..SlotPatch::new("warehouse_db")
/// }])?;
/// assert_eq!(slots.declared("OLAP-Store").map(|slot| slot.name.as_str()), Some("warehouse_db"));
/// assert_eq!(slots.declared("reporting_database"), None);
/// # Ok::<(), hitherto::policy::SlotError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slots {
    slots: Vec<Slot>,
    by_key: HashMap<String, usize>,
}

impl Slots {
    /// Returns the slot that `key` names, by its name or one of its aliases.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::Slots::default().declared("tier"), None);
    /// ```
    #[must_use]
    pub fn declared(&self, key: &str) -> Option<&Slot> {
        if self.slots.is_empty() {
            return None;
        }
        self.by_key.get(&fold_slot(key)).map(|&at| &self.slots[at])
    }

    /// Returns the folded spellings under which facts of a key may lie: those of its slot
    /// where it is declared, its own otherwise; in order, none twice.
    ///
    /// ```
    /// use hitherto::policy::{SlotPatch, Slots};
    ///
    /// let mut slots = Slots::default();
    /// slots.declare(vec![SlotPatch { aliases: Some(vec!["meds".into()]), ..SlotPatch::new("medication") }])?;
    /// assert_eq!(slots.spellings("MEDS"), ["medication", "meds"]);
    /// assert_eq!(slots.spellings("Home City"), ["homecity"]);
    /// # Ok::<(), hitherto::policy::SlotError>(())
    /// ```
    #[must_use]
    pub fn spellings(&self, key: &str) -> Vec<String> {
        self.declared(key).map_or_else(|| vec![fold_slot(key)], Slot::spellings)
    }

    /// Declares slots, all of them or none.
    ///
    /// A slot in force is updated when it is declared again by its own name; declared by
    /// an alias it would be a second slot that claims the same spelling, which is
    /// refused. What counts is the set as it stands afterwards, so one declaration may
    /// move an alias from one slot to another.
    ///
    /// # Errors
    ///
    /// A name or alias that is empty, too long or holds a control character, or that two
    /// slots would share.
    ///
    /// # Examples
    ///
    /// ```
    /// use hitherto::policy::{SlotPatch, Slots};
    ///
    /// let mut slots = Slots::default();
    /// let store = |name: &str| SlotPatch { aliases: Some(vec!["store".into()]), ..SlotPatch::new(name) };
    /// let refused = slots.declare(vec![store("warehouse_db"), store("shop_name")]).unwrap_err();
    /// assert_eq!(refused.to_string(), r#"slots "warehouse_db" and "shop_name" both claim "store""#);
    /// assert_eq!(slots.iter().count(), 0);
    /// ```
    pub fn declare(&mut self, patches: Vec<SlotPatch>) -> Result<(), SlotError> {
        let mut slots = self.slots.clone();
        let mut places: HashMap<String, usize> =
            slots.iter().enumerate().map(|(at, slot)| (fold_slot(&slot.name), at)).collect();
        let mut seen: HashMap<String, String> = HashMap::new();
        for patch in patches {
            let key = folded(&patch.name)?;
            if let Some(first) = seen.insert(key.clone(), patch.name.clone()) {
                return Err(SlotError::Clash { first, second: patch.name.clone(), key: patch.name });
            }
            let at = *places.entry(key).or_insert_with(|| {
                slots.push(Slot::new(patch.name.as_str()));
                slots.len() - 1
            });
            slots[at].overlay(patch);
        }
        let by_key = index(&slots)?;
        *self = Self { slots, by_key };
        Ok(())
    }

    /// Returns the slots in the order of their first declaration.
    ///
    /// ```
    /// assert_eq!(hitherto::policy::Slots::default().iter().count(), 0);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter()
    }
}

/// Returns which slot each folded spelling finds.
fn index(slots: &[Slot]) -> Result<HashMap<String, usize>, SlotError> {
    let mut by_key = HashMap::new();
    for (at, slot) in slots.iter().enumerate() {
        for spelling in std::iter::once(&slot.name).chain(&slot.aliases) {
            // A slot may repeat its own spelling; only two slots clash.
            if let Some(first) = by_key.insert(folded(spelling)?, at).filter(|&first| first != at) {
                return Err(SlotError::Clash {
                    first: slots[first].name.clone(),
                    second: slot.name.clone(),
                    key: spelling.clone(),
                });
            }
        }
    }
    Ok(by_key)
}

/// Returns the folded spelling, refused on the grounds of any key.
fn folded(name: &str) -> Result<String, SlotError> {
    let folded = fold_slot(&key(name)?);
    if folded.is_empty() {
        return Err(NameError::Empty { text: name.to_owned() }.into());
    }
    Ok(folded)
}

#[cfg(test)]
mod tests;
