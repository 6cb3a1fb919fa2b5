//! A sentence as pieces: words, symbols, runs of unspaced script, stops.
//!
//! Nothing but white space, quotes, brackets and invisible characters is left out, so
//! that no content is lost before it can be compared.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::words::CONTRACTIONS;
use crate::identity::fold;

/// One piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A word, number, identifier, path or address.
    Word(Word),
    /// A character that is neither letter, digit nor punctuation: an operator, an arrow, an emoji.
    Symbol(char),
    /// A code span, its white space collapsed; case counts in code.
    Code(String),
    /// Letters of a script that is written without spaces.
    Run(String),
    /// Punctuation that parts clauses.
    Stop(char),
}

/// A word as compared and as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Case-folded.
    pub(super) folded: String,
    /// As written where capitals stand inside the word (`userId`, `US`), else case-folded.
    pub(super) written: String,
    /// Whether it is in capitals throughout, two letters at least, or the single letter
    /// `A`: then it is a name and no function word.
    pub(super) capitals: bool,
}

/// Reads a sentence.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let chars: Vec<char> = text.nfc().filter(|&c| !is_invisible(c)).map(plain).collect();
    let mut scanner = Scanner { chars, at: 0, pieces: Vec::new() };
    scanner.run();
    scanner.pieces
}

/// Tells whether a character belongs to a script that is written without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0FFF // Thai, Lao, Tibetan
        | 0x1000..=0x109F // Burmese
        | 0x1780..=0x17FF // Khmer
        | 0x3005..=0x3007 | 0x3040..=0x312F | 0x31F0..=0x31FF // kana, bopomofo
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF // Han
        | 0xFF66..=0xFF9F) // half-width kana
}

/// Returns a character in its plain form: apostrophes and hyphens have many.
fn plain(c: char) -> char {
    match c {
        '’' | '‘' | 'ʼ' | '＇' | '´' => '\'',
        '‐' | '‑' | '−' => '-',
        _ => c,
    }
}

/// Tells whether a character shows nothing: joiners, marks of direction, soft hyphens.
/// They would hide a word from its list.
fn is_invisible(c: char) -> bool {
    matches!(
        u32::from(c),
        0x00AD | 0x061C | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F
        | 0xFE00..=0xFE0F | 0xFEFF | 0xE0000..=0xE0FFF
    )
}

fn is_word(c: char) -> bool {
    (c.is_alphanumeric() || c == '_' || is_combining_mark(c)) && !is_unspaced(c)
}

/// Tells whether a character may stand inside a word: paths, addresses, versions and
/// compounds are kept whole.
fn is_inner(c: char) -> bool {
    is_word(c)
        || matches!(
            c,
            '\'' | '-'
                | '.'
                | '/'
                | '\\'
                | ':'
                | '@'
                | '#'
                | '+'
                | '='
                | '%'
                | '&'
                | '*'
                | '~'
                | '$'
                | '^'
                | '°'
        )
}

/// Tells whether a character may stand at the end of a word and be part of it: `C++`,
/// `C#`, `5%`, `20°`, `src/`.
fn may_end(c: char) -> bool {
    is_word(c) || matches!(c, '+' | '#' | '%' | '°' | '/' | '$')
}

