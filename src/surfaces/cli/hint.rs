//! What to try next, for people. The library knows nothing of it.

use serde_json::{Value as Json, json};

use super::entity::Entity;
use super::sight::items;
use crate::Graph;
use crate::identity::{EntityType, Folding};
use crate::surfaces::respond;

/// How alike two names are when one may be meant for the other: near enough for
/// a slip of the finger, far enough not to guess (as for operations).
const ALIKE: f64 = 0.8;
/// How many names are looked through for a near one.
const LOOKED_THROUGH: u64 = 5_000;

/// Returns what to try after an error of a code.
pub(super) fn of_code(code: &str, store: &str) -> Vec<String> {
    let store = quoted(store);
    let hints: &[&str] = match code {
        "store_missing" => {
            return vec![
                format!("hitherto --store {store} init"),
                "hitherto demo makes a small store to look at".to_owned(),
            ];
        }
        "not_a_store" => &["name a directory that is empty, or not there yet"],
        "store_held" => &[
            "one process has a store open at a time: end the other, or send it the request as a line of its `hitherto exec`",
        ],
        "store_newer" => &["open it with the version that wrote it, or a later one"],
        "store_corrupt" => &["restore it from an export: hitherto --store NEW import --format export FILE"],
        "known_at_not_after" => &["known time only goes forward: leave --known-at out, or name a later one"],
        "unresolved_subject" => &["say what it is: person/NAME, organisation/NAME, project/NAME, …"],
        "ambiguous_subject" => &["say which one you mean by its type: person/NAME"],
        "scope_invalid" => &["a scope is a path: /, /org/acme, /org/acme/user/alice"],
        "cursor_invalid" => &["take the cursor that the answer before gave, and the same command"],
        "id_unknown" => &[
            "ids are shown by `hitherto history`, `pending` and `uncertainties`; `stats` counts the transactions",
        ],
        "number_inexact" => &["--text takes the value as it is written"],
        "choice_unknown" => &["choose the fact of one side, `neither` or `dismiss`"],
        _ => &[],
    };
    hints.iter().map(|hint| (*hint).to_owned()).collect()
}

/// Returns what was perhaps meant where nothing was found.
pub(super) async fn of_nothing(graph: &Graph, entity: &Entity, key: Option<&str>) -> Vec<String> {
    let mut hints = Vec::new();
    hints.extend(entity.kind().and_then(of_type));
    if let Some(key) = key {
        let profile = respond(graph, json!({"op": "profile", "subject": entity.json()})).await;
        let held = items(&profile["result"]["attributes"]);
        let keys = held.iter().filter_map(|fact| fact["key"].as_str());
        if let Some(near) = nearest(key, keys) {
            hints.push(format!("did you mean the key {}?", quoted(near)));
        }
        if !held.is_empty() {
            return hints;
        }
    }
    let mut request = json!({"op": "entities", "limit": LOOKED_THROUGH});
    if let Some(kind) = entity.kind() {
        request["type"] = Json::from(kind);
    }
    let listed = respond(graph, request).await;
    let all = items(&listed["result"]["entities"]);
    let names = all.iter().filter_map(|listed| listed["entity"]["name"].as_str());
    if let Some(near) = nearest(entity.name(), names) {
        let kind = all
            .iter()
            .find(|listed| listed["entity"]["name"] == near)
            .map(|listed| &listed["entity"]["type"]);
        let kind = kind.and_then(Json::as_str).unwrap_or_default();
        hints.push(format!("did you mean {}?", quoted(&format!("{kind}/{near}"))));
    }
    hints
}

/// Returns what to say of a type that the vocabulary has not.
pub(super) fn of_type(word: &str) -> Option<String> {
    if !matches!(EntityType::parse(word), Ok((_, Folding::Unlisted))) {
        return None;
    }
    let near = nearest(word, EntityType::ALL.iter().map(|kind| kind.as_str()));
    let meant = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    Some(format!("the type {} is none that there is and counts as other{meant}", quoted(word)))
}

/// Returns the name nearest to what was written, if one is near and it is another.
fn nearest<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    names
        .map(|name| (strsim::jaro_winkler(&written, &name.to_lowercase()), name))
        .filter(|(alike, name)| *alike >= ALIKE && name.to_lowercase() != written)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Returns a word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain =
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-:=+@%,".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_seen_and_nothing_is_guessed() {
        assert_eq!(nearest("rol", ["role", "plan"].into_iter()), Some("role"));
        assert_eq!(nearest("Mara Qill", ["mara quill", "Bo"].into_iter()), Some("mara quill"));
        assert_eq!(nearest("role", ["role"].into_iter()), None);
        assert_eq!(nearest("weather", ["role", "plan"].into_iter()), None);
        assert!(of_type("persn").is_some_and(|hint| hint.ends_with("did you mean person?")));
        assert_eq!(of_type("company"), None);
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("./store"), "./store");
        assert_eq!(quoted("person/Mara Quill"), "'person/Mara Quill'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
