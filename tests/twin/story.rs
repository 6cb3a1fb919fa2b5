//! Random histories, told to the store and to its twin alike.

use hitherto::time::Timestamp;
use serde_json::{Map, Value as Json, json};

use crate::support::chance::Chance;

use super::log::{BEGINNING, Entry, Log, OPEN, Says, Slot};

/// How facts of a key or label compete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// One value of a key.
    Single,
    /// The items of a key.
    List,
    /// Any number of objects.
    Many,
    /// One object.
    One,
}

/// A key or a label, and how its facts compete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

pub(super) const GROUPS: [Group; 5] = [
    Group { name: "city", kind: Kind::Single },
    Group { name: "grade", kind: Kind::Single },
    Group { name: "drinks", kind: Kind::List },
    Group { name: "knows", kind: Kind::Many },
    Group { name: "employed_by", kind: Kind::One },
];
pub(super) const SCOPES: [&str; 2] = ["/", "/a"];

impl Group {
    /// Whether its facts are relations.
    pub(super) fn is_relation(self) -> bool {
        matches!(self.kind, Kind::Many | Kind::One)
    }

    /// Whether several values hold beside each other.
    pub(super) fn is_list(self) -> bool {
        matches!(self.kind, Kind::List | Kind::Many)
    }

    /// What tells a value of it from the others.
    pub(super) fn item(self, value: &str) -> String {
        match self.kind {
            Kind::List => value.to_lowercase(),
            Kind::Many => value.to_owned(),
            Kind::Single | Kind::One => String::new(),
        }
    }

    /// Names it in a request.
    pub(super) fn name_in(self, request: &mut Map<String, Json>) {
        let field = if self.is_relation() { "label" } else { "key" };
        request.insert(field.to_owned(), json!(self.name));
    }
}

/// What is to be declared before the first turn.
pub(super) fn declarations() -> [Json; 2] {
    [
        json!({"op": "policy", "set": {"functional_labels": ["employed_by"], "scope": "/"}}),
        json!({"op": "slots", "set": [{"name": "drinks", "multi": true}]}),
    ]
}

/// A history of two entities of its own.
pub(super) struct Story {
    pub(super) tag: String,
    /// The day of the calendar that is its day nought.
    base: i64,
    /// The group that most of it is about.
    pub(super) focus: Group,
    pub(super) turns: Vec<(i64, Json)>,
    pub(super) log: Log,
}

/// A candidate before the defaults of its period are worked out.
struct Draft {
    group: Group,
    slot: Slot,
    says: Says,
    from: Option<i64>,
    until: Option<i64>,
    observed: Option<i64>,
}

/// How many days of the calendar a history has for itself.
const ROOM: i64 = 40;
const DAY: i64 = 86_400_000_000;
/// 2000-01-01.
const EPOCH: i64 = 946_684_800_000_000;

impl Story {
    /// Makes up the history that is the `number`th of its store.
    pub(super) fn new(seed: u64, number: i64) -> Self {
        let mut chance = Chance::new(seed);
        let focus = *chance.pick(&GROUPS);
        let mut story = Self {
            tag: format!("h{number}"),
            base: number * ROOM,
            focus,
            turns: Vec::new(),
            log: Log::default(),
        };
        let turns = 3 + chance.below(8);
        let mut known = chance.between(0, 3);
        for _ in 0..turns {
            known += 1;
            let size = if chance.below(100) < 60 { 1 } else { 2 + chance.below(3) };
            let mut candidates = Vec::new();
            for _ in 0..size {
                let draft = story.draft(&mut chance, size == 1);
                candidates.push(story.say(&draft, known));
            }
            let request = if candidates.len() == 1 && chance.below(100) < 50 {
                let mut request = candidates.swap_remove(0);
                request["known_at"] = json!(story.at(known));
                request
            } else {
                json!({"op": "turn", "candidates": candidates, "known_at": story.at(known)})
            };
            story.turns.push((known, request));
        }
        story
    }

    /// An instant: the day of the history, printed.
    pub(super) fn at(&self, day: i64) -> String {
        let micros = EPOCH + (self.base + day) * DAY;
        Timestamp::from_micros(micros).expect("a day of this age").to_string()
    }

    /// The last microsecond of a day.
    pub(super) fn end_of(&self, day: i64) -> String {
        let micros = EPOCH + (self.base + day + 1) * DAY - 1;
        Timestamp::from_micros(micros).expect("a day of this age").to_string()
    }

    /// The end of a period as it is printed.
    pub(super) fn bound(&self, day: i64) -> Json {
        if day == BEGINNING || day == OPEN { Json::Null } else { json!(self.at(day)) }
    }

    /// One of its entities.
    pub(super) fn subject(&self, subject: usize) -> Json {
        json!({"type": "person", "name": self.subject_name(subject)})
    }

    pub(super) fn subject_name(&self, subject: usize) -> String {
        format!("{} number {subject}", self.tag)
    }

    /// The object of a relation.
    pub(super) fn object(value: &str) -> Json {
        json!({"type": "organisation", "name": value})
    }

