//! Formats JSON as text: single members, name-value pairs, and tables.

use crate::terminal::printable;
use serde_json::Value;
use std::time::{Duration, UNIX_EPOCH};

/// What is shown for an absent value.
const ABSENT: &str = "-";
/// Characters of a digest that tell versions of one plugin apart.
const DIGEST_CHARACTERS: usize = "sha256:".len() + 12;

/// The member at a JSON pointer.
pub(crate) fn text(value: &Value, pointer: &str) -> String {
    shown(value.pointer(pointer).unwrap_or(&Value::Null))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => ABSENT.to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => printable(text),
        Value::Array(items) if items.is_empty() => ABSENT.to_owned(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => printable(&other.to_string()),
    }
}

/// A time, which the API gives in Unix milliseconds.
pub(crate) fn time(value: &Value, pointer: &str) -> String {
    let member = value.pointer(pointer);
    let time = member.and_then(Value::as_u64).and_then(|ms| UNIX_EPOCH.checked_add(Duration::from_millis(ms)));
    // Years of five digits cannot be written.
    let written = time.filter(|_| member.and_then(Value::as_u64).is_some_and(|ms| ms < 253_402_300_800_000));
    written.map_or_else(|| text(value, pointer), |time| humantime::format_rfc3339_millis(time).to_string())
}

/// The beginning of a digest.
pub(crate) fn digest(value: &Value, pointer: &str) -> String {
    text(value, pointer).chars().take(DIGEST_CHARACTERS).collect()
}

/// The items of an array; none if it is none.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Rows under their headings, each column as wide as it must be.
pub(crate) fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
    let all: Vec<&[String]> = std::iter::once(&headings).chain(rows).map(Vec::as_slice).collect();
    aligned(&all)
}

/// Names and their values.
pub(crate) fn pairs(pairs: &[(&str, String)]) -> String {
    let rows: Vec<[String; 2]> = pairs.iter().map(|(name, value)| [(*name).to_owned(), value.clone()]).collect();
    aligned(&rows.iter().map(<[String; 2]>::as_slice).collect::<Vec<_>>())
}

fn aligned(rows: &[&[String]]) -> String {
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let widths: Vec<usize> =
        (0..columns).map(|column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{digest, pairs, table, text, time};
    use serde_json::json;

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let rows = [vec!["roles".to_owned(), "ok".to_owned()], vec!["prüfer-lang".to_owned(), "-".to_owned()]];
        assert_eq!(table(&["NAME", "STATE"], &rows), "NAME         STATE\nroles        ok\nprüfer-lang  -");
        assert_eq!(table(&["NAME", "STATE"], &[]), "NAME  STATE");
        assert_eq!(pairs(&[("name", "a".to_owned()), ("last error", String::new())]), "name        a\nlast error");
    }

    #[test]
    fn members_are_shown_as_people_read_them() {
        let value = json!({
            "a": { "b": "x\u{7}" }, "list": ["p", "q"], "none": [], "on": true, "null": null,
            "at": 1_795_253_806_123_u64, "iso": "2026-11-21", "digest": "sha256:0123456789abcdef0123",
        });
        let all = ["/a/b", "/list", "/none", "/on", "/null", "/missing"].map(|pointer| text(&value, pointer));
        assert_eq!(all, ["x\\u{7}", "p, q", "-", "yes", "-", "-"]);
        assert_eq!(time(&value, "/at"), "2026-11-21T09:36:46.123Z");
        assert_eq!((time(&value, "/iso").as_str(), time(&value, "/null").as_str()), ("2026-11-21", "-"));
        assert_eq!(time(&json!({ "at": u64::MAX }), "/at"), u64::MAX.to_string());
        assert_eq!(digest(&value, "/digest"), "sha256:0123456789ab");
    }
}
