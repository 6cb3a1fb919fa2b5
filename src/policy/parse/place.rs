//! Where in a JSON text an element or a field stands.
//!
//! The JSON reader gives values without positions, and a refused file has to name a line.
//! This looks the line up afterwards, in a text that is known to be JSON, so it need not
//! check anything.

/// Where one object of the text stands.
#[derive(Debug, Default)]
pub(super) struct Place {
    line: usize,
    fields: Vec<(String, usize)>,
}

impl Place {
    /// Returns the line of a field, else that of the object.
    pub(super) fn line(&self, field: Option<&str>) -> usize {
        let named = field.and_then(|field| self.fields.iter().find(|(name, _)| name == field));
        named.map_or(self.line, |(_, line)| *line)
    }
}

/// Returns the places of the elements of a top-level array, or that of the one top-level value.
pub(super) fn elements(text: &str) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let (mut line, mut depth) = (1, 0_usize);
    // The depth at which elements stand: inside the brackets of a top-level array.
    let top = usize::from(text.trim_start().starts_with('['));
    // What the last character of the grammar was: a string after `{` or `,` is a key, and
    // so is none after `:`.
    let mut last = '[';
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\n' {
            line += 1;
        }
        if c.is_whitespace() {
            continue;
        }
        let opens_element = depth == top && !matches!(c, ',' | ']' | '[') && matches!(last, '[' | ',');
        if opens_element {
            places.push(Place { line, fields: Vec::new() });
        }
        match c {
            '"' => {
                let text = string(&mut chars);
                if depth == top + 1
                    && matches!(last, '{' | ',')
                    && let Some(place) = places.last_mut()
                {
                    place.fields.push((text, line));
                }
            }
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        last = c;
    }
    places
}

/// Reads on to the closing quote and returns what stands before it, escapes as written.
fn string(chars: &mut std::str::Chars<'_>) -> String {
    let mut text = String::new();
    let mut escaped = false;
    for c in chars {
        match c {
            '"' if !escaped => break,
            _ => escaped = c == '\\' && !escaped,
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_elements_have_their_lines() {
        let text = "[\n  {\"name\": \"a, {\\\" [\",\n   \"aliases\": [\"x\",\n \"y\"],\n   \"multi\": true},\n\n  7,\n  {\n \"name\": \"b\"}]";
        let places = elements(text);
        assert_eq!(places.len(), 3);
        assert_eq!(places[0].line(None), 2);
        assert_eq!(places[0].line(Some("multi")), 5);
        assert_eq!(places[0].line(Some("x")), 2, "an array's text is no field");
        assert_eq!(places[1].line(None), 7);
        assert_eq!(places[2].line(Some("name")), 9);
    }

    #[test]
    fn a_lone_object_is_the_one_element() {
        let places = elements("\n{\"a\": {\"b\": 1},\n\"c\": 2}");
        assert_eq!(places.len(), 1);
        assert_eq!((places[0].line(Some("c")), places[0].line(Some("b"))), (3, 2));
    }

    #[test]
    fn what_is_no_json_does_no_harm() {
        for text in ["", "]", "}}{", "\"", "\"\\", "[[[", ",,,"] {
            let _ = elements(text).iter().map(|place| place.line(Some("x"))).sum::<usize>();
        }
        assert!(elements("").is_empty());
    }
}
