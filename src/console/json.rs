//! Conversion between form fields and the JSON of operations, and formatting of JSON for display.

use crate::form::Form;
use chrono::{DateTime, NaiveDate};
use claimsmith_json::{INCOMING, SENT};
use serde::Serialize;
use serde_json::{Map, Value};

/// Pretty-prints a value, indented by two spaces.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Pretty-prints a text if it is JSON, otherwise returns it unchanged.
pub(crate) fn pretty_text(text: &str) -> String {
    claimsmith_json::read(text, INCOMING).map_or_else(|_| text.to_owned(), |value: Value| pretty(&value))
}

/// A value on one line; a string without quotes.
pub(crate) fn short(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A field as a string; null if it is empty.
pub(crate) fn text(form: &Form, name: &str) -> Value {
    form.filled(name).map_or(Value::Null, Value::from)
}

/// A field as a number; null if it is empty. Other text is sent as a string, so that the API reports the error.
pub(crate) fn number(form: &Form, name: &str) -> Value {
    form.filled(name).map_or(Value::Null, |text| text.parse::<i64>().map_or_else(|_| text.into(), Value::from))
}

/// The end of a day as a timestamp; null if the field is empty.
pub(crate) fn day(form: &Form, name: &str) -> Value {
    let Some(text) = form.filled(name) else { return Value::Null };
    let end = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().and_then(|day| day.and_hms_opt(23, 59, 59));
    end.map_or_else(|| text.into(), |end| end.and_utc().timestamp_millis().into())
}

/// A timestamp as the value of a date field.
pub(crate) fn as_day(unix_milliseconds: Option<i64>) -> String {
    let time = unix_milliseconds.and_then(DateTime::from_timestamp_millis);
    time.map(|time| time.format("%Y-%m-%d").to_string()).unwrap_or_default()
}

/// Parses a field as a JSON object, or explains what is wrong and where; an empty field is an empty object.
pub(crate) fn object(form: &Form, name: &str) -> Result<Value, String> {
    parse_object(form.raw(name)).map(Value::Object).map_err(|problem| form.refuse(name, problem))
}

/// Parses a text as a JSON object, or explains what is wrong and where; an empty text is an empty object.
pub(crate) fn parse_object(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match claimsmith_json::read(text, SENT) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("This has to be a JSON object: it begins with { and ends with }.".to_owned()),
        Err(error) => {
            let message = error.to_string();
            // Errors found before parsing contain their own position.
            if error.line() == 0 {
                return Err(format!("Not accepted: {message}."));
            }
            let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
            Err(format!("Not JSON yet: {what}, in line {}, column {}.", error.line(), error.column()))
        }
    }
}

/// Sets members of an object; null removes a member.
pub(crate) fn set(object: &Value, members: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut object = object.as_object().cloned().unwrap_or_default();
    for (name, value) in members {
        if value.is_null() {
            object.remove(name);
        } else {
            object.insert(name.to_owned(), value);
        }
    }
    Value::Object(object)
}

/// The merge patch from `before` to `after`: null for removed members, also in nested objects.
pub(crate) fn change(before: &Value, after: &Value) -> Value {
    let (Value::Object(before), Value::Object(after)) = (before, after) else { return after.clone() };
    let mut changed: Map<String, Value> = after
        .iter()
        .map(|(name, value)| (name.clone(), before.get(name).map_or_else(|| value.clone(), |old| change(old, value))))
        .collect();
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    changed.extend(gone.map(|name| (name.clone(), Value::Null)));
    Value::Object(changed)
}

/// The merge patch for some members of a document; other members are left out.
pub(crate) fn change_members(document: &Value, members: &Value) -> Value {
    let named = members.as_object().into_iter().flatten();
    named.map(|(name, value)| (name.clone(), change(&document[name], value))).collect::<Map<_, _>>().into()
}

/// The strings of an array.
pub(crate) fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Builds a form from current values.
#[derive(Default)]
pub(crate) struct FormBuilder(Vec<(String, String)>);

