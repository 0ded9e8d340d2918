//! Operators' own words: a partial tree of texts, checked against the whole one and laid over it.

use serde_json::{Map, Value};

/// The most characters of a text.
const MAX_TEXT_CHARACTERS: usize = 4096;

/// The names in `{{name}}` of a text.
pub(crate) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(name, _)| name.trim())
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// As it is written.
    Text(&'t str),
    /// The replacement of `{{name}}`.
    Placeholder(&'t str),
}

/// The parts of a text, in their order.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, name, after)) = rest
        .split_once("{{")
        .and_then(|(before, inner)| inner.split_once("}}").map(|(name, after)| (before, name, after)))
    {
        found.extend([Piece::Text(before), Piece::Placeholder(name.trim())]);
        rest = after;
    }
    found.push(Piece::Text(rest));
    found
}

/// A text with the values of its placeholders. A placeholder without a value stays.
#[must_use]
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    let filled = pieces(text).into_iter().map(|piece| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Placeholder(name) => value(name).unwrap_or_else(|| format!("{{{{{name}}}}}")),
    });
    filled.collect()
}

/// Without empty texts, empty branches and null, which override nothing.
#[must_use]
pub fn without_empty(members: Map<String, Value>) -> Map<String, Value> {
    let kept = members.into_iter().filter_map(|(name, part)| match part {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Object(inner) => {
            Some(without_empty(inner)).filter(|inner| !inner.is_empty()).map(|inner| (name, inner.into()))
        }
        other => Some((name, other)),
    });
    kept.collect()
}

/// Refuses what does not fit the whole tree, and names its place.
pub fn check(whole: &Value, custom: &Map<String, Value>) -> Result<(), String> {
    for (name, part) in custom {
        let below = |refusal: String| format!("{name}.{refusal}");
        match (whole.get(name), part) {
            (None, _) => return Err(format!("{name}: there is no such text")),
            (Some(inner @ Value::Object(_)), Value::Object(part)) => check(inner, part).map_err(below)?,
            (Some(Value::String(text)), Value::String(own)) => {
                check_text(text, own).map_err(|problem| format!("{name}: {problem}"))?;
            }
            (Some(Value::Object(_)), _) => return Err(format!("{name}: expected an object")),
            (Some(_), _) => return Err(format!("{name}: expected a text")),
        }
    }
    Ok(())
}

fn check_text(text: &str, own: &str) -> Result<(), String> {
    if own.chars().count() > MAX_TEXT_CHARACTERS {
        return Err(format!("expected at most {MAX_TEXT_CHARACTERS} characters"));
    }
    match placeholders(own).find(|name| placeholders(text).all(|known| known != *name)) {
        Some(unknown) => Err(format!("there is nothing to put in the place of {{{{{unknown}}}}}")),
        None => Ok(()),
    }
}

/// Overrides texts of a tree by custom ones. Custom texts that it does not have, such as those of another version, are
/// left out.
pub(crate) fn lay(tree: &mut Value, custom: &Value) {
    let Value::Object(custom) = custom else { return };
    for (name, part) in custom {
        match (tree.get_mut(name), part) {
            (Some(inner @ Value::Object(_)), Value::Object(_)) => lay(inner, part),
            (Some(text @ Value::String(_)), Value::String(own)) => *text = own.as_str().into(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn placeholders_are_found() {
        for (text, names) in
            [("", vec![]), ("a {{b}} c {{ d }}", vec!["b", "d"]), ("{{a", vec![]), ("a}} {b} {{}}", vec![""])]
        {
            assert_eq!(placeholders(text).collect::<Vec<_>>(), names, "{text}");
        }
    }

    #[test]
    fn a_partial_tree_fits() {
        let whole = json!({ "a": { "b": "Hello {{name}}", "c": "x" }, "d": "y" });
        for (custom, problem) in [
            (json!({}), None),
            (json!({ "a": { "b": "Moin {{name}}" } }), None),
            (json!({ "a": { "b": "Moin" }, "d": "z" }), None),
            (json!({ "e": "z" }), Some("e: there is no such text")),
            (json!({ "a": { "e": "z" } }), Some("a.e: there is no such text")),
            (json!({ "a": "z" }), Some("a: expected an object")),
            (json!({ "a": { "c": {} } }), Some("a.c: expected a text")),
            (json!({ "d": 1 }), Some("d: expected a text")),
            (json!({ "a": { "b": "{{age}}" } }), Some("a.b: there is nothing to put in the place of {{age}}")),
            (json!({ "d": "x".repeat(4097) }), Some("d: expected at most 4096 characters")),
        ] {
            let result = check(&whole, custom.as_object().unwrap());
            assert_eq!(result.err().as_deref(), problem, "{custom}");
        }
    }

    #[test]
    fn what_says_nothing_is_dropped_and_the_rest_is_laid_over() {
        let custom = json!({ "a": { "b": "", "c": null, "f": { "g": "" } }, "d": "z", "old": "x" });
        let custom = Value::from(without_empty(custom.as_object().unwrap().clone()));
        assert_eq!(custom, json!({ "d": "z", "old": "x" }));
        let mut tree = json!({ "a": { "b": "1", "c": "2" }, "d": "y" });
        lay(&mut tree, &custom);
        assert_eq!(tree, json!({ "a": { "b": "1", "c": "2" }, "d": "z" }));
        lay(&mut tree, &json!({ "a": { "b": "3", "c": {} }, "d": { "e": "f" } }));
        assert_eq!(tree, json!({ "a": { "b": "3", "c": "2" }, "d": "z" }));
        lay(&mut tree, &json!([1]));
    }

    #[test]
    fn placeholders_are_filled_once() {
        for (text, filled) in [
            ("Sign in to {{application}}", "Sign in to {{name}}<"),
            ("{{name}}, {{ name }}", "Zoë, Zoë"),
            ("{{other}} {{", "{{other}} {{"),
            ("", ""),
        ] {
            // Inserted values are not searched for placeholders.
            assert_eq!(fill(text, &[("application", "{{name}}<"), ("name", "Zoë")]), filled, "{text}");
        }
        let expected = [Piece::Text("I agree to "), Piece::Placeholder("terms"), Piece::Text(".")];
        assert_eq!(pieces("I agree to {{terms}}."), expected);
    }
}
