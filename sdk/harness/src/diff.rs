//! A line diff of two JSON values.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// `-` before expected lines that are missing, `+` before unexpected lines.
#[must_use]
pub fn diff(expected: &Map<String, Value>, actual: &Map<String, Value>) -> String {
    let (left, right) = (lines_of(expected), lines_of(actual));
    let common = common_lengths(&left, &right);
    let mut shown = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        if i < left.len() && j < right.len() && left[i] == right[j] {
            shown.push(format!("  {}", left[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < left.len() && (j == right.len() || common[i + 1][j] >= common[i][j + 1]) {
            shown.push(format!("- {}", left[i]));
            i += 1;
        } else {
            shown.push(format!("+ {}", right[j]));
            j += 1;
        }
    }
    shown.join("\n")
}

/// `[i][j]`: how many lines of `left[i..]` and `right[j..]` can be matched in order.
fn common_lengths(left: &[String], right: &[String]) -> Vec<Vec<usize>> {
    let mut common = vec![vec![0; right.len() + 1]; left.len() + 1];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            common[i][j] =
                if left[i] == right[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    common
}

fn lines_of(object: &Map<String, Value>) -> Vec<String> {
    format!("{:#}", sorted(&Value::Object(object.clone()))).lines().map(str::to_owned).collect()
}

/// Members by name, so that their order makes no difference.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<_, _> = members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_is_marked() {
        let expected = json!({ "a": 1, "b": ["x", "y"], "c": { "d": true } });
        let actual = json!({ "c": { "d": false }, "b": ["x", "y"], "a": 1, "e": null });
        let shown = diff(expected.as_object().unwrap(), actual.as_object().unwrap());
        let marked: Vec<_> = shown.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(marked, ["-     \"d\": true", "-   }", "+     \"d\": false", "+   },", "+   \"e\": null"]);
        assert!(shown.contains("\n    \"b\": [\n"), "{shown}");
    }
}
