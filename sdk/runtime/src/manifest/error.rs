//! The error of a manifest: file, line, key and reason, without the text around it, which may contain a secret.

use std::ops::Range;

/// Why a manifest was refused. The text is for whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    file: String,
    line: Option<usize>,
    key: Option<String>,
    message: String,
}

impl ManifestError {
    pub(super) fn new(file: &str, key: &str, message: String) -> Self {
        Self { file: file.to_owned(), line: None, key: Some(key.to_owned()), message }
    }

    /// The file's name.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// From 1, where one line is at fault.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.line.and_then(|line| u32::try_from(line).ok())
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
        Self { file: file.to_owned(), line: None, key: None, message }
    }

    /// `toml`'s own rendering quotes the line; this one keeps only what was expected and where.
    pub(super) fn from_toml(file: &str, text: &str, path: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map(|Range { start, .. }| 1 + text.bytes().take(start).filter(|b| *b == b'\n').count());
        Self { file: file.to_owned(), line, key: key_at(path), message: error.message().to_owned() }
    }

    /// The same of a manifest in JSON, whose errors repeat their place.
    pub(super) fn from_json(file: &str, path: &str, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
        let line = Some(error.line()).filter(|line| *line > 0);
        Self { file: file.to_owned(), line, key: key_at(path), message }
    }
}

fn key_at(path: &str) -> Option<String> {
    Some(path).filter(|path| !path.is_empty() && *path != ".").map(str::to_owned)
}

impl std::fmt::Display for ManifestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(key) = &self.key {
            write!(f, ", `{key}`")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ManifestError {}
