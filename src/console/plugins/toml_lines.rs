//! Changes single keys of a TOML text and keeps all other lines: comments, order, and unknown keys. A change that
//! cannot be made this way is refused.

use std::ops::Range;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// A key with its value, or a table header.
struct TomlItem {
    /// The path of the table that contains the key, or that the header starts.
    table: Vec<String>,
    /// The first part of a dotted key; None for a header.
    key: Option<String>,
    lines: Range<usize>,
    /// The trailing comment of the last line.
    comment: String,
}

/// Sets or removes a key of a text. The table is a dotted name. The error tells the user to edit the text instead.
pub(super) fn set(text: &str, table: &str, key: &str, value: Option<&Value>) -> Result<String, String> {
    let path: Vec<&str> = table.split('.').filter(|part| !part.is_empty()).collect();
    set_at(text, &path, key, value)
}

/// The same of a table by the parts of its name, which may have dots.
pub(super) fn set_at(text: &str, path: &[&str], key: &str, value: Option<&Value>) -> Result<String, String> {
    let before: Table = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    let mut wanted = before;
    set_in(&mut wanted, path, key, value);
    let edited = edit(text, path, key, value)?;
    // Tables in another notation (`limits = { … }`, `limits.deadline_ms = 5`) can only be edited in the text.
    match toml::from_str::<Table>(&edited) {
        Ok(after) if without_empty(&after) == without_empty(&wanted) => Ok(edited),
        _ => Err(format!("`{key}` is written in a way that the form does not change: change it in the text.")),
    }
}

/// A value by table and key.
pub(super) fn get<'t>(root: &'t Table, table: &str, key: &str) -> Option<&'t Value> {
    table_of(root, table)?.get(key)
}

/// A table by its dotted name; the root if the name is empty.
pub(super) fn table_of<'t>(root: &'t Table, table: &str) -> Option<&'t Table> {
    let mut parts = table.split('.').filter(|part| !part.is_empty());
    parts.try_fold(root, |table, part| table.get(part)?.as_table())
}

fn set_in(root: &mut Table, path: &[&str], key: &str, value: Option<&Value>) {
    let mut at = root;
    for part in path {
        let next = at.entry(*part).or_insert_with(|| Value::Table(Table::new()));
        match next.as_table_mut() {
            Some(next) => at = next,
            None => return,
        }
    }
    match value {
        Some(value) => at.insert(key.to_owned(), value.clone()),
        None => at.remove(key),
    };
}

/// Removes empty tables, which have no meaning.
fn without_empty(table: &Table) -> Table {
    let kept = table.iter().filter_map(|(key, value)| match value {
        Value::Table(inner) => {
            let inner = without_empty(inner);
            (!inner.is_empty()).then(|| (key.clone(), Value::Table(inner)))
        }
        value => Some((key.clone(), value.clone())),
    });
    kept.collect()
}

fn edit(text: &str, path: &[&str], key: &str, value: Option<&Value>) -> Result<String, String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let entries = TomlItems::read(text)?;
    let of_table = |entry: &&TomlItem| path == entry.table.as_slice();
    let found = entries.iter().find(|entry| of_table(entry) && entry.key.as_deref() == Some(key));
    let line = value.map(|value| format!("{} = {value}", quoted_key(key)));
    match (found, line) {
        (Some(entry), Some(line)) => {
            let comment = if entry.comment.is_empty() { String::new() } else { format!(" {}", entry.comment) };
            Ok(splice(&lines, entry.lines.clone(), &format!("{line}{comment}\n")))
        }
        (Some(entry), None) => {
            let rest: Vec<_> = entries.iter().filter(of_table).collect();
            let is_last = rest.iter().filter(|entry| entry.key.is_some()).count() == 1;
            let heading = rest.iter().find(|entry| entry.key.is_none()).filter(|_| is_last);
            // Removing the only key of a table removes its header too, with the comment lines in between.
            let gone = heading.map_or(entry.lines.clone(), |heading| heading.lines.start..entry.lines.end);
            Ok(splice(&lines, gone, ""))
        }
        (None, Some(line)) => {
            let end = entries.iter().rev().find(of_table).map(|entry| entry.lines.end);
            if let Some(end) = end {
                return Ok(splice(&lines, end..end, &format!("{line}\n")));
            }
            if path.is_empty() {
                // A root key goes before the first table header, after the leading comments.
                let end = entries.first().map_or(lines.len(), |first| first.lines.start);
                let gap = if end < lines.len() { "\n" } else { "" };
                return Ok(splice(&lines, end..end, &format!("{line}\n{gap}")));
            }
            let gap = if lines.is_empty() { "" } else { "\n" };
            let table = path.iter().map(|part| quoted_key(part)).collect::<Vec<_>>().join(".");
            Ok(splice(&lines, lines.len()..lines.len(), &format!("{gap}[{table}]\n{line}\n")))
        }
        (None, None) => Ok(text.to_owned()),
    }
}

/// Replaces a range of lines; the lines before it end with a line break.
fn splice(lines: &[&str], range: Range<usize>, text: &str) -> String {
    let mut edited = lines.get(..range.start).unwrap_or_default().concat();
    if !edited.is_empty() && !edited.ends_with('\n') {
        edited.push('\n');
    }
    edited.push_str(text);
    edited.push_str(&lines.get(range.end..).unwrap_or_default().concat());
    edited
}

/// Collects the headers and keys of a text.
struct TomlItems<'t> {
    text: &'t str,
    items: Vec<TomlItem>,
}

