//! Rule 5.5: does a message say that a value is gone?
//!
//! The message is read as words, clause by clause, with every naming of the value taken
//! out first, so that "Retired Ltd" is no marker. A removal needs a marker in the clause
//! that names the value, and nothing that cancels it. Where the rule leaves a choice,
//! this keeps:
//!
//! * a hedge or a sarcasm marker anywhere in the message blocks, because sarcasm comes
//!   after the fact ("…, yeah right");
//! * of several clauses that name the value the last decides, as the last claim of a turn
//!   does, and a question decides nothing;
//! * a line break ends a clause; a full stop that may or may not end one (`plan B.
//!   Kestrel`) keeps markers out and negations in;
//! * a value that the clause names as what came instead, or beside what went, is not what
//!   went ("dropped Pagerly for Bellboy");
//! * a name joined to more letters by `-`, `.`, `/` or an apostrophe is another name
//!   (`Kestrel-2`, `v2.1`, `Kestrel's`).

mod message;
mod words;

use message::{Message, Token};
use words::{
    ASIDE, BARE_NEGATIONS, BEFORE_ACT, CANCEL, CHANGE, DETERMINERS, HEDGE, HOLDINGS, NO_REMOVAL, REMOVAL,
    REPLACED_BY, REPLACES, SARCASM, SEPARABLE, Sense, TAKEN_BACK,
};

/// Tells whether a message says for certain that `value` is gone.
///
/// For an item of a list that goes by its head, ask for the head as well. A message that
/// does not name the value says nothing about it.
///
/// # Examples
///
/// ```
/// use hitherto::reconcile::removal::definite_removal;
///
/// assert!(definite_removal("we quit Kestrel and tore it out", "Kestrel"));
/// assert!(!definite_removal("we dropped Pagerly but kept Kestrel", "Kestrel"));
/// assert!(!definite_removal("Kestrel has not been deprecated", "Kestrel"));
/// assert!(!definite_removal("maybe Kestrel was dropped", "Kestrel"));
/// assert!(!definite_removal("sponsor is Retired Ltd", "Retired Ltd"));
/// ```
#[must_use]
pub fn definite_removal(raw: &str, value: &str) -> bool {
    let message = Message::read(raw, value);
    let tokens = message.tokens();
    let Some(named) = tokens.iter().rposition(|token| *token == Token::Value) else {
        return false;
    };
    if says_any(tokens, HEDGE) || says_any(tokens, SARCASM) {
        return false;
    }
    let clause = message.clause(named);
    if tokens.get(clause.end) == Some(&Token::Question) || says_any(&tokens[clause.end..], TAKEN_BACK) {
        return false;
    }
    // The first negation cancels everything behind it, so one look back serves every marker.
    let reach = message.reach(named).start;
    let denied = first_denial(&tokens[reach..clause.end]).map(|end| reach + end);
    let words = &tokens[clause.clone()];
    let at = named - clause.start;
    REMOVAL.iter().any(|&(phrase, sense)| {
        markers(words, phrase).any(|marker| {
            denied.is_none_or(|denied| clause.start + marker.start < denied)
                && !excepted(words, marker)
                && about(words, at, marker, sense)
        })
    })
}

/// Tells whether a message is worded as a change, so that its value takes the place of
/// another of the same turn.
///
/// # Examples
///
/// ```
/// use hitherto::reconcile::removal::worded_as_change;
///
/// assert!(worded_as_change("Seed, no wait, Grove", "Grove"));
/// assert!(!worded_as_change("they know Grove", "Grove"));
/// assert!(!worded_as_change("the shop is Now & Then", "Now & Then"));
/// ```
#[must_use]
pub fn worded_as_change(raw: &str, value: &str) -> bool {
    says_any(Message::read(raw, value).tokens(), CHANGE)
}

/// Where a removal phrase stands among the words of a clause.
#[derive(Clone, Copy, Debug)]
struct Marker {
    start: usize,
    end: usize,
}

/// Tells whether one of the phrases is said, whatever stops stand between its words ("oh, sure").
fn says_any(tokens: &[Token], phrases: &[&str]) -> bool {
    let said: Vec<&Token> =
        tokens.iter().filter(|token| matches!(token, Token::Word(_) | Token::Value)).collect();
    phrases
        .iter()
        .any(|phrase| (0..said.len()).any(|at| phrase_end(phrase, said[at..].iter().copied()).is_some()))
}

