//! A fact with all that led to it.

use std::sync::Arc;

use super::history::Entry;
use super::snapshot::Snapshot;
use crate::facts::{Fact, FactId, Uncertainty};
use crate::store::{OutcomeRow, StoreError, TurnRow};

/// A fact, its place in its chain, the turn that made it, what is doubtful of it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The fact, as it stands now.
    pub entry: Entry,
    /// The facts that it replaced and that replaced it, in known order.
    pub chain: Vec<Entry>,
    /// The turn that wrote it.
    pub turn: TurnRow,
    /// What became of the candidate that wrote it.
    pub outcome: OutcomeRow,
    /// The uncertainties in which it is a side.
    pub uncertainties: Vec<Arc<Uncertainty>>,
}

impl Snapshot<'_> {
    /// Finds a fact by its id, wherever it lies.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn find(
        &self,
        id: FactId,
    ) -> Result<Option<(Arc<Fact>, TurnRow, OutcomeRow)>, StoreError> {
        let Some((turn, outcomes)) = self.reader.turn(id.tx).await? else {
            return Ok(None);
        };
        let Some(outcome) = outcomes.into_iter().find(|outcome| outcome.wrote.contains(&id)) else {
            return Ok(None);
        };
        let unit = self.unit(&outcome.subject).await?;
        let find = |facts: &[Arc<Fact>]| facts.iter().find(|fact| fact.id == id).cloned();
        let mut found = find(unit.line(&outcome.line)).or_else(|| find(&unit.head));
        if found.is_none() {
            found = find(&self.reader.past(&outcome.subject, &unit, Some(&outcome.line)).await?);
        }
        if found.is_none() {
            found = find(&self.reader.events(&outcome.subject, &unit).await?);
        }
        Ok(found.map(|fact| (fact, turn, outcome)))
    }

    /// Explains a fact, if there is one of that id that may be shown.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn explain(&self, id: FactId) -> Result<Option<Explained>, StoreError> {
        let Some((fact, turn, outcome)) = self.find(id).await? else {
            return Ok(None);
        };
        if !self.at.counts(&fact) {
            return Ok(None);
        }
        let unit = self.unit(&fact.subject).await?;
        let line = self.reader.past(&fact.subject, &unit, Some(&fact.line)).await?;
        let facts = || unit.line(&fact.line).iter().chain(line.iter()).filter(|f| self.at.counts(f));
        // Follows the links both ways until nothing new turns up.
        let mut ids = vec![fact.id];
        let mut next = 0;
        while let Some(id) = ids.get(next).copied() {
            next += 1;
            let Some(link) = facts().find(|f| f.id == id) else { continue };
            for other in link.supersedes.iter().copied().chain(link.superseded_by_at(self.at.known_at)) {
                if !ids.contains(&other) {
                    ids.push(other);
                }
            }
        }
        ids.sort();
        let chain = ids
            .into_iter()
            .filter(|other| *other != fact.id)
            .filter_map(|other| facts().find(|f| f.id == other))
            .map(|fact| Entry::new(fact, self.at.known_at))
            .collect();
        let doubts = self.reader.doubts(&fact.subject, &unit).await?;
        let uncertainties =
            doubts.iter().filter(|u| u.sides.iter().any(|(side, _)| *side == fact.id)).cloned();
        Ok(Some(Explained {
            entry: Entry::new(&fact, self.at.known_at),
            chain,
            turn,
            outcome,
            uncertainties: uncertainties.collect(),
        }))
    }
}
