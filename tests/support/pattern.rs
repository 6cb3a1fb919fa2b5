//! The patterns of the conformance cases: a subset match with names that are
//! bound on the way.
//!
//! A name bound under `$unordered`, `$contains` or `$one_of` may have been
//! bound to the wrong element; so what comes after is part of the search, and
//! a dead end goes back to the last choice.

use std::collections::BTreeMap;

use hitherto::time::Timestamp;
use serde_json::{Map, Number, Value as Json};

/// The keys whose texts are compared as instants.
const INSTANTS: [&str; 10] = [
    "valid_from",
    "valid_until",
    "known_from",
    "known_until",
    "known_at",
    "valid_at",
    "opened_at",
    "closed_at",
    "observed_at",
    "forgotten_at",
];

/// What names stand for.
pub(crate) type Names = BTreeMap<String, Json>;

/// Where an answer departs from its pattern, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) path: String,
    pub(crate) says: String,
}

/// Puts what was bound in the place of every `$ref` of a request.
pub(crate) fn fill(request: &Json, names: &Names) -> Json {
    match request {
        Json::Object(fields) => match single(fields) {
            Some(("$ref", Json::String(name))) => {
                names.get(name).unwrap_or_else(|| panic!("nothing is bound to {name:?}")).clone()
            }
            _ => Json::Object(fields.iter().map(|(key, value)| (key.clone(), fill(value, names))).collect()),
        },
        Json::Array(items) => Json::Array(items.iter().map(|item| fill(item, names)).collect()),
        other => other.clone(),
    }
}

/// Matches an answer, and adds what its pattern binds.
pub(crate) fn check(pattern: &Json, answer: &Json, names: &mut Names) -> Result<(), Mismatch> {
    let mut matcher = Matcher { root: answer, furthest: None, silent: 0 };
    let mut found = None;
    matcher.value(pattern, Some(answer), &Place::ROOT, names, &mut |_, names| {
        found = Some(names.clone());
        true
    });
    match found {
        Some(found) => {
            *names = found;
            Ok(())
        }
        None => Err(matcher.furthest.map_or_else(
            || Mismatch { path: "$".to_owned(), says: "does not match".to_owned() },
            |(_, mismatch)| mismatch,
        )),
    }
}

/// A place in the answer, as a chain to its root.
struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    const ROOT: Place<'static> = Place { parent: None, step: Step::Root, depth: 0 };

    fn key(&'a self, key: &'a str) -> Place<'a> {
        Place { parent: Some(self), step: Step::Key(key), depth: self.depth + 1 }
    }

    fn index(&'a self, index: usize) -> Place<'a> {
        Place { parent: Some(self), step: Step::Index(index), depth: self.depth + 1 }
    }

    /// Whether what stands here is compared as an instant.
    fn holds_instant(&self) -> bool {
        matches!(self.step, Step::Key(key) if INSTANTS.contains(&key))
    }

    fn print(&self) -> String {
        let before = self.parent.map(Place::print).unwrap_or_default();
        match self.step {
            Step::Root => "$".to_owned(),
            Step::Key(key) => format!("{before}.{key}"),
            Step::Index(index) => format!("{before}[{index}]"),
        }
    }
}

/// What is still to be matched once a part of the pattern has been.
type Then<'t, 'a> = &'t mut dyn FnMut(&mut Matcher<'a>, &Names) -> bool;

struct Matcher<'a> {
    root: &'a Json,
    /// The mismatch that lies deepest: the likeliest to say what is wrong.
    furthest: Option<(usize, Mismatch)>,
    /// Above nought, mismatches are wanted ones.
    silent: usize,
}

impl<'a> Matcher<'a> {
    fn miss(&mut self, place: &Place<'_>, says: impl FnOnce() -> String) -> bool {
        let is_further = self.furthest.as_ref().is_none_or(|(depth, _)| place.depth > *depth);
        if self.silent == 0 && is_further {
            self.furthest = Some((place.depth, Mismatch { path: place.print(), says: says() }));
        }
        false
    }

