//! The naive twin of the store: a log of what was said, replayed anew for
//! every question and sampled cell by cell. No rectangles, no supersession.
//!
//! The axis of valid time is cut at the midnights of a few days:
//!
//! ```text
//! cell      0        1         2             DAYS
//!     beginning | day 0  |  day 1  | … | day DAYS-1 and on
//! ```

use serde_json::{Value as Json, json};

use super::chance::Chance;
use super::instant::day;

/// How many days of valid time have a midnight that a history may name.
pub(crate) const DAYS: usize = 11;
/// How many cells there are, the two unbounded ones included.
pub(crate) const CELLS: usize = DAYS + 1;
/// The days between the beginnings of two worlds of one store.
const SPAN: i64 = 40;

/// What is believed of a cell: which value, since when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    pub(crate) value: usize,
    /// The day of the turn.
    pub(crate) known: usize,
}

/// What is believed of every cell.
pub(crate) type Cells = [Option<Held>; CELLS];

/// What an entry of the log says of its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    Holds(usize),
    /// Nothing holds any more, or only this value does not.
    Ends(Option<usize>),
}

/// An entry of the log of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) known: usize,
    from: usize,
    until: usize,
    claim: Claim,
}

/// Returns what is believed at a day: every entry up to it, the last one wins.
pub(crate) fn believed(log: &[Entry], known: usize) -> Cells {
    let mut cells = [None; CELLS];
    for entry in log.iter().filter(|entry| entry.known <= known) {
        for cell in &mut cells[entry.from..entry.until] {
            match entry.claim {
                // What is believed already is not believed anew.
                Claim::Holds(value) if cell.is_some_and(|held: Held| held.value == value) => {}
                Claim::Holds(value) => *cell = Some(Held { value, known: entry.known }),
                Claim::Ends(only) if only.is_none_or(|only| cell.is_some_and(|held| held.value == only)) => {
                    *cell = None
                }
                Claim::Ends(_) => {}
            }
        }
    }
    cells
}

/// Whether the last entry that did something to a cell ended what it held.
pub(crate) fn was_retracted(log: &[Entry], cell: usize) -> bool {
    let mut ended = false;
    for (place, entry) in log.iter().enumerate() {
        let held = |upto: usize| believed(&log[..upto], usize::MAX)[cell].map(|held| held.value);
        let (before, after) = (held(place), held(place + 1));
        if (entry.from..entry.until).contains(&cell) && (before != after || after.is_some()) {
            ended = before.is_some() && after.is_none();
        }
    }
    ended
}

/// The end that a claim without one has: where the next believed value starts.
fn next_change(cells: &Cells, from: usize) -> usize {
    let value = |cell: usize| cells[cell].map(|held| held.value);
    (from + 1..CELLS).find(|&cell| value(cell).is_some() && value(cell) != value(cell - 1)).unwrap_or(CELLS)
}

/// What a slot is: where facts compete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// An attribute of the root, or of a scope below it.
    Attribute { scope: &'static str },
    /// A label that has one object at a time.
    Functional,
    /// A relation to one object.
    Relation { object: usize },
    /// An item of a list, by its identity.
    Item { identity: usize },
}

/// A slot and all that was said of it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) subject: usize,
    pub(crate) kind: Kind,
    pub(crate) log: Vec<Entry>,
    /// As many values as may hold here.
    values: usize,
}

/// A world: a few slots of a few entities, no others know of it.
pub(crate) struct World {
    pub(crate) number: usize,
    pub(crate) slots: Vec<Slot>,
    /// The days on which a turn was written.
    pub(crate) turns: Vec<usize>,
    /// What was sent, for the message when something is wrong.
    pub(crate) sent: Vec<Json>,
}

/// What a candidate is expected to do.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) actions: Vec<&'static str>,
}

impl Slot {
    fn new(subject: usize, kind: Kind) -> Self {
        let values = match kind {
            Kind::Attribute { .. } | Kind::Functional => 3,
            Kind::Relation { .. } => 1,
            Kind::Item { .. } => 2,
        };
        Self { subject, kind, log: Vec::new(), values }
    }

    pub(crate) fn scope(&self) -> &'static str {
        match self.kind {
            Kind::Attribute { scope } => scope,
            _ => "/",
        }
    }
}

