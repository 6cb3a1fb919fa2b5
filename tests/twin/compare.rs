//! The store and its twin, asked the same.

use std::collections::BTreeSet;

use hitherto::Graph;
use serde_json::{Map, Value as Json, json};

use super::log::{FIRST, LAST, Log, Slot};
use super::story::{GROUPS, Group, Kind, SCOPES, Story};
use crate::support::chance::Chance;
use crate::support::store::ask_well;

/// What was compared, and where the two differ.
#[derive(Default, Debug)]
pub(super) struct Tally {
    pub(super) points: usize,
    pub(super) timelines: usize,
    pub(super) diffs: usize,
    /// Which read, and what it said.
    pub(super) misses: Vec<(&'static str, String)>,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.points += other.points;
        self.timelines += other.timelines;
        self.diffs += other.diffs;
        self.misses.extend(other.misses);
    }

    fn expect<T: PartialEq + std::fmt::Debug>(
        &mut self,
        read: &'static str,
        (request, answer): (&Json, &Json),
        wanted: &T,
        found: &T,
    ) {
        if wanted != found {
            let says = format!("{request}\n answered {answer}\n the twin says {wanted:?}, it says {found:?}");
            self.misses.push((read, says));
        }
    }
}

/// One comparison under way.
pub(super) struct Comparison<'a> {
    pub(super) graph: &'a Graph,
    pub(super) story: &'a Story,
    /// The log of the story, or one with an error planted in it.
    pub(super) log: &'a Log,
    /// Every so many points of the grid are asked about.
    pub(super) stride: usize,
}

/// A read without a scope sees all, one with a scope that and what is above it.
fn seen_from(scope: Option<&str>) -> &'static [&'static str] {
    if scope == Some("/") { &SCOPES[..1] } else { &SCOPES }
}

fn text(json: &Json) -> String {
    json.as_str().or_else(|| json["name"].as_str()).unwrap_or_default().to_owned()
}

/// What a printed fact or segment holds.
fn held(fact: &Json) -> String {
    text(fact.get("object").unwrap_or(&fact["value"]))
}