    /// The values that are said of a group. No other history says them.
    pub(super) fn values(&self, group: Group) -> Vec<String> {
        let tag = &self.tag;
        let list: &[&str] = if group.kind == Kind::List { &["tea", "TEA", "rum"] } else { &["A", "B", "C"] };
        list.iter().map(|value| format!("{tag} {value}")).collect()
    }

    /// Makes up a candidate. Only one that is alone in its turn goes without any date.
    fn draft(&self, chance: &mut Chance, is_alone: bool) -> Draft {
        let group = if chance.below(100) < 70 { self.focus } else { *chance.pick(&GROUPS) };
        let value = chance.pick(&self.values(group)).clone();
        let slot = Slot {
            subject: usize::from(chance.below(100) < 20),
            name: group.name,
            scope: if chance.below(100) < 25 { SCOPES[1] } else { SCOPES[0] },
            item: group.item(&value),
        };
        let ends = chance.below(100) < 25;
        let says = match group.kind {
            _ if !ends => Says::Holds(value),
            Kind::List | Kind::Many => Says::Ends(None),
            Kind::Single | Kind::One => Says::Ends((chance.below(100) < 40).then_some(value)),
        };
        let day = chance.between(0, 12);
        let later = chance.between(day + 1, 14);
        let (from, until) = match chance.below(20) {
            8..=11 => (Some(day), Some(later)),
            12 | 13 => (Some(day), Some(OPEN)),
            14 => (None, Some(later)),
            15 => (Some(BEGINNING), Some(later)),
            16 => (Some(BEGINNING), None),
            17 if ends => (Some(BEGINNING), Some(OPEN)),
            18 | 19 if is_alone || ends => (None, None),
            _ => (Some(day), None),
        };
        let observed = (chance.below(100) < 15).then(|| chance.between(0, 12));
        Draft { group, slot, says, from, until, observed }
    }

    /// Adds a candidate to the log and returns it as a request.
    fn say(&mut self, draft: &Draft, known: i64) -> Json {
        let entry = entry(&self.log, draft, known);
        self.log.add(&draft.slot, entry);
        self.request(draft)
    }

    fn request(&self, draft: &Draft) -> Json {
        let mut request = Map::new();
        let mut put = |name: &str, value: Json| request.insert(name.to_owned(), value);
        let op = match (&draft.says, draft.group.is_relation()) {
            (Says::Ends(_), _) => "retract",
            (Says::Holds(_), true) => "relate",
            (Says::Holds(_), false) => "assert",
        };
        put("op", json!(op));
        put("subject", self.subject(draft.slot.subject));
        let named = match &draft.says {
            Says::Holds(value) | Says::Ends(Some(value)) => Some(value.clone()),
            Says::Ends(None) => Some(draft.slot.item.clone()).filter(|item| !item.is_empty()),
        };
        match named {
            Some(value) if draft.group.is_relation() => put("object", Self::object(&value)),
            Some(value) => put("value", json!(value)),
            None => None,
        };
        put("scope", json!(draft.slot.scope));
        put("confidence", json!(1.0));
        let mut source = json!({"kind": "upsert", "name": "ops"});
        if let Some(day) = draft.observed {
            source["observed_at"] = json!(self.at(day));
        }
        put("source", source);
        for (name, end) in [("valid_from", draft.from), ("valid_until", draft.until)] {
            match end {
                Some(BEGINNING) => put(name, json!("beginning")),
                Some(OPEN) => put(name, json!("open")),
                Some(day) => put(name, json!(self.at(day))),
                None => None,
            };
        }
        draft.group.name_in(&mut request);
        Json::Object(request)
    }

    /// Tells the same dated candidates of one slot twice: to one entity one by
    /// one, to the other in a single turn.
    pub(super) fn told_twice(seed: u64, number: i64) -> Self {
        let mut chance = Chance::new(seed);
        let mut story = Self::new(seed, number);
        let mut known = story.turns.last().map_or(0, |(known, _)| *known);
        story.turns.clear();
        story.log = Log::default();
        let mut batch = Vec::new();
        for _ in 0..3 + chance.below(6) {
            let mut draft = story.draft(&mut chance, false);
            if draft.from.is_none() && draft.until.is_none() {
                draft.from = Some(chance.between(0, 12));
            }
            draft.slot.subject = 1;
            batch.push(story.request(&draft));
            draft.slot.subject = 0;
            let mut request = story.request(&draft);
            known += 1;
            request["known_at"] = json!(story.at(known));
            story.turns.push((known, request));
        }
        known += 1;
        let turn = json!({"op": "turn", "candidates": batch, "known_at": story.at(known)});
        story.turns.push((known, turn));
        story
    }
}

/// Works out the period of a candidate: the defaults of semantics 2.6.
fn entry(log: &Log, draft: &Draft, known: i64) -> Entry {
    let from = match (draft.from, draft.until) {
        (Some(from), _) => from,
        (None, None | Some(OPEN)) => draft.observed.unwrap_or(known),
        (None, Some(_)) => BEGINNING,
    };
    let until = match (&draft.says, draft.until) {
        (_, Some(until)) => until,
        (Says::Holds(_), None) => log.next_start(&draft.slot, from),
        (Says::Ends(_), None) => OPEN,
    };
    Entry { says: draft.says.clone(), from, until, known }
}
