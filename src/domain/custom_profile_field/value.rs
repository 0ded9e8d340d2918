//! Validation of values of a field, and their stored form.

use super::date;
use crate::documents::custom_profile_field::{FieldType, Rules};
use crate::documents::uri_rule::UriRule;
use regex::{Regex, RegexBuilder};
use serde_json::{Number, Value};

/// Maximum characters of a value, as of a standard claim.
const MAX_CHARS: usize = 2048;
/// Maximum bytes of a compiled regular expression.
const MAX_PATTERN_BYTES: usize = 256 << 10;
/// Maximum nesting depth of a regular expression.
const MAX_PATTERN_DEPTH: u32 = 32;

/// Compiles a regular expression within bounds. Matching takes time linear in the text.
pub(super) fn pattern(format: &str) -> Option<Regex> {
    RegexBuilder::new(format)
        .size_limit(MAX_PATTERN_BYTES)
        .dfa_size_limit(MAX_PATTERN_BYTES)
        .nest_limit(MAX_PATTERN_DEPTH)
        .build()
        .ok()
}

/// Whether the value is empty.
#[must_use]
pub fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// The stored form of a value; `None` if it is not valid. Postal addresses and names are validated part by part.
#[must_use]
pub fn accepted(kind: FieldType, rules: &Rules, value: &Value) -> Option<Value> {
    match kind {
        FieldType::Number => number(rules, value),
        FieldType::Checkbox => match value {
            Value::Bool(_) => Some(value.clone()),
            Value::String(text) => text.parse().ok().map(Value::Bool),
            _ => None,
        },
        FieldType::Address | FieldType::Fullname => None,
        _ => {
            let text = value.as_str()?.trim();
            let length = text.chars().count();
            let fits = length <= MAX_CHARS && fits(kind, rules, text, length);
            fits.then(|| Value::String(text.to_owned()))
        }
    }
}

fn fits(kind: FieldType, rules: &Rules, text: &str, length: usize) -> bool {
    match kind {
        FieldType::Text => {
            let length = u32::try_from(length).unwrap_or(u32::MAX);
            rules.min_length.is_none_or(|min| min <= length) && rules.max_length.is_none_or(|max| length <= max)
        }
        FieldType::Date => date::parse(date::format_of(rules), text).is_some(),
        FieldType::Select => {
            rules.options.as_ref().is_some_and(|options| options.iter().any(|one| one.value.as_str() == text))
        }
        FieldType::Url => UriRule::Page.fault(text).is_none(),
        FieldType::Regex => {
            let format = rules.format.as_ref();
            format.and_then(|format| pattern(format.as_str())).is_some_and(|pattern| pattern.is_match(text))
        }
        _ => false,
    }
}

/// A number, or a string with a number, as browsers send it.
fn number(rules: &Rules, value: &Value) -> Option<Value> {
    let number = match value {
        Value::Number(number) => number.clone(),
        Value::String(text) => {
            let text = text.trim();
            text.parse::<i64>().ok().map(Number::from).or_else(|| Number::from_f64(text.parse().ok()?))?
        }
        _ => return None,
    };
    // Bounds are integers, which a double represents exactly up to 53 bits.
    #[expect(clippy::cast_precision_loss, reason = "bounds beyond 53 bits are not exact")]
    let is_within = |found: f64| {
        rules.min_value.is_none_or(|min| min as f64 <= found) && rules.max_value.is_none_or(|max| found <= max as f64)
    };
    number.as_f64().is_some_and(is_within).then_some(Value::Number(number))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_entered_fits_to_its_field() {
        let choices = json!({ "options": [{ "value": "gold" }, { "value": "silver", "label": "Silver" }] });
        for (kind, rules, value, kept) in [
            ("Text", json!({}), json!("  x "), Some(json!("x"))),
            ("Text", json!({ "minLength": 2 }), json!("x"), None),
            ("Text", json!({ "maxLength": 2 }), json!("äöü"), None),
            ("Text", json!({ "maxLength": 3 }), json!("äöü"), Some(json!("äöü"))),
            ("Text", json!({}), json!("x".repeat(2049)), None),
            ("Text", json!({}), json!(7), None),
            ("Number", json!({ "minValue": 18 }), json!("18"), Some(json!(18))),
            ("Number", json!({ "minValue": 18 }), json!(17.9), None),
            ("Number", json!({ "maxValue": 3 }), json!("3.5"), None),
            ("Number", json!({}), json!("3.5"), Some(json!(3.5))),
            ("Number", json!({}), json!("NaN"), None),
            ("Number", json!({}), json!("inf"), None),
            ("Number", json!({}), json!(true), None),
            ("Date", json!({}), json!("2000-02-29"), Some(json!("2000-02-29"))),
            ("Date", json!({}), json!("29.02.2000"), None),
            ("Checkbox", json!({}), json!("true"), Some(json!(true))),
            ("Checkbox", json!({}), json!(false), Some(json!(false))),
            ("Checkbox", json!({}), json!("on"), None),
            ("Select", choices.clone(), json!("gold"), Some(json!("gold"))),
            ("Select", choices, json!("Silver"), None),
            ("Url", json!({}), json!("https://a.test/x"), Some(json!("https://a.test/x"))),
            ("Url", json!({}), json!("javascript:alert(1)"), None),
            ("Regex", json!({ "format": "^[A-Z]{3}$" }), json!("ABC"), Some(json!("ABC"))),
            ("Regex", json!({ "format": "^[A-Z]{3}$" }), json!("ABCD"), None),
            ("Regex", json!({ "format": "^(a+)+$" }), json!("a".repeat(2047) + "!"), None),
            ("Regex", json!({}), json!("ABC"), None),
            ("Address", json!({}), json!({}), None),
        ] {
            let shown = format!("{kind} {rules} {value}");
            let rules: Rules = serde_json::from_value(rules).unwrap();
            assert_eq!(accepted(FieldType::parse(kind).unwrap(), &rules, &value), kept, "{shown}");
        }
    }
}
