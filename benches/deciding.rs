//! How many decisions the reconciler takes in a second, alone, in memory.

use std::hint::black_box;
use std::sync::Arc;

use hitherto::facts::{Action, Claim, Fact, Scope, SourceKind, Value};
use hitherto::identity::{EntityId, EntityType};
use hitherto::policy::Policy;
use hitherto::reconcile::{Candidate, Ids, Ruling, Says, SlotState, TimeRef, decide, plan};
use hitherto::time::Timestamp;

use crate::Outcome;
use crate::stand::agree;
use crate::subject;
use crate::table::{Table, Target};
use crate::timing::Contest;

fn candidate(value: &str, from: Timestamp, raw: Option<&str>) -> Outcome<Candidate> {
    Ok(Candidate {
        subject: EntityId::new(EntityType::Project, "Harbour")?,
        says: Says::Holds(Claim::Attribute { key: "status".into(), value: Value::text(value) }),
        scope: Scope::root(),
        valid_from: Some(from),
        valid_until: None,
        time_ref: TimeRef::Current,
        proposal: None,
        target: None,
        confidence: 0.8,
        source: subject::source(SourceKind::Turn, "chat"),
        actor: None,
        raw: raw.map(Into::into),
        metadata: None,
    })
}

pub(crate) fn run(contest: &Contest, table: &mut Table) -> Outcome<()> {
    let policy = Policy::default();
    let mut known_at = Timestamp::parse("2025-01-01")?;
    let mut from = Timestamp::parse("2024-01-01")?;
    let mut facts: Vec<Arc<Fact>> = Vec::new();
    for depth in 1..=100 {
        known_at = known_at.next();
        from = from.saturating_add_micros(3_600_000_000);
        let said = candidate(&format!("stage {depth}"), from, None)?;
        let ruling = Ruling { policy: &policy, slot: None, known_at, undated: &[] };
        let decision = decide(SlotState::new(&facts), &said, ruling);
        let planned = plan(&decision, &said, &facts, &[], known_at, &mut Ids::new(depth));
        for fact in planned.facts.into_values() {
            facts.retain(|held| held.id != fact.id);
            facts.push(Arc::new(fact));
        }
        facts.sort_by_key(|fact| fact.id);
        if ![1, 10, 100].contains(&depth) {
            continue;
        }
        let (known_at, from) = (known_at.next(), from.saturating_add_micros(3_600_000_000));
        let ruling = Ruling { known_at, ..ruling };
        let plain = candidate("stage next", from, None)?;
        let spoken = "The status of Harbour is now stage next, says the weekly report.";
        let spoken = candidate("stage next", from, Some(spoken))?;
        for said in [&plain, &spoken] {
            let action = decide(SlotState::new(&facts), said, ruling).action;
            agree("decide", &action, "expected", &Action::Supersede)?;
        }
        let decided = |said: &Candidate, batch: usize| {
            for _ in 0..batch {
                black_box(decide(SlotState::new(black_box(&facts)), black_box(said), ruling));
            }
        };
        let [plain, spoken] = contest
            .race([Box::new(|batch| decided(&plain, batch)), Box::new(|batch| decided(&spoken, batch))]);
        let size = format!("{} facts held", facts.len());
        let line = "decide alone, in memory: a replacement";
        table.rates(
            ("decide", line, &size),
            1.0 / spoken,
            ("without a sentence", 1.0 / plain),
            Target::Reported,
        );
    }
    Ok(())
}