impl Comparison<'_> {
    /// Compares every read of the story, at every point of valid and known time.
    pub(super) async fn all(&self, chance: &mut Chance) -> Tally {
        let mut tally = Tally::default();
        let mut knowns: Vec<i64> = self.story.turns.iter().map(|(known, _)| *known).collect();
        knowns.insert(0, knowns[0] - 1);
        for (place, known) in knowns.iter().enumerate() {
            for day in FIRST..=LAST {
                if chance.once_in(self.stride) {
                    self.point(day, *known, chance, &mut tally).await;
                }
            }
            self.timeline(self.story.focus, 0, *known, &mut tally).await;
            self.timeline(*chance.pick(&GROUPS), chance.below(2), *known, &mut tally).await;
            let earlier = knowns[chance.below(place + 1)];
            self.diff(chance.below(2), (earlier, *known), &mut tally).await;
        }
        tally
    }

    async fn point(&self, day: i64, known: i64, chance: &mut Chance, tally: &mut Tally) {
        tally.points += 1;
        let scope = *chance.pick(&[None, Some("/"), Some("/a")]);
        self.get(self.story.focus, 0, scope, (day, known), chance.once_in(2), tally).await;
        match chance.below(5) {
            0 => {
                let group = *chance.pick(&GROUPS);
                self.get(group, chance.below(2), scope, (day, known), false, tally).await;
            }
            1 => self.holders(scope, (day, known), chance, tally).await,
            2 => self.neighbours(scope, (day, known), chance, tally).await,
            3 => self.profile(scope, (day, known), chance.below(2), tally).await,
            _ => {}
        }
    }

    fn request(
        &self,
        op: &str,
        scope: Option<&str>,
        (day, known): (i64, i64),
        at_end: bool,
    ) -> Map<String, Json> {
        let mut request = Map::new();
        request.insert("op".to_owned(), json!(op));
        // A day is the same from its first microsecond to its last.
        let point = |day| if at_end { self.story.end_of(day) } else { self.story.at(day) };
        request.insert("valid_at".to_owned(), json!(point(day)));
        request.insert("known_at".to_owned(), json!(point(known)));
        if let Some(scope) = scope {
            request.insert("scope".to_owned(), json!(scope));
        }
        request
    }

    fn slot(subject: usize, group: Group, scope: &'static str, item: &str) -> Slot {
        Slot { subject, name: group.name, scope, item: item.to_owned() }
    }

    /// The slots of a group that anything was said of, in one scope.
    fn items(&self, subject: usize, group: Group, scope: &str) -> Vec<&Slot> {
        let mine = |slot: &&Slot| slot.subject == subject && slot.name == group.name && slot.scope == scope;
        self.log.slots.keys().filter(mine).collect()
    }

    async fn get(
        &self,
        group: Group,
        subject: usize,
        scope: Option<&str>,
        point: (i64, i64),
        at_end: bool,
        tally: &mut Tally,
    ) {
        let mut request = self.request("get", scope, point, at_end);
        request.insert("subject".to_owned(), self.story.subject(subject));
        group.name_in(&mut request);
        let request = Json::Object(request);
        let answer = ask_well(self.graph, &request).await;
        let result = &answer["result"];
        let said = (&request, result);
        tally.expect("get", said, &json!([]), &result["contested"]);
        if group.is_list() {
            let printed = result["values"].as_array().map_or(&[][..], Vec::as_slice);
            let mut found: Vec<String> = printed.iter().map(held).collect();
            found.sort();
            let wanted = self.values(group, subject, scope, point);
            tally.expect("get", said, &wanted, &found);
            return;
        }
        let believed = |scope: &&'static str| {
            self.log.believed(&Self::slot(subject, group, scope, ""), point.0, point.1).is_some()
        };
        let holding: Vec<&'static str> =
            seen_from(scope).iter().copied().filter(|scope| believed(scope)).collect();
        match (&holding[..], scope) {
            ([], _) => {
                tally.expect("get", said, &Json::Null, &result["value"]);
                if let Some(because) = self.because(group, subject, scope, point) {
                    tally.expect("get", said, &json!(because), &result["because"]);
                }
            }
            ([_, _], None) => {
                tally.expect("get", said, &json!("several_scopes"), &result["because"]);
                tally.expect("get", said, &Json::Null, &result["value"]);
            }
            ([.., nearest], _) => {
                let slot = Self::slot(subject, group, nearest, "");
                let belief = self.log.believed(&slot, point.0, point.1).unwrap();
                tally.expect("get", said, &belief.value.to_owned(), &text(&result["value"]));
                let fact = &result["fact"];
                tally.expect("get", said, &json!(nearest), &fact["scope"]);
                tally.expect("get", said, &json!(self.story.at(belief.known_from)), &fact["known_from"]);
                tally.expect("get", said, &Json::Null, &fact["known_until"]);
            }
        }
    }

    /// The values that a list shows: of each item the nearest; relations of all
    /// scopes where no scope is named.
    fn values(
        &self,
        group: Group,
        subject: usize,
        scope: Option<&str>,
        (day, known): (i64, i64),
    ) -> Vec<String> {
        let unites = scope.is_some() || group.kind == Kind::List;
        let mut shown = BTreeSet::new();
        let mut values = Vec::new();
        for scope in seen_from(scope).iter().rev() {
            for slot in self.items(subject, group, scope) {
                if let Some(belief) = self.log.believed(slot, day, known)
                    && (shown.insert(slot.item.clone()) || !unites)
                {
                    values.push(belief.value.to_owned());
                }
            }
        }
        values.sort();
        values
    }

    /// Why nothing is shown, where the twin can tell.
    fn because(
        &self,
        group: Group,
        subject: usize,
        scope: Option<&str>,
        (day, known): (i64, i64),
    ) -> Option<&'static str> {
        let slots: Vec<Slot> = SCOPES.iter().map(|scope| Self::slot(subject, group, scope, "")).collect();
        if slots.iter().any(|slot| self.log.is_tangled(slot)) {
            return None;
        }
        let (visible, hidden): (Vec<&Slot>, Vec<&Slot>) =
            slots.iter().partition(|slot| seen_from(scope).contains(&slot.scope));
        let recorded = |slots: &[&Slot], known| slots.iter().any(|slot| self.log.is_recorded(slot, known));
        if !recorded(&visible, i64::MAX) {
            return if recorded(&hidden, known) {
                Some("out_of_scope")
            } else {
                (!recorded(&hidden, i64::MAX)).then_some("never_recorded")
            };
        }
        if !recorded(&visible, known) {
            return Some("not_yet_known");
        }
        let believed = |day, known| visible.iter().any(|slot| self.log.believed(slot, day, known).is_some());
        if (FIRST..known).any(|earlier| believed(day, earlier)) {
            return Some("retracted");
        }
        if (FIRST..day).any(|earlier| believed(earlier, known)) {
            return Some("ended");
        }
        let later = (day..=LAST).any(|later| believed(later, known));
        Some(if later { "not_yet_valid" } else { "never_recorded" })
    }

    async fn timeline(&self, group: Group, subject: usize, known: i64, tally: &mut Tally) {
        tally.timelines += 1;
        let mut request = Map::new();
        request.insert("op".to_owned(), json!("timeline"));
        request.insert("subject".to_owned(), self.story.subject(subject));
        request.insert("known_at".to_owned(), json!(self.story.at(known)));
        group.name_in(&mut request);
        let request = Json::Object(request);
        let answer = ask_well(self.graph, &request).await;
        let printed = answer["result"]["segments"].as_array().unwrap();
        let starts: Vec<&str> =
            printed.iter().map(|s| s["valid_from"].as_str().unwrap_or_default()).collect();
        tally.expect("timeline", (&request, &answer), &true, &starts.is_sorted());
        let mut found: Vec<String> = printed
            .iter()
            .map(|s| {
                let ends = [&s["valid_from"], &s["valid_until"], &s["known_from"]];
                format!("{} {} {ends:?}", s["scope"], held(s))
            })
            .collect();
        let mut wanted = Vec::new();
        for slot in SCOPES.iter().flat_map(|scope| self.items(subject, group, scope)) {
            wanted.extend(self.log.runs(slot, known).into_iter().map(|run| {
                let bound = |day| self.story.bound(day);
                let ends = [&bound(run.from), &bound(run.until), &bound(run.known_from)];
                format!("{} {} {ends:?}", json!(slot.scope), run.value)
            }));
        }
        found.sort();
        wanted.sort();
        tally.expect("timeline", (&request, &answer), &wanted, &found);
    }

    async fn diff(&self, subject: usize, known: (i64, i64), tally: &mut Tally) {
        tally.diffs += 1;
        let request = json!({
            "op": "diff",
            "subject": self.story.subject(subject),
            "known_a": self.story.at(known.0),
            "known_b": self.story.at(known.1),
        });
        let answer = ask_well(self.graph, &request).await;
        let side = |value: &Json| if value.is_null() { None } else { Some(text(value)) };
        let mut found: Vec<String> = answer["result"]["changes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|change| {
                let name = text(change.get("key").unwrap_or(&change["label"]));
                let ends = [&change["valid_from"], &change["valid_until"]];
                let sides = (side(&change["before"]), side(&change["after"]));
                format!("{name} {} {} {sides:?} {ends:?}", change["scope"], text(&change["class"]))
            })
            .collect();
        let mut wanted = Vec::new();
        for slot in self.log.slots.keys().filter(|slot| slot.subject == subject) {
            wanted.extend(self.log.differences(slot, known).into_iter().map(|difference| {
                let ends = [&self.story.bound(difference.from), &self.story.bound(difference.until)];
                let sides = (difference.before, difference.after);
                format!("{} {} {} {sides:?} {ends:?}", slot.name, json!(slot.scope), difference.class)
            }));
        }
        found.sort();
        wanted.sort();
        tally.expect("diff", (&request, &answer), &wanted, &found);
    }

    /// Whether a subject is shown a value at a point.
    fn has(
        &self,
        subject: usize,
        group: Group,
        value: &str,
        scope: Option<&str>,
        (day, known): (i64, i64),
    ) -> bool {
        if group.is_list() {
            return self.values(group, subject, scope, (day, known)).iter().any(|held| held == value);
        }
        let mut believed = seen_from(scope).iter().rev().filter_map(|scope| {
            let belief = self.log.believed(&Self::slot(subject, group, scope, ""), day, known);
            belief.map(|belief| belief.value)
        });
        if scope.is_some() { believed.next() == Some(value) } else { believed.any(|held| held == value) }
    }

    async fn holders(&self, scope: Option<&str>, point: (i64, i64), chance: &mut Chance, tally: &mut Tally) {
        let attributes: Vec<Group> = GROUPS.into_iter().filter(|group| !group.is_relation()).collect();
        let mut conditions = Vec::new();
        for _ in 0..=usize::from(chance.once_in(5)) {
            let group = if self.story.focus.is_relation() || chance.once_in(4) {
                *chance.pick(&attributes)
            } else {
                self.story.focus
            };
            conditions.push((group, chance.pick(&self.story.values(group)).clone()));
        }
        let mut request = self.request("holders", scope, point, false);
        let printed = conditions.iter().map(|(group, value)| json!({"key": group.name, "value": value}));
        request.insert("where".to_owned(), printed.collect());
        let request = Json::Object(request);
        let answer = ask_well(self.graph, &request).await;
        let subjects = answer["result"]["subjects"].as_array().unwrap();
        let found: Vec<String> = subjects.iter().map(text).collect();
        let wanted: Vec<String> = (0..2)
            .filter(|subject| {
                conditions.iter().all(|(group, value)| self.has(*subject, *group, value, scope, point))
            })
            .map(|subject| self.story.subject_name(subject))
            .collect();
        tally.expect("holders", (&request, &answer), &wanted, &found);
    }

    /// The edges of a subject that a walk may take: with a scope only what is effective.
    fn edges(
        &self,
        group: Group,
        subject: usize,
        scope: Option<&str>,
        (day, known): (i64, i64),
    ) -> Vec<(&'static str, &str)> {
        let mut taken = BTreeSet::new();
        let mut edges = Vec::new();
        for place in seen_from(scope).iter().rev() {
            for slot in self.items(subject, group, place) {
                if let Some(belief) = self.log.believed(slot, day, known)
                    && (taken.insert(&slot.item) || scope.is_none())
                {
                    edges.push((slot.scope, belief.value));
                }
            }
        }
        edges
    }

    /// Asks for the edges of a subject, or of an object.
    async fn neighbours(
        &self,
        scope: Option<&str>,
        point: (i64, i64),
        chance: &mut Chance,
        tally: &mut Tally,
    ) {
        let object = chance.once_in(3).then(|| chance.pick(&self.story.values(GROUPS[3])).clone());
        let subject = chance.below(2);
        let mut request = self.request("neighbours", scope, point, false);
        let start = object.as_deref().map_or_else(|| self.story.subject(subject), Story::object);
        request.insert("subject".to_owned(), start);
        request.insert("depth".to_owned(), json!(1));
        request.insert("direction".to_owned(), json!(if object.is_some() { "in" } else { "out" }));
        let request = Json::Object(request);
        let answer = ask_well(self.graph, &request).await;
        let mut found: Vec<String> = answer["result"]["edges"]
            .as_array()
            .unwrap()
            .iter()
            .map(|edge| {
                format!("{} {} {} {}", text(&edge["subject"]), edge["label"], held(edge), edge["scope"])
            })
            .collect();
        let mut wanted = Vec::new();
        for group in GROUPS.into_iter().filter(|group| group.is_relation()) {
            for from in (0..2).filter(|from| object.is_some() || *from == subject) {
                for (scope, value) in self.edges(group, from, scope, point) {
                    if object.as_ref().is_none_or(|object| value == object) {
                        let from = self.story.subject_name(from);
                        wanted.push(format!("{from} {} {value} {}", json!(group.name), json!(scope)));
                    }
                }
            }
        }
        found.sort();
        wanted.sort();
        tally.expect("neighbours", (&request, &answer), &wanted, &found);
    }

    /// Asks for all that is believed of a subject.
    async fn profile(&self, scope: Option<&str>, point: (i64, i64), subject: usize, tally: &mut Tally) {
        let mut request = self.request("profile", scope, point, false);
        request.insert("subject".to_owned(), self.story.subject(subject));
        let request = Json::Object(request);
        let answer = ask_well(self.graph, &request).await;
        let lists = ["attributes", "relations"].map(|list| answer["result"][list].as_array().unwrap());
        let mut found: Vec<String> = lists
            .into_iter()
            .flatten()
            .map(|fact| {
                let name = fact.get("key").unwrap_or(&fact["label"]);
                format!("{name} {} {} {}", fact["scope"], held(fact), fact["known_from"])
            })
            .collect();
        let mut wanted = Vec::new();
        for slot in self.log.slots.keys().filter(|slot| slot.subject == subject) {
            if let Some(belief) = self.log.believed(slot, point.0, point.1)
                && seen_from(scope).contains(&slot.scope)
            {
                let known_from = self.story.bound(belief.known_from);
                wanted.push(format!(
                    "{} {} {} {known_from}",
                    json!(slot.name),
                    json!(slot.scope),
                    belief.value
                ));
            }
        }
        found.sort();
        wanted.sort();
        tally.expect("profile", (&request, &answer), &wanted, &found);
    }
}
