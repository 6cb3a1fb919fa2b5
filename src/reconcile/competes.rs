//! Whether two facts compete for one place.

use crate::facts::{Fact, LineKind};
use crate::policy::{Policy, Slot, item_identity};

/// Whether of two facts of one key, scope and pillar only one can be believed
/// at a point: `slot` is the declared slot of both, `policy` the one in force
/// in their scope. Undeclared keys are the same to the letter or not at all;
/// events and notes stand beside each other.
pub(crate) fn competes(a: &Fact, b: &Fact, policy: &Policy, slot: Option<&Slot>) -> bool {
    match (a.claim.kind(), slot) {
        (kind, _) if kind != b.claim.kind() => false,
        (LineKind::Event | LineKind::Note, _) => false,
        (LineKind::Relation, _) => {
            policy.is_functional(a.claim.key()) || a.claim.object() == b.claim.object()
        }
        (LineKind::Attribute, None) => a.claim.key() == b.claim.key(),
        (LineKind::Attribute, Some(slot)) if slot.multi => {
            let item = |fact: &Fact| fact.claim.value().map(|value| item_identity(slot, &value.plain()));
            item(a) == item(b)
        }
        (LineKind::Attribute, Some(_)) => true,
    }
}