impl World {
    /// Returns the world of a number, of one of several shapes.
    pub(crate) fn new(number: usize) -> Self {
        let attribute = |subject| Slot::new(subject, Kind::Attribute { scope: "/" });
        let scoped = |subject| Slot::new(subject, Kind::Attribute { scope: "/org/acme" });
        let relation = |object| Slot::new(0, Kind::Relation { object });
        let item = |identity| Slot::new(0, Kind::Item { identity });
        let slots = match number % 7 {
            0 | 1 => vec![attribute(0)],
            2 => vec![attribute(0), scoped(0)],
            3 => vec![Slot::new(0, Kind::Functional), relation(3)],
            4 => vec![relation(0), relation(1), relation(2)],
            5 => vec![item(0), item(1), item(2)],
            _ => vec![attribute(0), attribute(1), Slot::new(1, Kind::Functional), item(0)],
        };
        Self { number, slots, turns: Vec::new(), sent: Vec::new() }
    }

    /// Returns a day of this world as a date: worlds of one store follow each other.
    pub(crate) fn date(&self, of: i64) -> String {
        day(i64::try_from(self.number % 1_000).unwrap() * SPAN - 40_000 + of)
    }

    fn midnight(&self, of: usize) -> String {
        self.date(i64::try_from(of).unwrap())
    }

    /// Returns an instant at which a turn of a day, and no later one, is known.
    pub(crate) fn known_at(&self, known: usize, is_late: bool) -> String {
        let next = self.turns.iter().find(|turn| **turn > known);
        match next {
            Some(next) if is_late => {
                format!("{}T23:59:59.999999Z", self.date(i64::try_from(*next).unwrap() - 1))
            }
            _ => self.midnight(known),
        }
    }

    /// Returns an instant of a cell: its first or its last.
    pub(crate) fn valid_at(&self, cell: usize, is_last: bool) -> String {
        let of = i64::try_from(cell).unwrap() - 1;
        match (cell, is_last) {
            (0, false) => self.date(-17),
            (DAYS, true) => self.date(20_000),
            (_, false) => self.date(of),
            (_, true) => format!("{}T23:59:59.999999Z", self.date(of)),
        }
    }

    /// Returns the start of a cell as answers print it.
    pub(crate) fn bound(&self, cell: usize) -> Json {
        match cell {
            0 | CELLS => Json::Null,
            _ => json!(format!("{}T00:00:00Z", self.midnight(cell - 1))),
        }
    }

    pub(crate) fn entity(&self, subject: usize) -> Json {
        json!({"type": "person", "name": format!("World {} / {subject}", self.number)})
    }

    fn object(&self, object: usize) -> Json {
        json!({"type": "organisation", "name": format!("Object {object} of world {}", self.number)})
    }

    /// Returns a value of a slot as answers give it.
    pub(crate) fn value(&self, slot: &Slot, value: usize) -> Json {
        let number = self.number;
        match slot.kind {
            Kind::Attribute { .. } => {
                [json!(format!("w{number} a")), json!(number), json!({"w": [number, 2.5]})][value].clone()
            }
            Kind::Functional => self.object(value),
            Kind::Relation { object } => self.object(object),
            Kind::Item { identity } => json!(format!("{} {identity} of {number}", ["tea", "Tea"][value])),
        }
    }

    /// Returns the fields that name a slot in a read.
    pub(crate) fn place(&self, slot: &Slot) -> Json {
        let subject = self.entity(slot.subject);
        match slot.kind {
            Kind::Attribute { .. } => json!({"subject": subject, "key": "k"}),
            Kind::Functional => json!({"subject": subject, "label": "based_in"}),
            Kind::Relation { object } => {
                json!({"subject": subject, "label": "knows", "object": self.object(object)})
            }
            Kind::Item { .. } => json!({"subject": subject, "key": "likes"}),
        }
    }

    /// Writes down a turn of a few candidates and what each has to do.
    pub(crate) fn next_turn(&mut self, chance: &mut Chance) -> (Json, Vec<Expected>) {
        let known = self.turns.last().map_or(0, |last| last + 1) + chance.below(2);
        self.turns.push(known);
        let (mut candidates, mut expected) = (Vec::new(), Vec::new());
        let mut undated = Vec::new();
        let count = 1 + chance.below(4) * chance.below(2);
        while candidates.len() < count {
            let place = chance.below(self.slots.len());
            let Some((candidate, entry, is_undated)) = self.candidate(chance, place, known) else { continue };
            // Two undated rivals in one turn are held for a person; not here.
            if is_undated && undated.contains(&place) {
                continue;
            }
            undated.extend(is_undated.then_some(place));
            expected.push(self.expect(place, &entry));
            self.slots[place].log.push(entry);
            candidates.push(candidate);
        }
        let turn = json!({"op": "turn", "known_at": self.midnight(known), "candidates": candidates});
        self.sent.push(turn.clone());
        (turn, expected)
    }

