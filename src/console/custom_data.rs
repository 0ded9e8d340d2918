//! Custom data, as people read it and write it: a JSON object.

use claimsmith_json::INCOMING;
use serde_json::{Map, Value};

/// The object that a text is, or what is wrong with it and where.
pub(crate) fn parse(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match claimsmith_json::read(text, INCOMING) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("Custom data has to be a JSON object: it begins with { and ends with }.".to_owned()),
        Err(error) => {
            let message = error.to_string();
            // What is refused before it is parsed says its place itself.
            if error.line() == 0 {
                return Err(format!("Not accepted: {message}."));
            }
            let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
            Err(format!("Not JSON yet: {what}, in line {}, column {}.", error.line(), error.column()))
        }
    }
}

/// An object as people read and change it.
pub(crate) fn pretty(object: &Map<String, Value>) -> String {
    serde_json::to_string_pretty(object).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        assert_eq!(parse(" "), Ok(Map::new()));
        assert_eq!(parse("{\"plan\": \"gold\"}").map(|data| data.len()), Ok(1));
        assert!(parse("[1]").is_err_and(|message| message.contains("JSON object")));
        let message = "Not JSON yet: expected value, in line 2, column 11.".to_owned();
        assert_eq!(parse("{\n  \"plan\": gold\n}"), Err(message));
    }
}
