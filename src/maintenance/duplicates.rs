//! Entities that may be one and the same: a report, never a merge.
//!
//! Pairs are found without comparing all with all. Two names can only be as
//! similar as the floor asks if they share most of their letters, so each name
//! is filed under its few rarest letters and compared with those it meets
//! there: a prefix filter, which misses no pair.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_security::skeleton;

use crate::facts::{Scope, words};
use crate::identity::EntityId;

/// The similarity floor where nobody names one.
pub const FLOOR: f64 = 0.95;

words! {
    /// Why two entities are reported as a pair.
    ///
    /// ```
    /// use hitherto::maintenance::Likeness;
    ///
    /// assert_eq!(Likeness::LookAlike.as_str(), "look_alike");
    /// ```
    Likeness {
        /// Their names are alike.
        Similar = "similar",
        /// Their names look the same and are not.
        LookAlike = "look_alike",
        /// They bear one name under two types.
        SameName = "same_name",
    }
}

/// An entity as it is compared.
#[derive(Clone, Debug)]
pub struct Bearer {
    /// Who.
    pub entity: EntityId,
    /// The name as first written.
    pub display: Arc<str>,
    /// In which scopes there are facts of it.
    pub scopes: BTreeSet<Scope>,
}

/// Two entities that may be one, by their places in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The first, by type, then name.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// How alike their names are, from 0 to 1.
    pub score: f64,
    /// Why they are a pair.
    pub why: Likeness,
}

/// Finds the pairs among bearers that are sorted by type, then name.
#[must_use]
pub fn duplicates(bearers: &[Bearer], floor: f64) -> Vec<Pair> {
    let mut pairs: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
    let mut report = |a: usize, b: usize, score: f64, why: Likeness| {
        pairs.entry((a, b)).or_insert(Pair { a, b, score, why });
    };
    for group in grouped(bearers, |bearer| bearer.entity.name.as_str().to_owned()) {
        for_each_pair(&group, |a, b| report(a, b, 1.0, Likeness::SameName));
    }
    let look = |bearer: &Bearer| (bearer.entity.kind, appearance(bearer.entity.name.as_str()));
    for group in grouped(bearers, look) {
        for_each_pair(&group, |a, b| {
            let score =
                strsim::jaro_winkler(bearers[a].entity.name.as_str(), bearers[b].entity.name.as_str());
            report(a, b, score, Likeness::LookAlike);
        });
    }
    for group in grouped(bearers, |bearer| bearer.entity.kind) {
        for (a, b, score) in similar(bearers, &group, floor) {
            if !bearers[a].scopes.is_disjoint(&bearers[b].scopes) {
                report(a, b, score, Likeness::Similar);
            }
        }
    }
    pairs.into_values().collect()
}

/// Returns what a name looks like: look-alike letters and invisible characters
/// taken for what the eye takes them for.
fn appearance(name: &str) -> String {
    let visible: String = name.chars().filter(|c| c.general_category() != GeneralCategory::Format).collect();
    skeleton(&visible).collect()
}

