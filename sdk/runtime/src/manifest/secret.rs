//! `[secrets]`: variables whose values stand in the server's environment or in a file, never in the manifest.
//! Nothing here can print a value: not `Debug`, not an error.

use crate::files::{ReadError, read_file};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{borrow::Cow, collections::BTreeMap, path::Path, path::PathBuf};

/// The longest secret that is accepted, in bytes.
const MAX_SECRET: usize = 64 << 10;
/// What stands in a text in place of a secret.
const MASK: &str = "***";
/// What stands where a text was cut.
const CUT: char = '…';
/// Bytes of a secret, or of what is left of one, that tell it from any other text.
const TELLING: usize = 4;

/// Where the value of a secret is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", try_from = "toml::Value")]
pub enum SecretSource {
    /// In this variable of the server's environment.
    Env(String),
    /// In this file, without the line break that ends it. Relative paths start at the manifest's folder.
    File(PathBuf),
}

/// The values of a manifest's secrets, by name.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    pairs: Vec<(String, String)>,
    /// The values as they may stand in a text, the longest first, so that a part never hides the whole.
    masked: Vec<String>,
}

/// Why a secret has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("secret `{name}`: {reason}")]
pub struct SecretError {
    name: String,
    reason: String,
}

impl TryFrom<toml::Value> for SecretSource {
    type Error = &'static str;

    /// Goes by way of a value, since serde's own messages quote what they found: perhaps the secret itself.
    fn try_from(value: toml::Value) -> Result<Self, Self::Error> {
        const FORM: &str = "a secret is { env = \"VARIABLE\" } or { file = \"path\" }, never the value itself";
        let mut entries = value.as_table().into_iter().flatten();
        match (entries.next(), entries.next()) {
            (Some((key, toml::Value::String(text))), None) if key == "env" && !text.is_empty() => {
                Ok(Self::Env(text.clone()))
            }
            (Some((key, toml::Value::String(text))), None) if key == "file" && !text.is_empty() => {
                Ok(Self::File(text.into()))
            }
            _ => Err(FORM),
        }
    }
}

impl Secrets {
    pub(super) fn resolve(sources: &BTreeMap<String, SecretSource>, folder: &Path) -> Result<Self, SecretError> {
        let value = |(name, source): (&String, &SecretSource)| match source.read(folder) {
            Ok(value) => Ok((name.clone(), value)),
            Err(reason) => Err(SecretError { name: name.clone(), reason }),
        };
        Ok(Self::from_pairs(sources.iter().map(value).collect::<Result<_, _>>()?))
    }

    /// Values that are known otherwise, such as the placeholders of a test.
    #[must_use]
    pub fn from_pairs(pairs: Vec<(String, String)>) -> Self {
        let mut masked: Vec<String> = Vec::new();
        for (_, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
            // A plugin that logs an object logs its values escaped.
            let json = serde_json::Value::from(value.as_str()).to_string();
            let escaped = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or(&json);
            masked.extend([value.clone(), escaped.to_owned()]);
        }
        masked.sort_by_key(|value| std::cmp::Reverse(value.len()));
        masked.dedup();
        Self { pairs, masked }
    }

    /// Names and values.
    #[must_use]
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// The name of a secret whose value is in the claims: in a text or a name, at any depth, or as a number. Values of
    /// less than four bytes are not looked for: they are in everything.
    #[must_use]
    pub fn find_in(&self, claims: &Map<String, Value>) -> Option<&str> {
        let telling = self.pairs.iter().filter(|(_, value)| value.len() >= TELLING);
        let mut found = telling.filter(|(_, value)| in_members(claims, value));
        found.next().map(|(name, _)| name.as_str())
    }

