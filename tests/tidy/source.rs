//! Source files, and what of them is code.

/// A file of the repository.
pub(crate) struct Source {
    /// Its path from the top, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The text with comments and what is between quotes blanked out, line by line as before.
    pub(crate) code: String,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned(), code: code(text) }
    }

    pub(crate) fn is_in(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }

    /// The module of the library it belongs to: the first part of its path in `src/`.
    pub(crate) fn module(&self) -> Option<&str> {
        let first = self.path.strip_prefix("src/")?.split('/').next()?;
        Some(first.strip_suffix(".rs").unwrap_or(first)).filter(|module| !matches!(*module, "lib" | "main"))
    }

    /// Where in the code these words stand, as words.
    pub(crate) fn finds(&self, words: &str) -> Vec<String> {
        let places = places(&self.code, words);
        places.into_iter().map(|place| format!("{}:{} has {words}", self.path, self.line(place))).collect()
    }

    pub(crate) fn line(&self, place: usize) -> usize {
        1 + self.code[..place].matches('\n').count()
    }
}

/// Where words stand that are no part of a longer word.
pub(crate) fn places(code: &str, words: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let begins_word = words.starts_with(is_word);
    let ends_word = words.ends_with(is_word);
    let stands_alone = |place: &usize| {
        let before = code[..*place].chars().next_back();
        let after = code[*place + words.len()..].chars().next();
        !(begins_word && before.is_some_and(is_word) || ends_word && after.is_some_and(is_word))
    };
    code.match_indices(words).map(|(place, _)| place).filter(stands_alone).collect()
}

/// Blanks out comments and what is between quotes.
fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let skipped = skipped(rest, &code);
        let length = if skipped == 0 { next.len_utf8() } else { skipped };
        let (part, after) = rest.split_at(length);
        if skipped == 0 {
            code.push_str(part);
        } else {
            code.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    code
}

/// How many bytes at the head of the text are a comment or a literal.
fn skipped(rest: &str, before: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    let is_in_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if let Some(raw) = rest.strip_prefix('r').filter(|_| !is_in_word || before.ends_with('b')) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let body = hashes + 1;
            return raw[body..].find(&close).map_or(rest.len(), |end| 1 + body + end + close.len());
        }
    }
    let quote = match rest.chars().next() {
        Some('"') => '"',
        // A character, not a lifetime: `'x'` or `'\…'`.
        Some('\'') if rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'') => '\'',
        _ => return 0,
    };
    let mut is_escaped = false;
    for (place, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return place + 1,
            _ => {}
        }
    }
    rest.len()
}

#[test]
fn what_is_between_quotes_or_in_a_comment_is_not_code() {
    let text = "a \"b // \\\" c\" d // e\nf r#\"g \" h\"# i 'j' '\\'' k<'l> /* m\nn */ o";
    let words: Vec<String> = code(text).split_whitespace().map(str::to_owned).collect();
    assert_eq!(words, ["a", "d", "f", "i", "k<'l>", "o"]);
    assert_eq!(code(text).matches('\n').count(), 2, "lines keep their numbers");
    assert_eq!(places("async asynchronous _async a.async()", "async"), [0, 28]);
}
