//! What a store is told about its own care: policies, declared slots, presets.
//!
//! A [`Policy`] says how willing a scope is to let one claim replace another; a [`Slot`]
//! says what kind of place a key is: one value or a list, guarded or free. Both are plain
//! values, put in force by a patch. [`confidence_passes`] and [`source_allows`] answer
//! rules 9 and 10 of the reconciler from them, without looking at a store; rule 8 is
//! [`Policy::trusts`].
//!
//! **Invariant.** Only [`parse`] knows JSON; nothing here reads a clock, a file or a
//! store.

mod gate;
mod item;
pub mod parse;
mod policies;
mod presets;
mod settings;
mod slots;

pub use gate::{confidence_passes, source_allows};
pub use item::{Identity, item_identity};
pub use policies::{Policies, PolicyPatch};
pub use presets::{PRESETS, preset};
pub use settings::{Mode, Policy};
pub use slots::{Slot, SlotError, SlotKind, SlotPatch, Slots};
