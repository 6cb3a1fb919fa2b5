//! From a request to its response.

use serde_json::Value as Json;

use super::fields::Fields;
use super::wire::CANDIDATES;
use super::{json, print, read, write};
use crate::Graph;
use crate::error::Error;

/// Answers one request line with one response line.
///
/// Whatever is wrong with the line is an answer too, never a panic.
///
/// ```
/// use hitherto::{Graph, Options, answer};
///
/// # let runtime = tokio::runtime::Runtime::new()?;
/// # runtime.block_on(async {
/// let graph = Graph::open(Options::new("mem://")).await?;
/// assert!(answer(&graph, "no JSON").await.starts_with(r#"{"ok":false,"error":{"kind":"invalid""#));
/// graph.close().await
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn answer(graph: &Graph, line: &str) -> String {
    match json::parse(line) {
        Ok(request) => respond(graph, request).await.to_string(),
        Err(error) => print::error(&error).to_string(),
    }
}

/// Answers a request that is parsed already.
pub async fn respond(graph: &Graph, request: Json) -> Json {
    match carry_out(graph, request).await {
        Ok(response) => response,
        Err(error) => print::error(&error),
    }
}

async fn carry_out(graph: &Graph, request: Json) -> Result<Json, Error> {
    let body = body(&request);
    let mut fields = Fields::new(request, "the request")?;
    let op = fields.need_text("op")?;
    // Without something to set, both are reads.
    let sets = !matches!(&*op, "policy" | "slots") || fields.has("set");
    if sets && (CANDIDATES.contains(&&*op) || write::OPERATIONS.contains(&&*op)) {
        return write::write(graph, &op, fields, &body).await;
    }
    read::read(graph, &op, fields).await
}

/// Returns the request as it is compared with another under the same
/// idempotency key: its fields in order, the key itself left out.
fn body(request: &Json) -> String {
    fn sorted(value: &Json) -> Json {
        match value {
            Json::Object(members) => {
                let mut pairs: Vec<(&String, &Json)> = members.iter().collect();
                pairs.sort_by_key(|(name, _)| *name);
                Json::Object(pairs.into_iter().map(|(name, value)| (name.clone(), sorted(value))).collect())
            }
            Json::Array(items) => Json::Array(items.iter().map(sorted).collect()),
            other => other.clone(),
        }
    }
    let Some(key) = request.get("idempotency_key") else { return String::new() };
    let mut request = sorted(request);
    if let (Json::Object(fields), false) = (&mut request, key.is_null()) {
        fields.remove("idempotency_key");
    }
    request.to_string()
}

/// Returns the error of an operation that there is not, with the nearest one.
pub(super) fn unknown(op: &str) -> Error {
    let known = CANDIDATES.iter().chain(&write::OPERATIONS).chain(&read::OPERATIONS);
    let near = known.max_by(|a, b| strsim::jaro_winkler(op, a).total_cmp(&strsim::jaro_winkler(op, b)));
    // 0.8: near enough for a slip of the finger, far enough not to guess.
    let hint = near
        .filter(|near| strsim::jaro_winkler(op, near) >= 0.8)
        .map(|near| format!(": did you mean {near}?"));
    let shown: String = op.chars().take(40).collect();
    Error::invalid("op_unknown", format!("op {shown:?} is not known{}", hint.unwrap_or_default()))
        .at_field("op")
}