fn grouped<K: Ord>(bearers: &[Bearer], key: impl Fn(&Bearer) -> K) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (place, bearer) in bearers.iter().enumerate() {
        groups.entry(key(bearer)).or_default().push(place);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

fn for_each_pair(group: &[usize], mut act: impl FnMut(usize, usize)) {
    for (place, a) in group.iter().enumerate() {
        for b in &group[place + 1..] {
            act(*a, *b);
        }
    }
}

/// A letter with how often it came before in its name, so that a name is a set.
type Letter = (char, u16);

/// Returns the least share of letters that two names of a similarity have in
/// common, of the mean of their lengths.
///
/// Jaro-Winkler adds at most 0.4 of what is missing to Jaro, and Jaro is the
/// mean of both shares of matched letters and of a third term that is at most 1.
fn least_share(floor: f64) -> f64 {
    let jaro = (floor - 0.4) / 0.6;
    ((3.0 * jaro - 1.0) / 2.0).clamp(0.0, 1.0)
}

/// Finds the pairs of one type whose names are at least as alike as the floor.
fn similar(bearers: &[Bearer], group: &[usize], floor: f64) -> Vec<(usize, usize, f64)> {
    let share = least_share(floor);
    let letters: Vec<Vec<Letter>> =
        group.iter().map(|place| letters(bearers[*place].entity.name.as_str())).collect();
    let mut frequency: HashMap<Letter, usize> = HashMap::new();
    for letter in letters.iter().flatten() {
        *frequency.entry(*letter).or_default() += 1;
    }
    let mut filed: HashMap<Letter, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (place, name) in letters.iter().enumerate() {
        let mut rare = name.clone();
        rare.sort_by_key(|letter| (frequency[letter], *letter));
        // Of a partner at least as long, and of one that is shorter, at least
        // so many letters must be shared; one of them is among these.
        let length = name.len();
        let needed = shared_at_least(share, length, shortest(share, length));
        let prefix = &rare[..(length + 1).saturating_sub(needed.max(1)).min(length)];
        let mut met: Vec<usize> =
            prefix.iter().filter_map(|letter| filed.get(letter)).flatten().copied().collect();
        met.sort_unstable();
        met.dedup();
        for other in met {
            let needed = shared_at_least(share, length, letters[other].len());
            if common(name, &letters[other]) < needed {
                continue;
            }
            let (a, b) = (group[other], group[place]);
            let score =
                strsim::jaro_winkler(bearers[a].entity.name.as_str(), bearers[b].entity.name.as_str());
            if score >= floor {
                pairs.push((a, b, score));
            }
        }
        for letter in prefix {
            filed.entry(*letter).or_default().push(place);
        }
    }
    pairs
}

/// Returns the letters of a name, sorted.
fn letters(name: &str) -> Vec<Letter> {
    let mut seen: HashMap<char, u16> = HashMap::new();
    let mut letters: Vec<Letter> = name
        .chars()
        .map(|c| {
            let count = seen.entry(c).or_default();
            *count += 1;
            (c, *count)
        })
        .collect();
    letters.sort_unstable();
    letters
}

/// Returns how many letters names of these lengths share at least, to be as
/// alike as the share asks: `m/a + m/b ≥ 2·share`.
fn shared_at_least(share: f64, a: usize, b: usize) -> usize {
    #[expect(clippy::cast_precision_loss, reason = "lengths of names")]
    let (a, b) = (a as f64, b as f64);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and not negative")]
    let least = (2.0 * share * a * b / (a + b) - 1e-9).ceil().max(0.0) as usize;
    least
}

/// Returns the length of the shortest name that can be as alike: all of it is
/// shared then.
fn shortest(share: f64, length: usize) -> usize {
    // m = b: b/a + 1 ≥ 2·share.
    #[expect(clippy::cast_precision_loss, reason = "lengths of names")]
    let least = (2.0 * share - 1.0).max(0.0) * length as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and not negative")]
    let least = (least - 1e-9).ceil().max(1.0) as usize;
    least
}

/// Counts what two sorted names have in common.
fn common(a: &[Letter], b: &[Letter]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                i += 1;
                j += 1;
            }
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::EntityType;

    fn bearers(names: &[String]) -> Vec<Bearer> {
        let mut all: Vec<Bearer> = names
            .iter()
            .filter_map(|name| EntityId::new(EntityType::Person, name).ok())
            .map(|entity| Bearer {
                display: entity.name.as_str().into(),
                entity,
                scopes: BTreeSet::from([Scope::root()]),
            })
            .collect();
        all.sort_by(|a, b| a.entity.cmp(&b.entity));
        all.dedup_by(|a, b| a.entity == b.entity);
        all
    }

    /// A small pseudo-random sequence, the same on every run.
    fn names(count: u64) -> Vec<String> {
        let mut state = 42_u64;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % below
        };
        let words =
            ["mara", "quill", "jon", "brandt", "kestrel", "mill", "reef", "bakery", "ivo", "tern", "cape"];
        (0..count)
            .map(|_| {
                let mut name: Vec<char> =
                    (0..=next(3)).flat_map(|_| words[next(11)].chars().chain([' '])).collect();
                for _ in 0..next(3) {
                    let place = next(name.len());
                    name[place] = char::from(b'a' + u8::try_from(next(26)).unwrap_or(0));
                }
                name.into_iter().collect()
            })
            .collect()
    }

    #[test]
    fn the_filter_finds_exactly_the_pairs_that_comparing_all_with_all_finds() {
        let all = bearers(&names(1_500));
        for floor in [0.8, 0.9, 0.95, 0.99] {
            let group: Vec<usize> = (0..all.len()).collect();
            let mut found = similar(&all, &group, floor);
            found.sort_by_key(|(a, b, _)| (*a, *b));
            let mut wanted = Vec::new();
            for_each_pair(&group, |a, b| {
                let score = strsim::jaro_winkler(all[a].entity.name.as_str(), all[b].entity.name.as_str());
                if score >= floor {
                    wanted.push((a, b, score));
                }
            });
            assert!(!wanted.is_empty());
            assert_eq!(found, wanted, "at {floor}");
        }
    }

    #[test]
    fn names_that_look_the_same_are_a_pair() {
        let all = bearers(&["Mara Quill".into(), "M\u{430}ra Quill".into(), "Mara\u{200b} Quill".into()]);
        let pairs = duplicates(&all, FLOOR);
        assert_eq!(pairs.iter().filter(|pair| pair.why == Likeness::LookAlike).count(), 3);
    }
}