impl TomlItems<'_> {
    /// The items of a text, in the order of their lines.
    fn read(text: &str) -> Result<Vec<TomlItem>, String> {
        let root = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
        let mut found = TomlItems { text, items: Vec::new() };
        found.add_table(root.get_ref(), &mut Vec::new(), 0);
        // The parser sorts keys by name.
        found.items.sort_by_key(|item| item.lines.start);
        Ok(found.items)
    }

    /// The first `header` parts of the path are those of the last header.
    fn add_table(&mut self, table: &DeTable<'_>, path: &mut Vec<String>, header: usize) {
        for (key, value) in table {
            path.push(key.get_ref().clone().into_owned());
            self.add_value(key.span().start, value, path, header);
            path.pop();
        }
    }

    fn add_value(&mut self, start: usize, value: &Spanned<DeValue<'_>>, path: &mut Vec<String>, header: usize) {
        let source = self.text.get(value.span()).unwrap_or_default();
        match value.get_ref() {
            // The span of a table is its header or its inline value, if it has one.
            DeValue::Table(table) if source.starts_with('[') => {
                self.add(value.span(), path, path.len());
                self.add_table(table, path, path.len());
            }
            DeValue::Table(table) if !source.starts_with('{') => self.add_table(table, path, header),
            DeValue::Array(list) if list.first().is_some_and(|first| self.is_array_element(first)) => {
                for element in list {
                    self.add_value(element.span().start, element, path, header);
                }
            }
            _ => self.add(start..value.span().end, path, header),
        }
    }

    /// Whether a value is a table with the header of an array of tables.
    fn is_array_element(&self, value: &Spanned<DeValue<'_>>) -> bool {
        value.get_ref().is_table() && self.text.get(value.span()).is_some_and(|source| source.starts_with('['))
    }

    fn add(&mut self, span: Range<usize>, path: &[String], header: usize) {
        let line_of = |at: usize| self.text.get(..at).unwrap_or_default().matches('\n').count();
        let rest = self.text.get(span.end..).unwrap_or_default();
        self.items.push(TomlItem {
            table: path.iter().take(header).cloned().collect(),
            key: path.get(header).cloned(),
            lines: line_of(span.start)..line_of(span.end) + 1,
            comment: rest.lines().next().unwrap_or_default().trim().to_owned(),
        });
    }
}

fn quoted_key(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { key.to_owned() } else { Value::String(key.to_owned()).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Settings.\n\n# Early.\norder = 10 # before others\n\ngrant_types = [\n  \"a\", # one\n  \"b\",\n]\n\n\
                        [environment]\nTICKET = \"a # b\"\n";

    fn put(text: &str, table: &str, key: &str, value: impl Into<Value>) -> String {
        set(text, table, key, Some(&value.into())).unwrap_or_default()
    }

    #[test]
    fn other_lines_stay_as_they_are() {
        assert_eq!(put(TEXT, "", "order", 5), TEXT.replace("order = 10", "order = 5"));
        let list = Value::Array(vec!["c".into()]);
        let changed = TEXT.replace("[\n  \"a\", # one\n  \"b\",\n]", "[\"c\"]");
        assert_eq!(put(TEXT, "", "grant_types", list), changed);
        assert_eq!(put(TEXT, "environment", "TICKET", "c"), TEXT.replace("a # b", "c"));
    }

    #[test]
    fn what_is_new_comes_behind_its_like() {
        assert_eq!(put(TEXT, "", "enabled", false), TEXT.replace("]\n\n[env", "]\nenabled = false\n\n[env"));
        assert_eq!(put(TEXT, "environment", "B", "x"), format!("{TEXT}B = \"x\"\n"));
        assert_eq!(put(TEXT, "limits", "deadline_ms", 9), format!("{TEXT}\n[limits]\ndeadline_ms = 9\n"));
        assert_eq!(put("", "", "order", 1), "order = 1\n");
        assert_eq!(put("[a]\nb = 1\n", "", "order", 1), "order = 1\n\n[a]\nb = 1\n");
    }

    #[test]
    fn a_table_may_have_dots_in_its_name() {
        let path = ["capabilities", "http", "headers", "api.example.com"];
        let added = set_at("order = 1\n", &path, "x-key", Some(&"a".into())).unwrap_or_default();
        assert_eq!(added, "order = 1\n\n[capabilities.http.headers.\"api.example.com\"]\nx-key = \"a\"\n");
        let changed = set_at(&added, &path, "x-key", Some(&"b".into())).unwrap_or_default();
        assert_eq!(changed, added.replace("\"a\"", "\"b\""));
        assert_eq!(set_at(&added, &path, "x-key", None).as_deref(), Ok("order = 1\n\n"));
    }

    #[test]
    fn the_last_key_takes_its_table_along() {
        let removed = set(TEXT, "environment", "TICKET", None).unwrap_or_default();
        assert_eq!(removed, TEXT.replace("[environment]\nTICKET = \"a # b\"\n", ""));
        assert_eq!(set(TEXT, "limits", "deadline_ms", None).as_deref(), Ok(TEXT));
    }

    #[test]
    fn another_notation_is_left_alone() {
        assert!(set("limits = { deadline_ms = 5 }\n", "limits", "deadline_ms", Some(&6.into())).is_err());
        assert!(set("limits.deadline_ms = 5\n", "limits", "deadline_ms", Some(&6.into())).is_err());
        assert!(set("order = \n", "", "order", Some(&6.into())).is_err());
    }
}