    /// Thinks of something to say; `None` where its period came out empty.
    fn candidate(&self, chance: &mut Chance, place: usize, known: usize) -> Option<(Json, Entry, bool)> {
        let slot = &self.slots[place];
        let is_retraction = chance.once_in(4);
        let value = chance.below(slot.values);
        let mut candidate = self.place(slot);
        let fields = candidate.as_object_mut().unwrap();
        let mut source = json!({"kind": "upsert", "name": "ops"});
        let observed = chance.once_in(5).then(|| chance.below(DAYS));
        if let Some(observed) = observed {
            source["observed_at"] = json!(self.midnight(observed));
        }
        // The start and the end as they are written, and the cells they name.
        let from = match chance.below(8) {
            0 | 1 => None,
            2 => Some(("beginning".to_owned(), 0)),
            _ => {
                let of = chance.below(DAYS);
                Some((self.midnight(of), of + 1))
            }
        };
        let until = match chance.below(8) {
            0..=2 => None,
            3 => Some(("open".to_owned(), CELLS)),
            _ => {
                let of = chance.below(DAYS);
                Some((self.midnight(of), of + 1))
            }
        };
        let ends = until.as_ref().is_some_and(|(_, cell)| *cell < CELLS);
        let start = match (&from, observed) {
            (Some((_, cell)), _) => *cell,
            (None, _) if ends => 0,
            (None, Some(observed)) => observed + 1,
            (None, None) => known + 1,
        };
        if start >= CELLS {
            return None;
        }
        let end = match &until {
            Some((_, cell)) => *cell,
            None if is_retraction => CELLS,
            None => next_change(&believed(&slot.log, known), start),
        };
        if start >= end {
            return None;
        }
        fields.insert("source".to_owned(), source);
        if slot.scope() != "/" {
            fields.insert("scope".to_owned(), json!(slot.scope()));
        }
        let is_undated = !is_retraction && from.is_none() && until.is_none() && observed.is_none();
        for (field, bound) in [("valid_from", from), ("valid_until", until)] {
            if let Some((text, _)) = bound {
                fields.insert(field.to_owned(), json!(text));
            }
        }
        let (op, claim) = if is_retraction {
            let names_value = match slot.kind {
                Kind::Attribute { .. } | Kind::Functional => chance.once_in(3),
                // An item is named or nothing is; its identity is what counts.
                Kind::Relation { .. } | Kind::Item { .. } => true,
            };
            if names_value {
                self.insert_value(fields, slot, value);
            }
            let is_only = names_value && matches!(slot.kind, Kind::Attribute { .. } | Kind::Functional);
            ("retract", Claim::Ends(is_only.then_some(value)))
        } else {
            self.insert_value(fields, slot, value);
            fields.insert("confidence".to_owned(), json!(1.0));
            let is_relation = matches!(slot.kind, Kind::Functional | Kind::Relation { .. });
            (if is_relation { "relate" } else { "assert" }, Claim::Holds(value))
        };
        fields.insert("op".to_owned(), json!(op));
        Some((candidate, Entry { known, from: start, until: end, claim }, is_undated))
    }

    fn insert_value(&self, fields: &mut serde_json::Map<String, Json>, slot: &Slot, value: usize) {
        let field =
            if matches!(slot.kind, Kind::Functional | Kind::Relation { .. }) { "object" } else { "value" };
        fields.insert(field.to_owned(), self.value(slot, value));
    }