/// Tells whether a word may begin with this mark, directly before a letter or digit:
/// `-v`, `$5`, `#12`, `@mara`, `.env`, `/srv`.
fn may_begin(c: char) -> bool {
    matches!(c, '-' | '+' | '$' | '€' | '£' | '¥' | '#' | '@' | '.' | '/' | '\\' | '~' | '°' | '%')
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    pieces: Vec<Piece>,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn run(&mut self) {
        while let Some(c) = self.peek(0) {
            if c == '`' {
                self.code();
            } else if is_unspaced(c) {
                let run: String =
                    self.chars[self.at..].iter().copied().take_while(|&c| is_unspaced(c)).collect();
                self.at += run.chars().count();
                self.pieces.push(Piece::Run(fold(&run)));
            } else if is_word(c) || self.begins_with_mark() {
                self.word();
            } else {
                self.mark(c);
                self.at += 1;
            }
        }
    }

    /// Takes a code span, or the backticks alone if no run as long closes them.
    fn code(&mut self) {
        let ticks = self.chars[self.at..].iter().take_while(|&&c| c == '`').count();
        let inner = self.at + ticks;
        let mut end = inner;
        while end < self.chars.len() {
            let here = self.chars[end..].iter().take_while(|&&c| c == '`').count();
            if here == ticks {
                let code: String = self.chars[inner..end].iter().collect();
                let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
                if !code.is_empty() {
                    self.pieces.push(Piece::Code(code));
                }
                self.at = end + ticks;
                return;
            }
            end += here.max(1);
        }
        self.at = inner;
    }

    /// Tells whether one or two marks here lead a word: `-v`, `--force`, `~/bin`, `../x`, `-$5`.
    fn begins_with_mark(&self) -> bool {
        if self.at > 0 && is_inner(self.chars[self.at - 1]) {
            return false;
        }
        let ahead = self.chars[self.at..].iter().take(4);
        let marks = ahead.take_while(|&&c| may_begin(c)).count();
        (1..=3).contains(&marks) && self.peek(marks).is_some_and(is_word)
    }

    fn word(&mut self) {
        let start = self.at;
        let mut address = false;
        while let Some(c) = self.peek(0) {
            let number_comma = c == ','
                && self.at > start
                && self.chars[self.at - 1].is_numeric()
                && self.peek(1).is_some_and(char::is_numeric);
            let in_address =
                address && !c.is_whitespace() && !matches!(c, '<' | '>' | '"' | '`') && !is_unspaced(c);
            if !(is_inner(c) || may_begin(c) || number_comma || in_address) {
                break;
            }
            address |= c == '/' && self.at >= start + 2 && self.chars[self.at - 2..self.at] == [':', '/'];
            self.at += 1;
        }
        while self.at > start + 1 && !may_end(self.chars[self.at - 1]) && !self.ends_glob(start) {
            self.at -= 1;
        }
        let written: String = self.chars[start..self.at].iter().collect();
        self.push(&written);
    }

    /// Tells whether the word so far ends in a wildcard behind a separator: `src/*`.
    /// Other stars are emphasis.
    fn ends_glob(&self, start: usize) -> bool {
        self.at >= start + 2
            && self.chars[self.at - 1] == '*'
            && matches!(self.chars[self.at - 2], '/' | '.' | '*')
    }

    /// Adds a word, contractions written out and a possessive taken off.
    fn push(&mut self, written: &str) {
        let folded = fold(written);
        let parts: Vec<String> =
            if let Some((_, stem)) = CONTRACTIONS.iter().find(|(short, _)| *short == folded) {
                vec![(*stem).to_owned(), "not".to_owned()]
            } else if let Some(stem) = folded.strip_suffix("n't") {
                vec![stem.to_owned(), "not".to_owned()]
            } else if let Some(stem) = folded.strip_suffix("'ll") {
                vec![stem.to_owned(), "will".to_owned()]
            } else if let Some(stem) = folded.strip_suffix("'d") {
                vec![stem.to_owned(), "would".to_owned()]
            } else {
                let cut = ["'s", "'re", "'ve", "'m"]
                    .into_iter()
                    .find(|suffix| folded.ends_with(suffix))
                    .map_or(0, str::len);
                let stem = written
                    .get(..written.len().saturating_sub(cut))
                    .filter(|stem| !stem.is_empty())
                    .unwrap_or(written);
                self.pieces.push(Piece::Word(Word {
                    folded: fold(stem),
                    written: if has_inner_capital(stem) { stem.to_owned() } else { fold(stem) },
                    capitals: is_capitals(stem),
                }));
                return;
            };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            self.pieces.push(Piece::Word(Word { folded: part.clone(), written: part, capitals: false }));
        }
    }

    fn mark(&mut self, c: char) {
        match c {
            ',' | ';' | ':' | '.' | '!' | '(' | ')' | '[' | ']' | '{' | '}' | '–' | '—' | '…' | '，'
            | '、' | '；' | '：' | '。' | '！' | '،' | '؛' | '۔' | '।' => {
                self.pieces.push(Piece::Stop(c));
            }
            '?' | '？' | '؟' => self.pieces.push(Piece::Stop('?')),
            '"' | '\'' | '“' | '”' | '„' | '«' | '»' | '‹' | '›' | '「' | '」' | '『' | '』' | '`' | '*'
            | '-' | '•' | '¿' | '¡' => {}
            _ if c.is_whitespace() || c.is_control() => {}
            _ => self.pieces.push(Piece::Symbol(c)),
        }
    }
}

fn has_inner_capital(word: &str) -> bool {
    word.chars().filter(|c| c.is_alphanumeric()).skip(1).any(char::is_uppercase)
}

fn is_capitals(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| c.is_alphabetic());
    let all = letters.clone().all(char::is_uppercase);
    all && (letters.clone().count() > 1 || letters.next() == Some('A'))
}
