//! The sweep of placeholders.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::sequencer::Sequencer;
use super::turn::{Answer, WriteOptions};
use super::workspace::Workspace;
use crate::error::Error;
use crate::facts::{
    Action, Claim, Closing, Evidence, Fact, FactId, Line, LineKind, Link, Reason, Resolution, Scope, Source,
    Standing, Uncertainty,
};
use crate::identity::{EntityId, EntityType};
use crate::maintenance::{SweepReport, Swept, moved};
use crate::reconcile::Ids;
use crate::store::OutcomeRow;
use crate::time::Timestamp;

/// From which similarity on a name is suggested: Jaro-Winkler, as the default
/// of `duplicates`.
const SIMILAR: f64 = 0.9;

impl Sequencer {
    /// Resolves every placeholder whose name exactly one typed entity bears.
    pub(super) async fn sweep(
        &mut self,
        work: &mut Workspace<'_>,
        options: &WriteOptions,
    ) -> Result<Answer, Error> {
        let mut report = SweepReport::default();
        let known_at = self.stamp(options)?;
        let mut ids = self.ids();
        let mut outcomes = Vec::new();
        for (placeholder, written) in self.placeholders().await? {
            let relations = self.relations_of(&placeholder).await?;
            if relations.is_empty() {
                continue;
            }
            let (bearers, _) = work.bearers(&placeholder.name, self.newest.known_at).await?;
            let mut named = Vec::new();
            for entity in &bearers {
                let display = self.store.reader.entity(entity).await?.display.clone();
                named.push((entity.clone(), display.unwrap_or_else(|| entity.name.as_str().into())));
            }
            match &named[..] {
                [] => {
                    report.suggestions.extend(self.suggestions(&placeholder, &written).await?);
                    report.unresolved.push((placeholder, written));
                }
                [entity] => {
                    let swept = Swept {
                        placeholder: (placeholder.clone(), Arc::clone(&written)),
                        entity: entity.clone(),
                        relations: relations.len(),
                    };
                    report.resolved.push(swept);
                    for relation in relations {
                        outcomes.extend(
                            self.move_relation(work, &relation, &placeholder, entity, known_at, &mut ids)
                                .await?,
                        );
                    }
                    self.close_references(work, &placeholder, &written, known_at).await?;
                }
                several => {
                    let doubt = self
                        .ambiguous(work, &placeholder, &written, several, &relations, known_at, &mut ids)
                        .await?;
                    report.ambiguous.push(((placeholder, written), several.to_vec(), doubt));
                }
            }
        }
        let changed = work.has_changed();
        if options.dry_run || !changed {
            if options.dry_run {
                // What a dry run would open has no id yet.
                for (_, _, doubt) in &mut report.ambiguous {
                    *doubt = doubt.filter(|doubt| doubt.tx <= self.newest.tx);
                }
            }
            work.roll_back();
            return Ok(Answer { sweep: Some(report), ..self.unchanged(options) });
        }
        let mut answer = self.transact(work, "sweep", known_at, options, None);
        if let Some((row, rows)) = work.batch.turns.last_mut() {
            row.outcomes = outcomes.len() as u64;
            *rows = outcomes;
        }
        answer.sweep = Some(report);
        Ok(answer)
    }

    async fn placeholders(&self) -> Result<Vec<(EntityId, Arc<str>)>, Error> {
        let roll = self.store.reader.roll(EntityType::Unknown, "", None).await?;
        Ok(roll.into_iter().map(|row| (row.entity, row.display)).collect())
    }

    /// Reads the believed relations of which a placeholder is an end.
    async fn relations_of(&self, placeholder: &EntityId) -> Result<Vec<Arc<Fact>>, Error> {
        let reader = &self.store.reader;
        let lives = |fact: &Arc<Fact>| {
            fact.claim.kind() == LineKind::Relation
                && fact.standing == Standing::Claim
                && fact.is_believed()
                && !fact.is_forgotten()
        };
        let mut relations: BTreeMap<FactId, Arc<Fact>> = BTreeMap::new();
        let own = self.whole(placeholder).await?;
        relations.extend(own.facts.into_iter().map(|(_, f)| (f.id, f)).filter(|(_, f)| lives(f)));
        for (_, label, subject) in reader.inbound(placeholder).await?.iter() {
            let unit = reader.entity(subject).await?;
            let line = Line::new(LineKind::Relation, label);
            let past = reader.past(subject, &unit, Some(&line)).await?;
            let facts = unit.line(&line).iter().chain(past.iter());
            let ends_here = facts.filter(|f| lives(f) && f.claim.object() == Some(placeholder));
            relations.extend(ends_here.map(|f| (f.id, Arc::clone(f))));
        }
        Ok(relations.into_values().collect())
    }

