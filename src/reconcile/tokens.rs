//! Section 6.1 and rule 5.12: what a sentence says that a merge must not lose.
//!
//! A sentence is taken apart into tokens: identifiers, paths, addresses, versions and
//! code spans whole, numbers with their units, contractions written out. Every token is
//! distinctive except function words and generic nouns, and where nothing else is there
//! even those are. Words compare case-folded, code as written. Scripts without spaces are
//! cut into pairs of neighbouring characters, so that no character is lost unseen.
//!
//! All of it leans to keeping both: a needless duplicate is visible and cheap, a lost
//! qualifier is silent.

mod scan;
mod words;

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use crate::identity::fold;
use scan::{Piece, Word, pieces};
use words::{ARTICLES, FUNCTION, GENERIC, LIMITS, UNITS};

/// The longer lists as sets: every word of every note is looked up in them.
static FUNCTION_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| FUNCTION.iter().copied().collect());
static LIMIT_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| LIMITS.iter().copied().collect());
static UNIT_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| UNITS.iter().copied().collect());

/// What becomes of a note that meets another.
///
/// ```
/// use hitherto::reconcile::tokens::{NoteMerge, note_merge};
///
/// assert_eq!(note_merge("deploys run daily", "deploys run daily"), NoteMerge::Same);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteMerge {
    /// Both say the same words.
    Same,
    /// The new note says all that the old one does, and more.
    Refines,
    /// Both have to be kept.
    Separate,
}

/// Returns the distinctive tokens of a text, each with the number of times it has to be
/// kept.
///
/// Numbers, negations and qualifiers count as often as they stand there; of any other
/// token one is enough.
///
/// # Examples
///
/// ```
/// use hitherto::reconcile::tokens::distinctive;
///
/// let tokens = distinctive("Never run the deploy_all file on Node-3, wait 10 s");
/// let tokens: Vec<&str> = tokens.keys().map(String::as_str).collect();
/// assert_eq!(tokens, ["10", "10s", "deploy_all", "never", "node-3", "on", "run", "wait"]);
/// ```
#[must_use]
pub fn distinctive(text: &str) -> BTreeMap<String, usize> {
    let pieces = pieces(text);
    let distinctive = tally(&pieces, |at| counts(&pieces, at));
    // "the project" has no distinctive token, and must not be replaced by anything whatever.
    if distinctive.is_empty() { tally(&pieces, |_| true) } else { distinctive }
}

/// Returns the distinctive tokens of `old` that `new` does not keep.
///
/// # Examples
///
/// ```
/// use hitherto::reconcile::tokens::missing;
///
/// assert_eq!(missing("Lisoril 10 mg daily", "Lisoril 10 mg at night"), ["daily"]);
/// ```
#[must_use]
pub fn missing(old: &str, new: &str) -> Vec<String> {
    let new = pieces(new);
    let kept = tally(&new, |_| true);
    distinctive(old)
        .into_iter()
        .filter(|(token, times)| kept.get(token).is_none_or(|kept| kept < times))
        .map(|(token, _)| token)
        .collect()
}

/// Tells whether `new` keeps every distinctive token of `old`.
///
/// # Examples
///
/// ```
/// use hitherto::reconcile::tokens::keeps_all;
///
/// assert!(keeps_all("Firebird", "Firebird 5 on node 3"));
/// assert!(!keeps_all("plan A", "plan B"));
/// ```
#[must_use]
pub fn keeps_all(old: &str, new: &str) -> bool {
    missing(old, new).is_empty()
}

/// Tells whether a proposed refinement of a value is one (rule 5.12): it keeps every
/// distinctive token.
///
/// # Examples
///
/// ```
/// use hitherto::reconcile::tokens::refines;
///
/// assert!(refines("Grove", "Grove annual"));
/// assert!(!refines("Firebird", "Derby"));
/// ```
#[must_use]
pub fn refines(old: &str, new: &str) -> bool {
    keeps_all(old, new)
}

/// Tells whether `new` brings a negation or a qualifier that `old` lacks.
///
/// A question mark, a symbol, and any added word of a script whose negations this module
/// does not know count as one.
///
/// # Examples
///
/// ```
/// use hitherto::reconcile::tokens::adds_limit;
///
/// let old = "always run migrations against staging";
/// assert!(adds_limit(old, "always run migrations against staging, never production"));
/// assert!(!adds_limit(old, "always run the migrations against staging in Berlin"));
/// ```
#[must_use]
pub fn adds_limit(old: &str, new: &str) -> bool {
    adds(&limits(&pieces(old)), &limits(&pieces(new)))
}

