//! Declaring policies and slots.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::sequencer::Sequencer;
use super::turn::{Answer, WriteOptions};
use super::workspace::Workspace;
use crate::error::{Error, ErrorKind};
use crate::facts::{Fact, Line, LineKind, Scope, Standing};
use crate::identity::EntityId;
use crate::policy::parse::{patch_json, slot_json};
use crate::policy::{Policy, PolicyPatch, Slot, SlotPatch};
use crate::query::Rulebook;
use crate::reconcile::competes;
use crate::store::PolicyRow;
use crate::time::Timestamp;

/// How many rivals an error lists.
const SHOWN: usize = 10;

impl Sequencer {
    /// Puts a policy in force from the next transaction on; from the beginning
    /// where there has been none.
    pub(super) fn declare_policy(
        &mut self,
        work: &mut Workspace<'_>,
        patch: PolicyPatch,
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let mut rules = Rulebook::clone(&self.rules);
        rules.policies.apply(patch);
        self.put_in_force(work, rules, "policy", options)
    }

    /// Declares slots, unless that would join slots that hold rival values now.
    pub(super) async fn declare_slots(
        &mut self,
        work: &mut Workspace<'_>,
        patches: &[SlotPatch],
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let mut rules = Rulebook::clone(&self.rules);
        rules.slots.declare(patches.to_vec())?;
        for slot in rules.slots.iter().filter(|slot| self.rules.slots.declared(&slot.name) != Some(slot)) {
            let rivals = self.rivals(slot).await?;
            if !rivals.is_empty() {
                let message = format!(
                    "slot {:?} would join keys that hold rival values now: {}",
                    slot.name,
                    rivals.join("; ")
                );
                return Err(Error::new(ErrorKind::Conflict, "slot_rivals", message).at_field("set"));
            }
        }
        self.put_in_force(work, rules, "slots", options)
    }

    fn put_in_force(
        &mut self,
        work: &mut Workspace<'_>,
        mut rules: Rulebook,
        kind: &str,
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let first = self.newest.tx == 0;
        let known_at = if first { Timestamp::BEGINNING } else { self.stamp(options)? };
        let answer = if first || options.dry_run {
            self.unchanged(options)
        } else {
            self.transact(work, kind, known_at, options, None)
        };
        if options.dry_run {
            return Ok(answer);
        }
        rules.version = self.newest.tx;
        let policies: Vec<_> = rules.policies.patches().map(patch_json).collect();
        let slots: Vec<_> = rules.slots.iter().map(slot_json).collect();
        work.batch.policies.push(PolicyRow {
            tx: rules.version,
            known_from: known_at,
            policies: text(&policies),
            slots: text(&slots),
        });
        self.set_rules(Arc::new(rules));
        Ok(answer)
    }

    /// Lists who holds different values now under spellings that a slot joins.
    async fn rivals(&self, slot: &Slot) -> Result<Vec<String>, Error> {
        let keys = slot.spellings();
        let mut holding: BTreeMap<EntityId, usize> = BTreeMap::new();
        for key in &keys {
            for entity in self.store.reader.holding(key).await? {
                *holding.entry(entity).or_default() += 1;
            }
        }
        let mut rivals = Vec::new();
        // Whoever holds one value of all the spellings has no rival to it.
        for (entity, _) in holding.into_iter().filter(|(_, values)| *values > 1) {
            let unit = self.store.reader.entity(&entity).await?;
            let facts: Vec<&Arc<Fact>> = keys
                .iter()
                .flat_map(|key| unit.line(&Line::new(LineKind::Attribute, key)))
                .filter(|fact| fact.standing == Standing::Claim && !fact.is_forgotten() && fact.is_believed())
                .collect();
            let clash = |a: &Fact, b: &Fact| {
                let common = a.coverage.believed_latest();
                a.scope == b.scope
                    && a.pillar == b.pillar
                    && competes(a, b, &Policy::default(), Some(slot))
                    && !a.claim.says_the_same(&b.claim)
                    && b.coverage.believed_latest().iter().any(|period| common.intersects(*period))
            };
            for (place, a) in facts.iter().enumerate() {
                for b in &facts[place + 1..] {
                    if clash(a, b) && rivals.len() < SHOWN {
                        rivals.push(rival(&entity, a, b));
                    }
                }
            }
        }
        Ok(rivals)
    }
}

fn rival(entity: &EntityId, a: &Fact, b: &Fact) -> String {
    let place = |scope: &Scope| if scope.as_str() == "/" { String::new() } else { format!(" in {scope}") };
    format!(
        "{entity}{} has {} = {} and {} = {}",
        place(&a.scope),
        a.claim.key(),
        a.claim.plain(),
        b.claim.key(),
        b.claim.plain()
    )
}

fn text<T: std::fmt::Display>(list: &[T]) -> Arc<str> {
    let items: Vec<String> = list.iter().map(ToString::to_string).collect();
    format!("[{}]", items.join(",")).into()
}
