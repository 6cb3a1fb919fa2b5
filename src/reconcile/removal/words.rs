//! The word lists of rule 5.5, all of them, as data.
//!
//! Sources: [`REMOVAL`], [`HEDGE`], [`SARCASM`], [`CHANGE`], [`CLAUSE_WORDS`] and the
//! first words of [`CANCEL`] are those of the rule, word for word. Everything else only
//! ever takes a removal away, never adds one: to keep a value that has gone is visible
//! and is put right by the next claim, to end one that still holds is silent. Written
//! case-folded, with plain apostrophes.

/// How a removal phrase stands to the thing that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// Somebody does it to the thing: "dropped X".
    Act,
    /// As `Act`, but the one who goes may stand before it as well: "X left the firm".
    Leave,
    /// It is said of the thing: "X is gone", "no longer X".
    State,
}

use Sense::{Act, Leave, State};

/// Definite removal language.
pub(super) const REMOVAL: &[(&str, Sense)] = &[
    ("no longer", State),
    ("dropped", Act),
    ("stopped using", Act),
    ("stopped supporting", Act),
    ("got rid of", Act),
    ("removed", Act),
    ("is gone", State),
    ("are gone", State),
    ("discontinued", Act),
    ("decommissioned", Act),
    ("sunset", Act),
    ("retired", Act),
    ("don't use", State),
    ("do not use", State),
    ("no more", State),
    ("deprecated", Act),
    ("shut down", Act),
    ("turned off", Act),
    ("cancelled", Act),
    ("canceled", Act),
    ("quit", Leave),
    ("left", Leave),
    ("scrapped", Act),
    ("killed", Act),
    ("phased out", Act),
    ("moved off", Act),
    ("tore out", Act),
];

/// Removal phrases whose parts may stand on both sides of the thing: "turned X off",
/// "tore X out". Not "moved X off", which moves X.
pub(super) const SEPARABLE: &[&str] = &["shut down", "turned off", "phased out", "tore out"];

/// What makes a message less than definite, wherever in it the words stand.
#[rustfmt::skip]
pub(super) const HEDGE: &[&str] = &[
    "what if", "should we", "considering", "thinking about", "maybe", "might", "could",
    "hypothetically", "not sure", "wondering", "proposal",
];

/// What makes a message mean its opposite, wherever in it the words stand.
pub(super) const SARCASM: &[&str] = &["🙄", "oh sure", "yeah right", "just kidding", "/s", "lol", "as if"];

/// Words of a change, by which a second value in a turn is no rival of the first.
#[rustfmt::skip]
pub(super) const CHANGE: &[&str] = &[
    "now", "no longer", "switched", "moved", "changed", "upgraded", "replaced", "instead", "became",
    "no wait", "actually", "make that", "then",
];

/// Words that end a clause, as , ; . ! ? do.
pub(super) const CLAUSE_WORDS: &[&str] = &["but", "and", "while", "though"];

/// What cancels a marker behind it in its clause, besides words that end in n't. The rule
/// names the first two; the others deny, suppose or wish just as well.
#[rustfmt::skip]
pub(super) const CANCEL: &[&str] = &[
    "not", "never", "cannot", "nobody", "nothing", "none", "neither", "nor", "no one", "almost",
    "nearly", "if", "unless", "whether", "until", "till", "suppose", "supposing", "should", "would",
];

/// Negations written without their apostrophe, as people type them.
#[rustfmt::skip]
pub(super) const BARE_NEGATIONS: &[&str] = &[
    "aint", "arent", "cant", "couldnt", "didnt", "doesnt", "dont", "hadnt", "hasnt", "havent",
    "isnt", "shouldnt", "wasnt", "werent", "wont", "wouldnt",
];

/// What takes a removal back when it follows.
pub(super) const TAKEN_BACK: &[&str] = &["no wait", "scratch that"];

/// Phrases that hold a removal phrase and remove nothing; `{}` stands for the value. The
/// rule names the first; "no longer than" is a bound of the same kind, what is left
/// remains, and what is left running runs.
#[rustfmt::skip]
pub(super) const NO_REMOVAL: &[&str] = &[
    "no more than", "no longer than", "no more or", "dropped to", "dropped in", "dropped off",
    "is left", "are left", "was left", "were left", "the left", "on left", "to left", "turn left",
    "turned left", "left side", "left hand", "left of", "left over", "left alone", "left unchanged",
    "left running", "left {} alone", "left {} as", "left {} enabled", "left {} in place",
    "left {} on", "left {} open", "left {} running", "left {} unchanged", "left {} untouched",
    "at sunset", "after sunset", "before sunset", "by sunset", "until sunset", "the sunset",
];

/// Words directly before a value that is what came, not what went.
#[rustfmt::skip]
pub(super) const REPLACED_BY: &[&str] = &[
    "in favour of", "in favor of", "replaced by", "replaced with", "changed to", "migrated to",
    "moved to", "switched to", "upgraded to", "went to",
];

/// Words directly behind a value that is what came, not what went.
pub(super) const REPLACES: &[&str] =
    &["replaced", "replaces", "succeeded", "succeeds", "supersedes", "superseded", "takes over", "took over"];

/// Prepositions by which a value behind the thing removed is something else: "dropped
/// Pagerly for Bellboy", "removed a bug in Kestrel".
pub(super) const ASIDE: &[&str] =
    &["at", "by", "for", "from", "in", "into", "on", "onto", "over", "through", "to", "under", "via", "with"];

/// Things that are removed by being given up: "dropped support for Kestrel" removes Kestrel.
#[rustfmt::skip]
pub(super) const HOLDINGS: &[&str] = &[
    "access", "account", "contract", "dependency", "job", "licence", "license", "membership",
    "need", "order", "subscription", "support",
];

/// Determiners, which change nothing between a preposition and its noun, and begin the
/// object of an act.
#[rustfmt::skip]
pub(super) const DETERMINERS: &[&str] = &[
    "a", "all", "an", "any", "her", "his", "its", "my", "our", "some", "that", "the", "their",
    "these", "this", "those", "your",
];

/// Words that may stand between a value and its act: "Kestrel has finally dropped the fee".
pub(super) const BEFORE_ACT: &[&str] =
    &["also", "finally", "had", "has", "have", "just", "recently", "since"];

/// Titles and abbreviations whose full stop never ends a sentence.
pub(super) const ABBREVIATIONS: &[&str] =
    &["approx", "capt", "dr", "e.g", "gen", "i.e", "mr", "mrs", "ms", "prof", "rev", "vs"];