    /// Matches one value; `None` is a key that is missing.
    fn value(
        &mut self,
        pattern: &Json,
        actual: Option<&Json>,
        place: &Place<'_>,
        names: &Names,
        then: Then<'_, 'a>,
    ) -> bool {
        if let Json::Object(fields) = pattern
            && fields.keys().any(|key| key.starts_with('$'))
        {
            assert!(
                fields.keys().all(|key| key.starts_with('$')),
                "a pattern of its own and listed keys do not mix: {pattern}"
            );
            let words: Vec<(&str, &Json)> = fields.iter().map(|(key, value)| (&**key, value)).collect();
            return self.words(&words, actual, place, names, then);
        }
        let Some(actual) = actual else {
            if pattern.is_null() {
                return then(self, names);
            }
            return self.miss(place, || format!("is missing, expected {pattern}"));
        };
        match (pattern, actual) {
            (Json::Object(fields), Json::Object(members)) => {
                let fields: Vec<(&String, &Json)> = fields.iter().collect();
                self.fields(&fields, members, place, names, then)
            }
            (Json::Array(items), Json::Array(elements)) => {
                if items.len() != elements.len() {
                    return self.miss(place, || {
                        format!("has {} elements, expected {}: {actual}", elements.len(), items.len())
                    });
                }
                self.items(items, elements, 0, place, names, then)
            }
            _ if equal(pattern, actual, place.holds_instant()) => then(self, names),
            _ => self.miss(place, || format!("is {actual}, expected {pattern}")),
        }
    }

    fn fields(
        &mut self,
        fields: &[(&String, &Json)],
        members: &Map<String, Json>,
        place: &Place<'_>,
        names: &Names,
        then: Then<'_, 'a>,
    ) -> bool {
        let Some(((key, pattern), rest)) = fields.split_first() else { return then(self, names) };
        self.value(pattern, members.get(*key), &place.key(key), names, &mut |matcher, names| {
            matcher.fields(rest, members, place, names, then)
        })
    }

    fn items(
        &mut self,
        items: &[Json],
        elements: &[Json],
        index: usize,
        place: &Place<'_>,
        names: &Names,
        then: Then<'_, 'a>,
    ) -> bool {
        let (Some((item, items)), Some((element, elements))) = (items.split_first(), elements.split_first())
        else {
            return then(self, names);
        };
        self.value(item, Some(element), &place.index(index), names, &mut |matcher, names| {
            matcher.items(items, elements, index + 1, place, names, then)
        })
    }

    /// Matches the `$` words of a pattern, all of them.
    fn words(
        &mut self,
        words: &[(&str, &Json)],
        actual: Option<&Json>,
        place: &Place<'_>,
        names: &Names,
        then: Then<'_, 'a>,
    ) -> bool {
        let Some(((word, operand), rest)) = words.split_first() else { return then(self, names) };
        self.word(word, operand, actual, place, names, &mut |matcher, names| {
            matcher.words(rest, actual, place, names, then)
        })
    }

