//! A finding: one error in a plugin, with file, line and column, as compilers write it.

use crate::Language;
use std::fmt;

/// What is wrong, and where as far as that is known. Shown as `FILE:LINE:COLUMN: message`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The author's file.
    pub file: Option<String>,
    /// From 1.
    pub line: Option<u32>,
    /// From 1, in characters.
    pub column: Option<u32>,
    /// Behind its end: line and column, where more than a point is at fault.
    pub end: Option<(u32, u32)>,
    /// For the plugin's author.
    pub message: String,
}

impl Finding {
    /// Without a place.
    pub(crate) fn of(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// At the first of the author's positions that `text` names, such as the uppermost frame of a stack trace.
    pub(crate) fn at_first_position(text: &str) -> Self {
        let place = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')')).find_map(read_place);
        let Some((file, line, column)) = place else { return Self::of(text) };
        let (file, line, column) = (Some(file.to_owned()), Some(line), Some(column));
        Self { file, line, column, ..Self::of(text) }
    }
}

/// The first line of an error, with the first of the author's positions that its trace names.
#[must_use]
pub fn in_one_line(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default().trim_end();
    let Finding { file: Some(file), line: Some(line), column: Some(column), .. } = Finding::at_first_position(text)
    else {
        return first.to_owned();
    };
    let place = format!("{file}:{line}:{column}");
    if first.contains(&place) { first.to_owned() } else { format!("{first} {place}") }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message, .. } = self;
        if let Some(file) = file {
            write!(f, "{file}")?;
            for number in [line, column].into_iter().map_while(|number| *number) {
                write!(f, ":{number}")?;
            }
            write!(f, ": ")?;
        }
        write!(f, "{message}")
    }
}

/// Reads `NAME.js:LINE:COLUMN`, also with a colon behind it.
fn read_place(word: &str) -> Option<(&str, u32, u32)> {
    let mut parts = word.trim_end_matches([':', ',', '.']).rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let file = parts.next()?;
    let is_source = file.rsplit_once('.').is_some_and(|(_, ending)| Language::from_extension(ending).is_some());
    is_source.then_some((file, line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_one_line_names_its_place() {
        for (text, line) in [
            (
                "TypeError: not a function\n    at f (boom.js:1:86)\n    at boom.js:9:1",
                "TypeError: not a function boom.js:1:86",
            ),
            ("boom.js:2:3: no such case\n    at boom.js:2:3", "boom.js:2:3: no such case"),
            ("the plugin trapped: unreachable", "the plugin trapped: unreachable"),
            ("", ""),
        ] {
            assert_eq!(in_one_line(text), line);
        }
    }

    #[test]
    fn the_first_position_of_a_trace_is_found() {
        let found = Finding::at_first_position("Error: at 5:30 in x.txt:1:2\n    at f (a.ts:3:7)\n    at a.ts:9:1");
        assert_eq!((found.file.as_deref(), found.line, found.column), (Some("a.ts"), Some(3), Some(7)));
        let nowhere = Finding::at_first_position("it needs more than 64 MiB of memory to start");
        assert_eq!(nowhere, Finding::of("it needs more than 64 MiB of memory to start"));
    }

    #[test]
    fn a_finding_is_shown_as_compilers_do() {
        let whole = Finding {
            file: Some("a.js".to_owned()),
            line: Some(2),
            column: Some(4),
            message: "Unexpected token".to_owned(),
            ..Finding::default()
        };
        assert_eq!(whole.to_string(), "a.js:2:4: Unexpected token");
        assert_eq!(Finding { line: None, ..whole.clone() }.to_string(), "a.js: Unexpected token");
        assert_eq!(Finding { file: None, ..whole }.to_string(), "Unexpected token");
    }
}