/// Returns how many tokens the phrase takes up, if they begin with it; `{}` in it stands
/// for the value.
fn phrase_end<'a>(phrase: &str, mut tokens: impl Iterator<Item = &'a Token>) -> Option<usize> {
    let mut taken = 0;
    for part in phrase.split(' ') {
        let fits = match tokens.next()? {
            Token::Word(word) => word == part,
            Token::Value => part == "{}",
            Token::End | Token::Question | Token::Doubtful => false,
        };
        if !fits {
            return None;
        }
        taken += 1;
    }
    Some(taken)
}

fn begins(tokens: &[Token], phrase: &str) -> Option<usize> {
    phrase_end(phrase, tokens.iter())
}

fn ends(tokens: &[Token], phrase: &str) -> bool {
    let parts = phrase.split(' ').count();
    tokens.len() >= parts && begins(&tokens[tokens.len() - parts..], phrase).is_some()
}

/// Returns every place of a removal phrase in a clause.
fn markers(clause: &[Token], phrase: &'static str) -> impl Iterator<Item = Marker> {
    (0..clause.len()).filter_map(move |start| {
        let taken = begins(&clause[start..], phrase).or_else(|| begins_apart(&clause[start..], phrase))?;
        Some(Marker { start, end: start + taken })
    })
}

/// Returns how many tokens a separable phrase takes up around the value, a determiner
/// before it or not.
fn begins_apart(tokens: &[Token], phrase: &str) -> Option<usize> {
    let (first, last) = phrase.split_once(' ').filter(|_| SEPARABLE.contains(&phrase))?;
    let rest = &tokens[begins(tokens, first)?..];
    let skipped = rest.iter().take_while(|token| is_one_of(token, DETERMINERS)).count();
    let apart =
        matches!(rest.get(skipped), Some(Token::Value)) && begins(&rest[skipped + 1..], last).is_some();
    apart.then_some(skipped + 3)
}

/// Tells whether a marker is part of a phrase that removes nothing.
fn excepted(clause: &[Token], marker: Marker) -> bool {
    NO_REMOVAL.iter().any(|phrase| {
        let longest = phrase.split(' ').count();
        (marker.start.saturating_sub(longest)..=marker.start)
            .any(|start| begins(&clause[start..], phrase).is_some_and(|taken| start + taken >= marker.end))
    })
}

/// Returns where the first negation or supposition ends.
fn first_denial(tokens: &[Token]) -> Option<usize> {
    (0..tokens.len()).find_map(|at| match &tokens[at] {
        Token::Word(word) if word.ends_with("n't") => Some(at + 1),
        Token::Word(word) if BARE_NEGATIONS.contains(&word.as_str()) => Some(at + 1),
        _ => {
            let denials = CANCEL.iter().filter_map(|phrase| begins(&tokens[at..], phrase));
            denials.min().map(|taken| at + taken)
        }
    })
}

/// Tells whether it is the value that a marker speaks about.
fn about(clause: &[Token], value: usize, marker: Marker, sense: Sense) -> bool {
    let before = without_determiners(&clause[..value]);
    let behind = &clause[value + 1..];
    if REPLACED_BY.iter().any(|phrase| ends(before, phrase))
        || REPLACES.iter().any(|phrase| begins(behind, phrase).is_some())
    {
        return false;
    }
    match sense {
        Sense::State => true,
        Sense::Act if value < marker.start => !acts(&clause[value + 1..marker.start], &clause[marker.end..]),
        Sense::Act | Sense::Leave => value < marker.end || !aside(&before[marker.end.min(before.len())..]),
    }
}

/// Tells whether the value before an act is the one who does it: "Kestrel dropped the fee".
fn acts(between: &[Token], behind: &[Token]) -> bool {
    between.iter().all(|token| is_one_of(token, BEFORE_ACT))
        && behind.first().is_some_and(|token| is_one_of(token, DETERMINERS))
}

/// Tells whether the words between an act and the value name another thing and set the
/// value beside it.
fn aside(between: &[Token]) -> bool {
    let Some((preposition, object)) = between.split_last() else {
        return false;
    };
    // "dropped to 4" has no object: it is the new value all the same, and an exception of its own.
    is_one_of(preposition, ASIDE)
        && without_leading_determiners(object).last().is_some_and(|token| !is_one_of(token, HOLDINGS))
}

fn without_determiners(mut tokens: &[Token]) -> &[Token] {
    while let [rest @ .., last] = tokens
        && is_one_of(last, DETERMINERS)
    {
        tokens = rest;
    }
    tokens
}

fn without_leading_determiners(mut tokens: &[Token]) -> &[Token] {
    while let [first, rest @ ..] = tokens
        && is_one_of(first, DETERMINERS)
    {
        tokens = rest;
    }
    tokens
}

fn is_one_of(token: &Token, words: &[&str]) -> bool {
    matches!(token, Token::Word(word) if words.contains(&word.as_str()))
}

#[cfg(test)]
mod tests;