/// Tells what becomes of a new note that meets an old one, without a judge.
///
/// `Same` is equal text after NFC and white space; case makes no difference but inside
/// words (`userId` is not `userid`, `US` is not `us`). `Refines` asks for more than rule
/// 6.1, because a bag of words has no order: the words of the old note stand in the new
/// one in the same order, articles aside, nothing that limits is added, and what limits
/// goes on limiting the same words.
///
/// # Examples
///
/// ```
/// use hitherto::reconcile::tokens::{NoteMerge, note_merge};
///
/// let note = "always run migrations against staging";
/// assert_eq!(note_merge(note, "Always run  migrations against staging"), NoteMerge::Same);
/// assert_eq!(note_merge(note, "always run migrations against staging on node 3"), NoteMerge::Refines);
/// assert_eq!(note_merge(note, "always run migrations against staging, never production"), NoteMerge::Separate);
/// assert_eq!(note_merge("move A to B", "move B to A"), NoteMerge::Separate);
/// ```
#[must_use]
pub fn note_merge(old: &str, new: &str) -> NoteMerge {
    let (old_pieces, new_pieces) = (pieces(old), pieces(new));
    if fold(old) == fold(new) && spelled(&old_pieces) == spelled(&new_pieces) {
        return NoteMerge::Same;
    }
    let (old_line, new_line) = (line(&old_pieces), line(&new_pieces));
    let refines = old_line.iter().any(|item| !item.is_empty())
        && in_order(&old_line, &new_line)
        && keeps_all(old, new)
        && !adds(&limits(&old_pieces), &limits(&new_pieces))
        && !adds(&bindings(&new_pieces), &bindings(&old_pieces));
    if refines { NoteMerge::Refines } else { NoteMerge::Separate }
}

/// Tells whether the piece at a place is distinctive.
fn counts(pieces: &[Piece], at: usize) -> bool {
    match &pieces[at] {
        Piece::Word(word) => {
            let leads = matches!(pieces.get(at + 1), Some(Piece::Word(_) | Piece::Code(_) | Piece::Run(_)));
            let function = FUNCTION_SET.contains(word.folded.as_str()) && leads;
            word.capitals || !(function || GENERIC.contains(&word.folded.as_str()))
        }
        Piece::Symbol(_) | Piece::Code(_) | Piece::Run(_) => true,
        Piece::Stop(_) => false,
    }
}

/// Counts the tokens of the pieces that are wanted.
fn tally(pieces: &[Piece], wanted: impl Fn(usize) -> bool) -> BTreeMap<String, usize> {
    let mut tally = BTreeMap::new();
    let mut add = |token: String| {
        let every = token.contains(char::is_numeric) || is_limit(&token);
        let times = tally.entry(token).or_insert(0);
        *times = if every { *times + 1 } else { 1 };
    };
    let mut at = 0;
    while at < pieces.len() {
        let used = unit_behind(pieces, at);
        match &pieces[at] {
            _ if !wanted(at) => {}
            Piece::Word(word) => {
                if let Some(unit) = &used {
                    add(format!("{}{unit}", word.folded));
                }
                if let Some(number) = glued_number(&word.folded) {
                    add(number.to_owned());
                }
                add(word.folded.clone());
            }
            Piece::Symbol(symbol) => add(symbol.to_string()),
            Piece::Code(code) => add(format!("`{code}`")),
            Piece::Run(run) => pairs(run).into_iter().for_each(&mut add),
            Piece::Stop(_) => {}
        }
        at += 1 + usize::from(used.is_some());
    }
    tally
}

/// Returns the pairs of neighbours in a run of unspaced script, and its characters, of
/// which a lone one is all there is.
fn pairs(run: &str) -> Vec<String> {
    let chars: Vec<char> = run.chars().collect();
    let singles = chars.iter().map(ToString::to_string);
    singles.chain(chars.windows(2).map(|pair| pair.iter().collect())).collect()
}

/// Returns the unit that stands behind a bare number.
fn unit_behind(pieces: &[Piece], at: usize) -> Option<String> {
    let Some(Piece::Word(number)) = pieces.get(at) else {
        return None;
    };
    let bare = number.folded.ends_with(char::is_numeric) && !number.folded.contains(char::is_alphabetic);
    let unit = match pieces.get(at + 1).filter(|_| bare)? {
        Piece::Word(word) => word.folded.clone(),
        Piece::Symbol(symbol) => symbol.to_string(),
        Piece::Code(_) | Piece::Run(_) | Piece::Stop(_) => return None,
    };
    is_unit(&unit).then_some(unit)
}

/// Returns the number of `10mg` or `5%`.
fn glued_number(word: &str) -> Option<&str> {
    let end =
        word.rfind(char::is_numeric).map(|at| at + word[at..].chars().next().map_or(0, char::len_utf8))?;
    let (number, unit) = word.split_at(end);
    (is_unit(unit) && !number.contains(char::is_alphabetic)).then_some(number)
}