    fn word(
        &mut self,
        word: &str,
        operand: &Json,
        actual: Option<&Json>,
        place: &Place<'_>,
        names: &Names,
        then: Then<'_, 'a>,
    ) -> bool {
        let shown = || actual.map_or_else(|| "missing".to_owned(), Json::to_string);
        let is_there = actual.is_some_and(|actual| !actual.is_null());
        let list = actual.and_then(Json::as_array);
        match (word, operand, actual) {
            ("$absent", Json::Bool(true), _) if !is_there => then(self, names),
            ("$absent", Json::Bool(true), _) => {
                self.miss(place, || format!("is {}, expected nothing", shown()))
            }
            ("$any", Json::Bool(true), _) if is_there => then(self, names),
            ("$any", Json::Bool(true), _) => {
                self.miss(place, || format!("is {}, expected anything", shown()))
            }
            ("$not", pattern, _) => {
                self.silent += 1;
                let matches = self.value(pattern, actual, place, names, &mut |_, _| true);
                self.silent -= 1;
                if matches {
                    return self.miss(place, || format!("is {}, expected not {pattern}", shown()));
                }
                then(self, names)
            }
            ("$one_of", Json::Array(patterns), _) => {
                patterns.iter().any(|pattern| self.value(pattern, actual, place, names, then))
            }
            ("$nowhere", Json::String(text), _) => {
                if occurs(self.root, text) {
                    return self.miss(place, || format!("{text:?} occurs in the answer"));
                }
                then(self, names)
            }
            ("$bind", Json::String(name), Some(actual)) => {
                let mut names = names.clone();
                names.insert(name.clone(), actual.clone());
                then(self, &names)
            }
            ("$ref", Json::String(name), Some(actual)) => match names.get(name) {
                Some(bound) if equal(bound, actual, place.holds_instant()) => then(self, names),
                Some(bound) => {
                    let bound = bound.to_string();
                    self.miss(place, || format!("is {actual}, expected {name:?}, which is {bound}"))
                }
                None => self.miss(place, || format!("nothing is bound to {name:?}")),
            },
            ("$text", Json::String(text), Some(Json::String(actual))) if text == actual => then(self, names),
            ("$text", Json::String(text), _) => {
                self.miss(place, || format!("is {}, expected the text {text:?}", shown()))
            }
            ("$len", Json::Number(length), _) => {
                if list.is_some_and(|list| length.as_u64() == Some(list.len() as u64)) {
                    return then(self, names);
                }
                let found =
                    list.map_or_else(|| "no list".to_owned(), |list| format!("{} elements", list.len()));
                self.miss(place, || format!("has {found}, expected {length}: {}", shown()))
            }
            ("$unordered", Json::Array(patterns), _) => match list {
                Some(list) if list.len() == patterns.len() => {
                    self.unordered(patterns, list, place, names, then)
                }
                _ => self.miss(place, || format!("is {}, expected {} elements", shown(), patterns.len())),
            },
            ("$contains", Json::Array(patterns), _) => match list {
                Some(list) => self.contains(patterns, list, place, names, then),
                None => self.miss(place, || format!("is {}, expected a list", shown())),
            },
            ("$bind" | "$ref", Json::String(_), None) => self.miss(place, || "is missing".to_owned()),
            _ => panic!("there is no pattern {{{word:?}: {operand}}}"),
        }
    }

    fn contains(
        &mut self,
        patterns: &[Json],
        list: &[Json],
        place: &Place<'_>,
        names: &Names,
        then: Then<'_, 'a>,
    ) -> bool {
        let Some((pattern, rest)) = patterns.split_first() else { return then(self, names) };
        let mut has_matched = false;
        for (index, element) in list.iter().enumerate() {
            let mut went_on = false;
            let done =
                self.value(pattern, Some(element), &place.index(index), names, &mut |matcher, names| {
                    went_on = true;
                    matcher.contains(rest, list, place, names, then)
                });
            if done {
                return true;
            }
            has_matched |= went_on;
            // Without a name to bind, another element that matches changes nothing.
            if went_on && !binds(pattern) {
                return false;
            }
        }
        if has_matched {
            false
        } else {
            self.miss(place, || format!("has no element that matches {pattern}"))
        }
    }

    fn unordered(
        &mut self,
        patterns: &[Json],
        list: &[Json],
        place: &Place<'_>,
        names: &Names,
        then: Then<'_, 'a>,
    ) -> bool {
        if patterns.iter().any(binds) {
            let mut taken = vec![false; list.len()];
            return self.choose(patterns, list, &mut taken, place, names, then);
        }
        // No choice can change what comes after: any perfect matching will do.
        let mut owner: Vec<Option<usize>> = vec![None; list.len()];
        let fits: Vec<Vec<usize>> = patterns
            .iter()
            .map(|pattern| {
                let fits = |index: usize, element: &Json, matcher: &mut Self| {
                    matcher.value(pattern, Some(element), &place.index(index), names, &mut |_, _| true)
                };
                list.iter()
                    .enumerate()
                    .filter(|(index, element)| fits(*index, element, self))
                    .map(|(i, _)| i)
                    .collect()
            })
            .collect();
        for (index, pattern) in patterns.iter().enumerate() {
            if !augment(index, &fits, &mut owner, &mut vec![false; list.len()]) {
                return self.miss(place, || format!("has no element left that matches {pattern}"));
            }
        }
        then(self, names)
    }