    /// Moves one relation from a placeholder to the entity it stood for: the
    /// old rectangle closes and the moved one opens; what the typed slot
    /// believes already is only evidence for it.
    async fn move_relation(
        &self,
        work: &mut Workspace<'_>,
        old: &Arc<Fact>,
        placeholder: &EntityId,
        entity: &(EntityId, Arc<str>),
        known_at: Timestamp,
        ids: &mut Ids,
    ) -> Result<Vec<OutcomeRow>, Error> {
        let Claim::Relation { object, object_name, .. } = &old.claim else { return Ok(Vec::new()) };
        let subject = if old.subject == *placeholder { entity.0.clone() } else { old.subject.clone() };
        let object =
            if object == placeholder { entity.clone() } else { (object.clone(), Arc::clone(object_name)) };
        for (who, name) in
            [(&old.subject, old.subject.name.as_str().into()), (&subject, Arc::clone(&entity.1))]
        {
            work.draft(who, &name).await?;
            work.bring_in(who, &old.line, true).await?;
        }
        // The version that this sweep has made of it so far: both of its ends may move.
        let held = work
            .get(&old.subject)
            .and_then(|draft| draft.line(&old.line).iter().find(|f| f.id == old.id).cloned());
        let old = held.unwrap_or_else(|| Arc::clone(old));
        let mut fresh = moved(&old, ids.fact(), subject.clone(), object.clone(), known_at);
        let same: Vec<Arc<Fact>> = work
            .get(&subject)
            .map(|draft| draft.line(&old.line).to_vec())
            .unwrap_or_default()
            .into_iter()
            .filter(|f| f.scope == old.scope && f.pillar == old.pillar && f.id != old.id)
            .filter(|f| {
                f.standing == Standing::Claim && f.claim.object() == Some(&object.0) && !f.is_forgotten()
            })
            .collect();
        let mut coverage = crate::time::Coverage::new();
        for rectangle in fresh.coverage.rectangles() {
            let covered: crate::time::PeriodSet = same
                .iter()
                .flat_map(|f| f.coverage.believed_latest().iter().copied().collect::<Vec<_>>())
                .collect();
            for valid in covered.gaps_in(rectangle.valid) {
                coverage.insert(crate::time::Rectangle { valid, known: rectangle.known });
            }
        }
        let is_believed_already = coverage.is_empty();
        fresh.coverage = coverage;
        let mut closed = Fact::clone(&old);
        let ended: Vec<_> = old.coverage.believed_latest().iter().copied().collect();
        for valid in &ended {
            closed.coverage.end(*valid, known_at);
        }
        let successor = if is_believed_already { same.first().map(|f| f.id) } else { Some(fresh.id) };
        closed.superseded_by.extend(successor.map(|fact| Link { fact, since: known_at }));
        work.put(&old.subject, [closed], [], known_at);
        let mut wrote = Vec::new();
        if let (true, Some(first)) = (is_believed_already, same.first()) {
            let mut supported = Fact::clone(first);
            supported.supersedes.push(old.id);
            for evidence in &old.evidence {
                if !supported.evidence.iter().any(|e| e.source.same_evidence(&evidence.source)) {
                    let source = Source { derived_from: vec![old.id], ..Source::clone(&evidence.source) };
                    supported.evidence.push(Evidence {
                        source: Arc::new(source),
                        known_from: known_at,
                        ..evidence.clone()
                    });
                }
            }
            work.put(&subject, [supported], [], known_at);
        } else {
            wrote.push(fresh.id);
            work.put(&subject, [fresh], [], known_at);
            work.draft(&object.0, &object.1).await?;
            work.note_object(&object.0);
        }
        let row = |about: &EntityId, wrote: Vec<FactId>| OutcomeRow {
            index: 0,
            action: if wrote.is_empty() { Action::Dedup } else { Action::Supersede },
            reason: Reason::Resolved,
            subject: about.clone(),
            line: old.line.clone(),
            fact: successor,
            wrote,
            status: None,
            superseded: vec![old.id],
            uncertainty: None,
            policy: self.rules.version,
        };
        let mut rows = vec![row(&subject, wrote)];
        if old.subject != subject {
            rows.push(row(&old.subject, Vec::new()));
        }
        Ok(rows)
    }

