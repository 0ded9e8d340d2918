//! Search terms of a list.

use std::mem;

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchMode {
    /// SQL `LIKE`: `%` matches anything, `_` any character, `\` escapes the next one.
    Like,
    /// The exact text.
    Exact,
    /// SQL `SIMILAR TO`.
    SimilarTo,
    /// A regular expression that matches anywhere.
    Posix,
}

/// One search term: any of the values in any of the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Names of fields, as on the wire.
    pub fields: Vec<&'static str>,
    /// How they are compared.
    pub mode: MatchMode,
    /// At least one.
    pub values: Vec<String>,
}

/// All search terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// At least one.
    pub terms: Vec<Term>,
    /// Whether every term must match, or one is enough.
    pub all: bool,
    /// Whether the comparison is case-sensitive.
    pub case_sensitive: bool,
}

/// The literal prefix of every text that matches a `LIKE` pattern.
#[must_use]
pub fn literal_prefix(pattern: &str) -> String {
    let mut prefix = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '%' | '_' => break,
            '\\' => prefix.extend(letters.next()),
            _ => prefix.push(letter),
        }
    }
    prefix
}

/// The literal parts of a `LIKE` pattern between its wildcards, in order; some are empty. Every text that matches contains
/// each of them.
#[must_use]
pub fn literals(pattern: &str) -> Vec<String> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '%' | '_' => parts.push(mem::take(&mut part)),
            '\\' => part.extend(letters.next()),
            _ => part.push(letter),
        }
    }
    parts.push(part);
    parts
}

/// A `LIKE` pattern as a `GLOB` pattern, which is case-sensitive.
#[must_use]
pub fn to_glob(pattern: &str) -> String {
    let mut glob = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        let literal = match letter {
            '%' => {
                glob.push('*');
                continue;
            }
            '_' => {
                glob.push('?');
                continue;
            }
            '\\' => letters.next().unwrap_or('\\'),
            other => other,
        };
        if matches!(literal, '*' | '?' | '[') {
            glob.extend(['[', literal, ']']);
        } else {
            glob.push(literal);
        }
    }
    glob
}

/// A `SIMILAR TO` pattern as a regular expression.
#[must_use]
pub fn to_regex(pattern: &str) -> String {
    let mut regex = String::from("(?s)^(?:");
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '%' => regex.push_str(".*"),
            '_' => regex.push('.'),
            '\\' => regex.extend(['\\', letters.next().unwrap_or('\\')]),
            '.' | '^' | '$' => regex.extend(['\\', letter]),
            other => regex.push(other),
        }
    }
    regex + ")$"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_literal_parts() {
        for (pattern, expected) in [
            ("%ada%", &["", "ada", ""][..]),
            ("ada", &["ada"]),
            (r"%50\%_off%", &["", "50%", "off", ""]),
            (r"a\", &["a"]),
            ("", &[""]),
        ] {
            assert_eq!(literals(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn patterns_are_translated() {
        for (pattern, prefix, glob) in [
            ("ada%", "ada", "ada*"),
            ("%ada_", "", "*ada?"),
            (r"50\%_", "50%", "50%?"),
            ("a*b?[c]%", "a*b?[c]", "a[*]b[?][[]c]*"),
            (r"a\", "a", r"a\"),
        ] {
            assert_eq!((literal_prefix(pattern).as_str(), to_glob(pattern).as_str()), (prefix, glob), "{pattern}");
        }
        assert_eq!(to_regex(r"(a|b)%.\_"), r"(?s)^(?:(a|b).*\.\_)$");
    }
}