    /// The name of a secret whose value is in the text: as it is, behind escapes if the text is JSON, or behind
    /// percent-encoding. As [`Self::find_in`].
    #[must_use]
    pub fn find_in_text(&self, text: &str) -> Option<&str> {
        if self.pairs.is_empty() {
            return None;
        }
        let json: Option<Value> = serde_json::from_str(text).ok();
        let decoded = text.contains('%').then(|| percent_decoded(text));
        let is_in = |value: &str| {
            text.contains(value)
                || json.as_ref().is_some_and(|json| in_value(json, value))
                || decoded.as_ref().is_some_and(|decoded| decoded.contains(value))
        };
        let mut telling = self.pairs.iter().filter(|(_, value)| value.len() >= TELLING);
        telling.find(|(_, value)| is_in(value)).map(|(name, _)| name.as_str())
    }

    /// The text with `***` in place of every value that stands in it, and of what is left of one where the text was
    /// cut.
    #[must_use]
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for value in &self.masked {
            if text.contains(value.as_str()) {
                text = Cow::Owned(text.replace(value.as_str(), MASK));
            }
        }
        if text.contains(CUT) { Cow::Owned(self.mask_remains(&text)) } else { text }
    }

    fn mask_remains(&self, text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        for piece in text.split_inclusive(CUT) {
            let before = piece.strip_suffix(CUT);
            let remains = before.map_or(0, |before| {
                self.masked.iter().map(|value| beginning_at_end(before, value)).max().unwrap_or_default()
            });
            match before {
                Some(before) if remains > 0 => {
                    masked.push_str(&before[..before.len() - remains]);
                    masked.push_str(MASK);
                    masked.push(CUT);
                }
                _ => masked.push_str(piece),
            }
        }
        masked
    }
}

/// Bytes of the longest telling beginning of `value` with which `text` ends.
fn beginning_at_end(text: &str, value: &str) -> usize {
    let ends = |len: &usize| value.is_char_boundary(*len) && text.ends_with(&value[..*len]);
    (TELLING..value.len()).rev().find(ends).unwrap_or_default()
}

fn percent_decoded(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| *first == b'%').and_then(|digits| hex::decode(digits).ok());
        decoded.push(hex.as_ref().and_then(|bytes| bytes.first().copied()).unwrap_or(*first));
        rest = if hex.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn in_members(members: &Map<String, Value>, secret: &str) -> bool {
    members.iter().any(|(name, value)| name.contains(secret) || in_value(value, secret))
}

fn in_value(value: &Value, secret: &str) -> bool {
    match value {
        Value::String(text) => text.contains(secret),
        Value::Number(number) => number.to_string() == secret,
        Value::Array(items) => items.iter().any(|item| in_value(item, secret)),
        Value::Object(members) => in_members(members, secret),
        Value::Null | Value::Bool(_) => false,
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.pairs.iter().map(|(name, _)| (name, MASK))).finish()
    }
}

impl SecretSource {
    fn read(&self, folder: &Path) -> Result<String, String> {
        let value = match self {
            Self::Env(variable) => match std::env::var(variable) {
                Ok(value) => value,
                Err(std::env::VarError::NotPresent) => return Err(format!("the variable {variable} is not set")),
                Err(std::env::VarError::NotUnicode(_)) => return Err(format!("the variable {variable} is no UTF-8")),
            },
            Self::File(path) => {
                let shown = path.display();
                let bytes = read_file(&folder.join(path), MAX_SECRET).map_err(|error| match error {
                    ReadError::TooLarge { .. } => format!("{shown} is larger than {MAX_SECRET} bytes"),
                    other => format!("{shown} {other}"),
                })?;
                let text = String::from_utf8(bytes).map_err(|_| format!("{shown} is no UTF-8"))?;
                let line = text.strip_suffix('\n').unwrap_or(&text);
                line.strip_suffix('\r').unwrap_or(line).to_owned()
            }
        };
        // A variable that was set to nothing is a mistake far more often than a secret.
        if value.is_empty() { Err("the value is empty".to_owned()) } else { Ok(value) }
    }
}
