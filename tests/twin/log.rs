//! The naive twin: what was said, in order, sampled point by point.
//!
//! Nothing here knows a rectangle, a chain or an index. A question about a
//! point is answered by replaying all that was said, and a question about a
//! stretch by asking about every day of it.

use std::collections::BTreeMap;

/// The days that are sampled; everything said begins and ends between them.
/// The first stands for all that lies before, the last for all that lies after.
pub(super) const FIRST: i64 = -1;
pub(super) const LAST: i64 = 17;
pub(super) const BEGINNING: i64 = i64::MIN;
pub(super) const OPEN: i64 = i64::MAX;

/// Where things said compete.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Slot {
    pub(super) subject: usize,
    /// The key or the label.
    pub(super) name: &'static str,
    pub(super) scope: &'static str,
    /// Which item of a list or object of a relation; empty where only one value is held.
    pub(super) item: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Says {
    Holds(String),
    /// Ends whatever holds, or only this value.
    Ends(Option<String>),
}

/// One thing said, its period in full.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) says: Says,
    pub(super) from: i64,
    pub(super) until: i64,
    pub(super) known: i64,
}

/// What is believed at a point, and since when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Belief<'a> {
    pub(super) value: &'a str,
    pub(super) known_from: i64,
}

/// A run of days with one value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Run {
    pub(super) value: String,
    pub(super) from: i64,
    pub(super) until: i64,
    pub(super) known_from: i64,
}

/// A run of days whose value differs between two known days.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Difference {
    pub(super) class: &'static str,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    pub(super) from: i64,
    pub(super) until: i64,
}

/// All that was said, by slot, in order.
#[derive(Clone, Default, Debug)]
pub(super) struct Log {
    pub(super) slots: BTreeMap<Slot, Vec<Entry>>,
}

impl Log {
    pub(super) fn add(&mut self, slot: &Slot, entry: Entry) {
        self.slots.entry(slot.clone()).or_default().push(entry);
    }

    fn entries(&self, slot: &Slot) -> &[Entry] {
        self.slots.get(slot).map_or(&[], Vec::as_slice)
    }

    /// What is believed of a day, as known on another.
    pub(super) fn believed(&self, slot: &Slot, day: i64, known: i64) -> Option<Belief<'_>> {
        let mut belief: Option<Belief<'_>> = None;
        for entry in self.entries(slot) {
            if entry.known > known || day < entry.from || day >= entry.until {
                continue;
            }
            belief = match (&entry.says, belief) {
                // Saying again what is believed makes nothing newly known.
                (Says::Holds(value), Some(held)) if held.value == value => Some(held),
                (Says::Holds(value), _) => Some(Belief { value, known_from: entry.known }),
                (Says::Ends(Some(value)), held) => held.filter(|held| held.value != value),
                (Says::Ends(None), _) => None,
            };
        }
        belief
    }

    /// The first day after `from` on which another value begins: how far a
    /// claim without an end reaches.
    pub(super) fn next_start(&self, slot: &Slot, from: i64) -> i64 {
        let value = |day| self.believed(slot, day, OPEN).map(|belief| belief.value);
        let begins = |day: &i64| value(*day).is_some() && value(*day) != value(*day - 1);
        (FIRST.max(from) + 1..=LAST).find(begins).unwrap_or(OPEN)
    }

    /// What held when, as known on a day.
    pub(super) fn runs(&self, slot: &Slot, known: i64) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for day in FIRST..=LAST {
            let Some(belief) = self.believed(slot, day, known) else { continue };
            let until = if day == LAST { OPEN } else { day + 1 };
            match runs.last_mut() {
                Some(run) if run.until == day && run.value == belief.value => {
                    run.until = until;
                    run.known_from = run.known_from.max(belief.known_from);
                }
                _ => runs.push(Run {
                    value: belief.value.to_owned(),
                    from: if day == FIRST { BEGINNING } else { day },
                    until,
                    known_from: belief.known_from,
                }),
            }
        }
        runs
    }

    /// What changed in belief between two known days.
    pub(super) fn differences(&self, slot: &Slot, known: (i64, i64)) -> Vec<Difference> {
        let value = |day, known| self.believed(slot, day, known).map(|belief| belief.value.to_owned());
        let anything = (FIRST..=LAST).any(|day| value(day, known.0).is_some());
        let mut list: Vec<Difference> = Vec::new();
        for day in FIRST..=LAST {
            let (before, after) = (value(day, known.0), value(day, known.1));
            if before == after {
                continue;
            }
            let until = if day == LAST { OPEN } else { day + 1 };
            match list.last_mut() {
                Some(last) if last.until == day && last.before == before && last.after == after => {
                    last.until = until;
                }
                _ => {
                    let from = if day == FIRST { BEGINNING } else { day };
                    let class = match (&before, &after) {
                        (None, _) if anything && from < known.0 => "late",
                        (None, _) => "new",
                        (_, None) => "retracted",
                        _ if from < known.0 => "corrected",
                        _ => "changed",
                    };
                    list.push(Difference { class, before, after, from, until });
                }
            }
        }
        list
    }

    /// Whether anything was said to hold by a day.
    pub(super) fn is_recorded(&self, slot: &Slot, known: i64) -> bool {
        self.entries(slot).iter().any(|entry| entry.known <= known && matches!(entry.says, Says::Holds(_)))
    }

    /// Whether one turn said two things about the slot, one of them an end:
    /// what of it is recorded is then the store's own affair.
    pub(super) fn is_tangled(&self, slot: &Slot) -> bool {
        let entries = self.entries(slot);
        entries.iter().any(|entry| {
            matches!(entry.says, Says::Ends(_))
                && entries.iter().filter(|other| other.known == entry.known).count() > 1
        })
    }
}
