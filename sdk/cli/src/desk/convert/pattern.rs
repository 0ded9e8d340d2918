//! Regular expressions that are looked for in scripts, and what they find.

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Expression(pub(super) Regex);

impl TryFrom<String> for Expression {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        regex(&text).map(Self)
    }
}

/// Something found at a line.
#[derive(PartialEq)]
pub(super) struct PatternMatch<'a> {
    pub(super) line: usize,
    pub(super) found: &'a str,
    pub(super) says: &'a str,
}

/// The line of a byte of the code.
pub(super) fn line_at(code: &str, byte: usize) -> usize {
    code[..byte].matches('\n').count() + 1
}

/// A regular expression whose `^` and `$` are those of a line.
pub(super) fn regex(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).build()
}
