//! The error of a manifest: file, line, key and reason, without the text around it, which may contain a secret.

use std::ops::Range;

/// Why a manifest was refused. The text is for whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    file: String,
    /// Where it begins, and where it ends if more than a point is at fault: lines and columns, from 1.
    start: Option<(u32, Option<u32>)>,
    end: Option<(u32, u32)>,
    key: Option<String>,
    message: String,
}

impl ManifestError {
    pub(super) fn new(file: &str, key: &str, message: String) -> Self {
        Self { file: file.to_owned(), start: None, end: None, key: Some(key.to_owned()), message }
    }

    /// The file's name.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// From 1, where one line is at fault.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.start.map(|(line, _)| line)
    }

    /// From 1, in characters, where it is known.
    #[must_use]
    pub fn column(&self) -> Option<u32> {
        self.start.and_then(|(_, column)| column)
    }

    /// Behind its end: line and column, where more than a point is at fault.
    #[must_use]
    pub fn end(&self) -> Option<(u32, u32)> {
        self.end
    }

    /// The key, dotted, where one is at fault.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// What is wrong with it.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The file could not be read at all.
    pub(crate) fn unreadable(file: &str, message: String) -> Self {
        Self { file: file.to_owned(), start: None, end: None, key: None, message }
    }

    /// `toml`'s own rendering quotes the line; this one keeps only what was expected and where.
    pub(super) fn from_toml(file: &str, text: &str, path: &str, error: &toml::de::Error) -> Self {
        let span = error.span();
        let start = span.as_ref().map(|span| position(text, span.start)).map(|(line, column)| (line, Some(column)));
        let end = span.filter(|span| !Range::is_empty(span)).map(|span| position(text, span.end));
        Self { file: file.to_owned(), start, end, key: key_at(path), message: error.message().to_owned() }
    }

    /// The same of a manifest in JSON, whose errors repeat their place.
    pub(super) fn from_json(file: &str, path: &str, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
        let number = |count: usize| u32::try_from(count).ok().filter(|number| *number > 0);
        let start = number(error.line()).map(|line| (line, number(error.column())));
        Self { file: file.to_owned(), start, end: None, key: key_at(path), message }
    }
}

/// Line and column of a byte, both from 1.
fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
    (number(line), number(column))
}

fn key_at(path: &str) -> Option<String> {
    Some(path).filter(|path| !path.is_empty() && *path != ".").map(str::to_owned)
}

impl std::fmt::Display for ManifestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line() {
            write!(f, ", line {line}")?;
        }
        if let Some(key) = &self.key {
            write!(f, ", `{key}`")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ManifestError {}
