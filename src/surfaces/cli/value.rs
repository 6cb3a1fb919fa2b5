//! Values as the command line takes them.

use clap::Args;
use serde_json::Value as Json;

use super::failure::Failure;
use crate::surfaces::json;

/// How a value is to be read.
#[derive(Args, Debug, Default)]
pub(super) struct ValueForm {
    /// Take the value as text, whatever it looks like
    #[arg(long, conflicts_with = "value_json")]
    text: bool,
    /// Take the value as JSON, and refuse what is none
    #[arg(long)]
    value_json: bool,
}

impl ValueForm {
    /// Reads a value: a JSON number, true, false, object, array or quoted
    /// string; anything else is text.
    pub(super) fn read(&self, text: &str) -> Result<Json, Failure> {
        if self.text {
            return Ok(Json::String(text.to_owned()));
        }
        match json::parse(text) {
            Ok(Json::Null) if !self.value_json => Ok(Json::String(text.to_owned())),
            Ok(value) => Ok(value),
            Err(_) if !self.value_json && serde_json::from_str::<Json>(text).is_err() => {
                Ok(Json::String(text.to_owned()))
            }
            Err(error) => Err(Failure::usage(error.to_string().replace("the line", "the value"))
                .hint("--text takes the value as it is written")),
        }
    }

    /// Reads a value that may be left out.
    pub(super) fn read_some(&self, text: Option<&String>) -> Result<Option<Json>, Failure> {
        text.map(|text| self.read(text)).transpose()
    }
}

/// Reads an argument that has to be JSON.
pub(super) fn json_argument(text: &str) -> Result<Json, String> {
    json::parse(text).map_err(|error| error.to_string().replace("the line", "it"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_reads_as_json_is_json_and_the_rest_is_text() {
        let plain = ValueForm::default();
        let read = |text: &str| plain.read(text).expect("it reads");
        assert_eq!(read("42"), json!(42));
        assert_eq!(read("-1.5"), json!(-1.5));
        assert_eq!(read("true"), json!(true));
        assert_eq!(read("\"42\""), json!("42"));
        assert_eq!(read("[1]"), json!([1]));
        assert_eq!(read("null"), json!("null"));
        assert_eq!(read("007"), json!("007"));
        assert_eq!(read("Head of Delivery"), json!("Head of Delivery"));
        assert_eq!(read(""), json!(""));
        assert!(plain.read("123456789012345678901234567890").is_err());
        let text = ValueForm { text: true, value_json: false };
        assert_eq!(text.read("42").expect("it reads"), json!("42"));
        let strict = ValueForm { text: false, value_json: true };
        assert!(strict.read("Seed").is_err());
    }
}