/// Tells whether a word is a unit, or one by another: `mg/day`.
fn is_unit(word: &str) -> bool {
    UNIT_SET.contains(word.split('/').next().unwrap_or(word))
}

/// Tells whether a token limits what it stands beside.
fn is_limit(token: &str) -> bool {
    limiting_parts(token).next().is_some()
}

/// Returns the limiting words inside a token: of `read-only`, `only`; of `_never_`,
/// `never`; of `n'est`, the negation.
fn limiting_parts(token: &str) -> impl Iterator<Item = &str> {
    let whole = LIMIT_SET.contains(token).then_some(token);
    let parts = token.split(|c: char| !c.is_alphanumeric()).filter(move |part| {
        whole != Some(part) && (LIMIT_SET.contains(part) || (*part == "n" && token.starts_with("n'")))
    });
    whole.into_iter().chain(parts)
}

/// Counts everything in a text that limits it, or may.
fn limits(pieces: &[Piece]) -> BTreeMap<String, usize> {
    let mut limits = BTreeMap::new();
    let mut add = |limit: String| *limits.entry(limit).or_insert(0_usize) += 1;
    for piece in pieces {
        match piece {
            Piece::Word(word) if word.folded.contains(is_unlisted) => add(word.folded.clone()),
            Piece::Word(word) => limiting_parts(&word.folded).map(str::to_owned).for_each(&mut add),
            Piece::Symbol(symbol) => add(symbol.to_string()),
            Piece::Run(run) => pairs(run).into_iter().for_each(&mut add),
            Piece::Stop('?') => add("?".to_owned()),
            Piece::Stop(_) | Piece::Code(_) => {}
        }
    }
    limits
}

/// Tells whether a letter belongs to a script whose negations are not listed.
fn is_unlisted(c: char) -> bool {
    // Latin with its supplements and letter-like signs, Greek, Cyrillic.
    let listed = matches!(
        u32::from(c),
        0..=0x052F | 0x1C80..=0x1C8F | 0x1D00..=0x1FFF | 0x2100..=0x218F | 0x2C60..=0x2C7F
        | 0xA640..=0xA69F | 0xA720..=0xA7FF | 0xAB30..=0xAB6F | 0xFB00..=0xFB06 | 0xFF21..=0xFF5A
    );
    c.is_alphabetic() && !listed
}

/// Tells whether `new` has more of something than `old`.
fn adds(old: &BTreeMap<String, usize>, new: &BTreeMap<String, usize>) -> bool {
    new.iter().any(|(limit, times)| old.get(limit).is_none_or(|held| held < times))
}

/// Returns the words of a text in order, as they are spelled; a clause end is an empty item.
fn spelled(pieces: &[Piece]) -> Vec<String> {
    pieces.iter().flat_map(spelling).collect()
}

/// Returns the words of a text in order, articles left out; a clause end is an empty item.
fn line(pieces: &[Piece]) -> Vec<String> {
    let kept = pieces.iter().enumerate().filter(|(at, piece)| match piece {
        Piece::Word(word) => !is_article(pieces, *at, word),
        _ => true,
    });
    kept.flat_map(|(_, piece)| spelling(piece)).collect()
}

fn spelling(piece: &Piece) -> Vec<String> {
    match piece {
        Piece::Word(word) => vec![word.written.clone()],
        Piece::Symbol(symbol) => vec![symbol.to_string()],
        Piece::Code(code) => vec![format!("`{code}`")],
        Piece::Run(run) => run.chars().map(String::from).collect(),
        Piece::Stop(_) => vec![String::new()],
    }
}

fn is_article(pieces: &[Piece], at: usize, word: &Word) -> bool {
    ARTICLES.contains(&word.folded.as_str()) && !word.capitals && !counts(pieces, at)
}

/// Tells whether the words of `old` stand in `new` in the same order, with others between
/// them or not.
fn in_order(old: &[String], new: &[String]) -> bool {
    let mut rest = new.iter();
    old.iter().filter(|item| !item.is_empty()).all(|item| rest.any(|other| other == item))
}

/// Counts the limits of a text with the words on both sides of them, which they must not
/// leave: "staging only" is not "production only".
fn bindings(pieces: &[Piece]) -> BTreeMap<String, usize> {
    let line = line(pieces);
    let mut bindings = BTreeMap::new();
    for (at, item) in line.iter().enumerate() {
        if is_limit(&fold(item)) {
            let before = at.checked_sub(1).map_or("", |before| line[before].as_str());
            let behind = line.get(at + 1).map_or("", String::as_str);
            *bindings.entry(format!("{before} {item} {behind}")).or_insert(0_usize) += 1;
        }
    }
    bindings
}

#[cfg(test)]
mod tests;
