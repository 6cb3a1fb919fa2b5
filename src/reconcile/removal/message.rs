//! A message as words and clause ends, with the namings of one value taken out.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::words::{ABBREVIATIONS, CLAUSE_WORDS, HEDGE, REMOVAL, SARCASM};
use crate::identity::fold;

/// One piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word, case-folded, with plain apostrophes.
    Word(String),
    /// The value.
    Value,
    /// The end of a clause.
    End,
    /// The end of a clause that asks.
    Question,
    /// A full stop that may or may not end a clause.
    Doubtful,
}

/// A message, read for one value.
#[derive(Debug)]
pub(super) struct Message {
    tokens: Vec<Token>,
}

impl Message {
    /// Reads a message; `value` is found whatever its case and white space, on word boundaries.
    pub(super) fn read(raw: &str, value: &str) -> Self {
        let text = raw.split(is_line_break).map(plain).collect::<Vec<_>>().join("\n");
        let mut reader = Reader::new(&text, plain(value));
        reader.read();
        Self { tokens: reader.tokens }
    }

    /// Returns all of the message.
    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Returns the clause around a token, at its narrowest.
    pub(super) fn clause(&self, at: usize) -> Range<usize> {
        self.bounded(at, |token| ends_clause(token) || *token == Token::Doubtful)
    }

    /// Returns the clause around a token, at its widest.
    pub(super) fn reach(&self, at: usize) -> Range<usize> {
        self.bounded(at, ends_clause)
    }

    fn bounded(&self, at: usize, ends: impl Fn(&Token) -> bool) -> Range<usize> {
        let start = self.tokens[..at].iter().rposition(&ends).map_or(0, |end| end + 1);
        let end = self.tokens[at..].iter().position(&ends).map_or(self.tokens.len(), |end| at + end);
        start..end
    }
}

fn ends_clause(token: &Token) -> bool {
    match token {
        Token::End | Token::Question => true,
        Token::Word(word) => CLAUSE_WORDS.contains(&word.as_str()),
        Token::Value | Token::Doubtful => false,
    }
}

/// Returns text as it is compared: case-folded, apostrophes plain, white space collapsed.
fn plain(text: &str) -> String {
    fold(&text.replace(['’', '‘', 'ʼ', '＇', '`', '´'], "'"))
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_combining_mark(c)
}

/// Tells whether a character joins what stands on both sides of it to one name.
fn joins(c: char) -> bool {
    matches!(c, '-' | '.' | '\'' | '/' | '\\' | '@' | ':' | '+' | '#' | '&' | '=' | '~' | '‐' | '‑' | '·')
}

struct Reader {
    /// The characters of the text, and the byte each begins at.
    chars: Vec<char>,
    places: Vec<usize>,
    /// The text with its lines joined, because a value may be broken over two.
    joined: String,
    value: String,
    /// The first and last character of the value, and how many it has.
    ends: Option<(char, char, usize)>,
    /// The byte where the value is written next, if it is.
    next: Option<usize>,
    at: usize,
    tokens: Vec<Token>,
}