    /// Says what an entry has to do to what is believed before it.
    fn expect(&self, place: usize, entry: &Entry) -> Expected {
        let slot = &self.slots[place];
        let cells = believed(&slot.log, entry.known);
        let within = &cells[entry.from..entry.until];
        let value = match entry.claim {
            Claim::Ends(only) => {
                let ends = within.iter().flatten().any(|held| only.is_none_or(|only| held.value == only));
                return Expected { actions: vec![if ends { "RETRACT" } else { "SKIP" }] };
            }
            Claim::Holds(value) => value,
        };
        if within.iter().flatten().any(|held| held.value != value) {
            return Expected { actions: vec!["SUPERSEDE"] };
        }
        if within.iter().all(Option::is_some) {
            return Expected { actions: vec!["DEDUP"] };
        }
        let rivals = self.slots.iter().filter(|other| {
            matches!((other.kind, slot.kind), (Kind::Attribute { scope: a }, Kind::Attribute { scope: b }) if a != b)
                && other.subject == slot.subject
        });
        let clashes = |only_new: bool| {
            rivals.clone().any(|rival| {
                let theirs = believed(&rival.log, entry.known);
                (entry.from..entry.until)
                    .filter(|cell| !only_new || cells[*cell].is_none())
                    .any(|cell| theirs[cell].is_some_and(|held| held.value != value))
            })
        };
        // Where only the part that is believed already meets a rival scope, either word is right.
        match (clashes(true), clashes(false)) {
            (true, _) => Expected { actions: vec!["COEXIST"] },
            (false, true) => Expected { actions: vec!["ADD", "COEXIST"] },
            (false, false) => Expected { actions: vec!["ADD"] },
        }
    }

    /// Returns the maximal runs of cells with one value: value, first cell, end, latest known day.
    pub(crate) fn segments(cells: &Cells) -> Vec<(usize, usize, usize, usize)> {
        let mut segments: Vec<(usize, usize, usize, usize)> = Vec::new();
        for (cell, held) in cells.iter().enumerate() {
            let Some(held) = held else { continue };
            match segments.last_mut() {
                Some((value, _, until, known)) if *until == cell && *value == held.value => {
                    *until = cell + 1;
                    *known = (*known).max(held.known);
                }
                _ => segments.push((held.value, cell, cell + 1, held.known)),
            }
        }
        segments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(known: usize, from: usize, until: usize, value: usize) -> Entry {
        Entry { known, from, until, claim: Claim::Holds(value) }
    }

    #[test]
    fn the_twin_cuts_only_the_period_of_a_claim_and_keeps_known_times() {
        let log = [holds(0, 1, CELLS, 0), holds(2, 3, 5, 1), holds(4, 2, 6, 0)];
        let at = |known| World::segments(&believed(&log, known));
        assert_eq!(at(1), [(0, 1, CELLS, 0)]);
        assert_eq!(at(2), [(0, 1, 3, 0), (1, 3, 5, 2), (0, 5, CELLS, 0)]);
        assert_eq!(at(4), [(0, 1, CELLS, 4)]);
        assert_eq!(believed(&log, 4)[2], Some(Held { value: 0, known: 0 }));
        assert_eq!(believed(&log, 4)[3], Some(Held { value: 0, known: 4 }));
    }

    #[test]
    fn the_twin_ends_all_or_one_value_and_knows_what_was_retracted() {
        let mut log = vec![holds(0, 1, 4, 0), holds(1, 4, 8, 1)];
        log.push(Entry { known: 2, from: 2, until: 6, claim: Claim::Ends(Some(1)) });
        assert_eq!(World::segments(&believed(&log, 9)), [(0, 1, 4, 0), (1, 6, 8, 1)]);
        assert!(
            was_retracted(&log, 5)
                && !was_retracted(&log, 2)
                && !was_retracted(&log, 7)
                && !was_retracted(&log, 9)
        );
        log.push(holds(3, 5, 6, 0));
        assert!(!was_retracted(&log, 5));
    }

    #[test]
    fn an_open_claim_goes_on_to_the_next_start_of_a_believed_value() {
        let mut log = vec![holds(0, 3, 5, 0), holds(0, 5, 7, 0), holds(1, 9, 10, 1)];
        let next = |log: &[Entry], from| next_change(&believed(log, 9), from);
        assert_eq!(next(&log, 1), 3);
        assert_eq!(next(&log, 3), 9, "equal values that adjoin are one");
        assert_eq!(next(&log, 4), 9);
        assert_eq!(next(&log, 9), CELLS);
        log.push(Entry { known: 2, from: 4, until: 6, claim: Claim::Ends(None) });
        assert_eq!(next(&log, 3), 6, "what is left of a value starts again");
    }

    #[test]
    fn a_world_is_made_again_from_its_seed_and_its_days_go_up() {
        let story = |seed| {
            let mut world = World::new(6);
            let mut chance = Chance::new(seed);
            for _ in 0..5 {
                world.next_turn(&mut chance);
            }
            assert!(world.turns.windows(2).all(|two| two[0] < two[1]), "{:?}", world.turns);
            world.sent
        };
        assert_eq!(story(3), story(3));
        assert_ne!(story(3), story(4));
    }
}