    /// Tries every element for the first pattern, and for each the rest.
    fn choose(
        &mut self,
        patterns: &[Json],
        list: &[Json],
        taken: &mut Vec<bool>,
        place: &Place<'_>,
        names: &Names,
        then: Then<'_, 'a>,
    ) -> bool {
        let Some((pattern, rest)) = patterns.split_first() else { return then(self, names) };
        for (index, element) in list.iter().enumerate() {
            if taken[index] {
                continue;
            }
            taken[index] = true;
            let done =
                self.value(pattern, Some(element), &place.index(index), names, &mut |matcher, names| {
                    matcher.choose(rest, list, taken, place, names, then)
                });
            taken[index] = false;
            if done {
                return true;
            }
        }
        self.miss(place, || format!("has no element left that matches {pattern}"))
    }
}

/// Finds a place for a pattern, moving those that have one if need be.
fn augment(pattern: usize, fits: &[Vec<usize>], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &element in &fits[pattern] {
        if std::mem::replace(&mut seen[element], true) {
            continue;
        }
        if owner[element].is_none_or(|other| augment(other, fits, owner, seen)) {
            owner[element] = Some(pattern);
            return true;
        }
    }
    false
}

/// Whether a pattern binds a name.
fn binds(pattern: &Json) -> bool {
    match pattern {
        Json::Object(fields) => fields.iter().any(|(key, value)| key == "$bind" || binds(value)),
        Json::Array(items) => items.iter().any(binds),
        _ => false,
    }
}

/// Whether a text occurs in a key or a text of a value, or in how it is written.
fn occurs(value: &Json, text: &str) -> bool {
    let within = match value {
        Json::Object(members) => members.iter().any(|(key, value)| key.contains(text) || occurs(value, text)),
        Json::Array(items) => items.iter().any(|item| occurs(item, text)),
        Json::String(held) => held.contains(text),
        _ => false,
    };
    within || value.to_string().contains(text)
}

/// Whether two values are equal: numbers by value, and instants where they stand for instants.
pub(crate) fn equal(expected: &Json, actual: &Json, as_instant: bool) -> bool {
    match (expected, actual) {
        (Json::Number(a), Json::Number(b)) => same_number(a, b),
        (Json::String(a), Json::String(b)) => {
            let instant = |text: &str| Timestamp::parse(text).ok();
            a == b || as_instant && instant(a).is_some_and(|a| instant(b) == Some(a))
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b, as_instant))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b, INSTANTS.contains(&&**key))))
        }
        _ => expected == actual,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    let whole = |n: &Number| n.as_i64().map(i128::from).or(n.as_u64().map(i128::from));
    let exact = |whole: i128, float: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "compared only where it is whole and small enough"
        )]
        let same = float.fract() == 0.0 && float.abs() < 1e30 && float as i128 == whole;
        same
    };
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        (Some(whole), None) => b.as_f64().is_some_and(|float| exact(whole, float)),
        (None, Some(whole)) => a.as_f64().is_some_and(|float| exact(whole, float)),
        (None, None) => a.as_f64() == b.as_f64(),
    }
}

fn single(fields: &Map<String, Json>) -> Option<(&str, &Json)> {
    let (key, value) = fields.iter().next()?;
    (fields.len() == 1).then_some((&**key, value))
}

#[cfg(test)]
#[expect(clippy::needless_pass_by_value, reason = "the tables read better without ampersands")]
mod tests;