impl Reader {
    fn new(text: &str, value: String) -> Self {
        let ends = value.chars().next().zip(value.chars().next_back());
        let joined = text.replace('\n', " ");
        Self {
            chars: text.chars().collect(),
            places: text.char_indices().map(|(place, _)| place).collect(),
            next: ends.and_then(|_| joined.find(&value)),
            joined,
            ends: ends.map(|(first, last)| (first, last, value.chars().count())),
            value,
            at: 0,
            tokens: Vec::new(),
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn before(&self, back: usize) -> Option<char> {
        self.at.checked_sub(back).map(|at| self.chars[at])
    }

    fn is_word_at(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(is_word)
    }

    fn read(&mut self) {
        while let Some(c) = self.peek(0) {
            if let Some(length) = self.naming() {
                self.tokens.push(Token::Value);
                self.at += length;
            } else if is_word(c) {
                self.word();
            } else {
                self.mark(c);
                self.at += 1;
            }
        }
    }

    /// Returns the length of the value, if it is named here as a whole name.
    fn naming(&mut self) -> Option<usize> {
        let (first, last, length) = self.ends?;
        let here = *self.places.get(self.at)?;
        if self.next? < here {
            let found = self.joined[here..].find(&self.value);
            self.next = found.map(|found| here + found);
        }
        let named = self.next? == here && self.free_before(first) && self.free_behind(length, last);
        named.then_some(length)
    }

    fn free_before(&self, first: char) -> bool {
        match self.before(1) {
            Some(c) if is_word(c) => !is_word(first),
            // A sign belongs to its number: $5 and -5 are not 5.
            Some('-' | '+' | '#' | '$' | '€' | '£' | '@' | '~') if is_word(first) => false,
            Some(c) if joins(c) && is_word(first) => !self.before(2).is_some_and(is_word),
            None | Some(_) => true,
        }
    }

    fn free_behind(&self, length: usize, last: char) -> bool {
        match self.peek(length) {
            Some(c) if is_combining_mark(c) => false,
            Some(c) if is_word(c) => !is_word(last),
            // C is neither C++ nor C#, and 5 is not 5%.
            Some('+' | '#' | '%' | '°') if is_word(last) => false,
            Some(c) if (joins(c) || c == ',') && is_word(last) => {
                let digits =
                    c == ',' && !(last.is_numeric() && self.peek(length + 1).is_some_and(char::is_numeric));
                digits || !self.is_word_at(length + 1)
            }
            None | Some(_) => true,
        }
    }

    /// Takes a word, with apostrophes and hyphens inside it. A compound counts as its
    /// parts only where the rule's own phrases are so written ("phased-out"):
    /// "left-handed" has nothing to do with leaving.
    fn word(&mut self) {
        let mut word = String::new();
        while let Some(c) = self.peek(0) {
            let inside = matches!(c, '\'' | '-' | '‐' | '‑') && !word.is_empty() && self.is_word_at(1);
            if !is_word(c) && !inside || (!word.is_empty() && self.naming().is_some()) {
                break;
            }
            word.push(if c == '‐' || c == '‑' { '-' } else { c });
            self.at += 1;
        }
        let spaced = word.replace('-', " ");
        let phrases = REMOVAL
            .iter()
            .map(|(phrase, _)| *phrase)
            .chain(HEDGE.iter().copied())
            .chain(SARCASM.iter().copied());
        if spaced != word && phrases.into_iter().any(|phrase| phrase == spaced) {
            self.tokens.extend(spaced.split(' ').map(|part| Token::Word(part.to_owned())));
        } else {
            self.tokens.push(Token::Word(word));
        }
    }

    fn mark(&mut self, c: char) {
        let token = match c {
            '🙄' => Token::Word("🙄".to_owned()),
            '/' if self.is_sarcasm_slash() => {
                self.at += 1;
                Token::Word("/s".to_owned())
            }
            ',' if self.before(1).is_some_and(char::is_numeric)
                && self.peek(1).is_some_and(char::is_numeric) =>
            {
                return;
            }
            '?' | '？' | '؟' | '⸮' | '⁇' | '⁈' | '⁉' | '‽' => Token::Question,
            ',' | ';' | '!' | '\n' | '…' | '，' | '、' | '；' | '。' | '！' | '،' | '؛' | '۔' | '।' => {
                Token::End
            }
            '.' => match self.full_stop() {
                Some(token) => token,
                None => return,
            },
            _ => return,
        };
        // "?!" asks, "!?" too, and "..." ends once.
        match (self.tokens.last_mut(), &token) {
            (Some(last @ Token::End), Token::Question) => *last = token,
            (Some(Token::End), Token::End) | (Some(Token::Question), Token::End | Token::Question) => {}
            _ => self.tokens.push(token),
        }
    }

    /// Tells whether `/s` stands here as a word of its own, and not in a path or a unit.
    fn is_sarcasm_slash(&self) -> bool {
        let own = self.before(1).is_none_or(|c| !is_word(c) && !joins(c));
        let joined = self.peek(2).is_some_and(joins) && self.is_word_at(3);
        own && self.peek(1) == Some('s') && !self.is_word_at(2) && !joined && self.peek(2) != Some('/')
    }

    /// Judges a full stop: an end, a doubtful one, or none.
    fn full_stop(&self) -> Option<Token> {
        let Some(next) = self.peek(1).filter(|&c| is_word(c)) else {
            let word = match self.tokens.last() {
                Some(Token::Word(word)) if self.before(1).is_some_and(is_word) => word.as_str(),
                _ => return Some(Token::End),
            };
            return if ABBREVIATIONS
                .iter()
                .any(|known| *known == word || known.rsplit('.').next() == Some(word) && self.is_dotted())
            {
                None
            } else if word.chars().count() == 1 && word.chars().all(char::is_alphabetic) {
                // An initial ("R. Vane") or the end of "plan B."
                Some(Token::Doubtful)
            } else {
                Some(Token::End)
            };
        };
        let previous = self.before(1);
        if next.is_numeric()
            || previous.is_some_and(char::is_numeric)
            || self.is_dotted()
            || self.peek(2) == Some('.')
        {
            // v2.1, 3.5, e.g.
            None
        } else {
            // config.yaml, or a space forgotten behind a sentence.
            Some(Token::Doubtful)
        }
    }

    /// Tells whether the letter before a full stop has one before it as well, as in e.g.
    fn is_dotted(&self) -> bool {
        self.before(2) == Some('.') && self.before(1).is_some_and(is_word)
    }
}