    /// Opens, or keeps open, the one uncertainty of a placeholder that several
    /// entities bear the name of.
    #[expect(clippy::too_many_arguments, reason = "each names a part of one record")]
    async fn ambiguous(
        &self,
        work: &mut Workspace<'_>,
        placeholder: &EntityId,
        written: &Arc<str>,
        bearers: &[(EntityId, Arc<str>)],
        relations: &[Arc<Fact>],
        known_at: Timestamp,
        ids: &mut Ids,
    ) -> Result<Option<crate::facts::UncertaintyId>, Error> {
        let candidates: Vec<EntityId> = bearers.iter().map(|(entity, _)| entity.clone()).collect();
        let draft = work.draft(placeholder, written).await?;
        let open = draft
            .doubts
            .iter()
            .find(|u| u.reason == Reason::AmbiguousReference && u.closed.is_none())
            .cloned();
        if let Some(open) = open {
            if open.candidates != candidates {
                let id = open.id;
                work.put(
                    placeholder,
                    [],
                    [Uncertainty { candidates, ..Uncertainty::clone(&open) }],
                    known_at,
                );
                return Ok(Some(id));
            }
            return Ok(Some(open.id));
        }
        let id = ids.uncertainty();
        let doubt = Uncertainty {
            id,
            subject: placeholder.clone(),
            key: relations.first().map_or_else(|| "".into(), |fact| fact.claim.key().into()),
            scope: relations.first().map_or_else(Scope::root, |fact| fact.scope.clone()),
            reason: Reason::AmbiguousReference,
            sides: relations.iter().map(|fact| (fact.id, known_at)).collect(),
            candidates,
            opened_at: known_at,
            closed: None,
        };
        work.put(placeholder, [], [doubt], known_at);
        Ok(Some(id))
    }

    /// Closes the uncertainty of a placeholder that is one no more.
    async fn close_references(
        &self,
        work: &mut Workspace<'_>,
        placeholder: &EntityId,
        written: &Arc<str>,
        known_at: Timestamp,
    ) -> Result<(), Error> {
        let draft = work.draft(placeholder, written).await?;
        let over: Vec<Uncertainty> = draft
            .doubts
            .iter()
            .filter(|u| u.reason == Reason::AmbiguousReference && u.closed.is_none())
            .map(|u| {
                let mut over = Uncertainty::clone(u);
                over.closed = Some(Closing {
                    at: known_at,
                    by: None,
                    resolution: Resolution::OtherSideGone,
                    chosen: None,
                });
                over
            })
            .collect();
        work.put(placeholder, [], over, known_at);
        Ok(())
    }

    /// Lists entities whose names are like a placeholder's, for a person to
    /// look at; likeness decides nothing.
    async fn suggestions(
        &self,
        placeholder: &EntityId,
        written: &Arc<str>,
    ) -> Result<Vec<((EntityId, Arc<str>), (EntityId, Arc<str>), f64)>, Error> {
        let name = placeholder.name.as_str();
        // Names that share their first letter: enough for a hint, and one
        // range of the roll for each type.
        let prefix: String = name.chars().take(1).collect();
        let mut found = Vec::new();
        for kind in EntityType::ALL.into_iter().filter(|kind| *kind != EntityType::Unknown) {
            for row in self.store.reader.roll(kind, &prefix, None).await? {
                let score = strsim::jaro_winkler(name, row.entity.name.as_str());
                if score >= SIMILAR {
                    found.push((
                        (placeholder.clone(), Arc::clone(written)),
                        (row.entity, row.display),
                        score,
                    ));
                }
            }
        }
        found.sort_by(|a, b| b.2.total_cmp(&a.2));
        found.truncate(5);
        Ok(found)
    }
}