impl FormBuilder {
    /// Adds a field; null becomes an empty one.
    pub(crate) fn value(mut self, name: &str, value: &Value) -> Self {
        let text = match value {
            Value::Array(_) => texts(value).join("\n"),
            other => short(other),
        };
        self.0.push((name.to_owned(), text));
        self
    }

    /// Adds a checkbox.
    pub(crate) fn tick(mut self, name: &str, is_ticked: bool) -> Self {
        if is_ticked {
            self.0.push((name.to_owned(), "true".to_owned()));
        }
        self
    }

    /// The finished form.
    pub(crate) fn form(self) -> Form {
        Form::of(self.0)
    }
}

/// The object without its null members.
pub(crate) fn filled(members: Value) -> Value {
    match members {
        Value::Object(members) => {
            Value::Object(members.into_iter().filter(|(_, value)| !value.is_null()).collect::<Map<_, _>>())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn form(fields: &[(&str, &str)]) -> Form {
        Form::of(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn what_is_no_number_is_left_to_the_api() {
        let form = form(&[("a", "12"), ("b", "twelve"), ("c", "")]);
        assert_eq!(number(&form, "a"), json!(12));
        assert_eq!(number(&form, "b"), json!("twelve"));
        assert_eq!(number(&form, "c"), Value::Null);
    }

    #[test]
    fn a_day_ends_with_its_last_second() {
        let form = form(&[("day", "2026-11-24"), ("never", "soon")]);
        assert_eq!(day(&form, "day"), json!(1_795_564_799_000_i64));
        assert_eq!(as_day(Some(1_795_564_799_000)), "2026-11-24");
        assert_eq!(day(&form, "never"), json!("soon"));
    }

    #[test]
    fn a_text_within_a_text_is_not_read() {
        let nested = format!("{{\"$serde_json::private::RawValue\": \"{}\"}}", "[".repeat(100_000));
        assert_eq!(pretty_text(&nested), nested);
        assert!(object(&form(&[("data", &nested)]), "data").is_err());
        assert_eq!(pretty_text("{\"a\":1}"), "{\n  \"a\": 1\n}");
    }

    #[test]
    fn a_change_says_what_is_gone() {
        let before = json!({ "a": 1, "b": { "c": 1, "d": 2 }, "e": 3 });
        let after = json!({ "a": 2, "b": { "c": 1 }, "f": { "g": 1 } });
        let expected = json!({ "a": 2, "b": { "c": 1, "d": null }, "f": { "g": 1 }, "e": null });
        assert_eq!(change(&before, &after), expected);
        assert_eq!(change_members(&before, &json!({ "b": {} })), json!({ "b": { "c": null, "d": null } }));
        assert_eq!(change(&Value::Null, &after), after);
        assert_eq!(change(&json!([1]), &json!([2])), json!([2]));
    }

    #[test]
    fn what_is_wrong_with_an_object_is_said_with_its_place() {
        assert_eq!(parse_object(" "), Ok(Map::new()));
        assert_eq!(parse_object("{\"plan\": \"gold\"}").map(|data| data.len()), Ok(1));
        let message = "Not JSON yet: expected value, in line 2, column 11.".to_owned();
        assert_eq!(parse_object("{\n  \"plan\": gold\n}"), Err(message));
    }

    #[test]
    fn an_object_is_asked_for() {
        let form = form(&[("good", "{\"a\": 1}"), ("list", "[]"), ("bad", "{")]);
        assert_eq!(object(&form, "good"), Ok(json!({ "a": 1 })));
        assert!(object(&form, "list").is_err_and(|text| text.contains("JSON object")));
        assert!(object(&form, "bad").is_err_and(|text| text.contains("Not JSON yet")));
        assert_eq!(set(&json!({ "a": 1, "b": 2 }), [("a", Value::Null), ("c", json!(3))]), json!({ "b": 2, "c": 3 }));
    }
}
