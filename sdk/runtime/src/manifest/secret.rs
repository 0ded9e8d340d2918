//! `[secrets]`: variables whose values are in the server's environment or in a file, never in the manifest; and masking
//! those values in texts. No value is ever shown by `Debug` or an error.

use super::encoded::encoded;
use crate::files::{ReadError, read_file};
use data_encoding::HEXLOWER_PERMISSIVE;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{borrow::Cow, collections::BTreeMap, path::Path, path::PathBuf};

/// The longest secret that is accepted, in bytes.
const MAX_SECRET_BYTES: usize = 64 << 10;
/// What stands in a text in place of a secret.
const MASK: &str = "***";
/// What stands where a text was cut.
const TRUNCATION_MARK: char = '…';
/// The fewest bytes of a secret, or of its beginning, that are masked: fewer occur in any text.
const MIN_MASKED_BYTES: usize = 4;

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
    /// The values as they may stand in a text, encoded or not, the longest first, so that a part never hides the whole.
    masked: Vec<String>,
    /// Of each value that is long enough to be looked for, how else it may be written.
    encoded: Vec<Vec<String>>,
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

    /// Values that are known otherwise, such as those of an uploaded plugin.
    #[must_use]
    pub fn from_pairs(pairs: Vec<(String, String)>) -> Self {
        let mut masked: Vec<String> = Vec::new();
        for (_, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
            // A plugin that logs an object logs its values escaped.
            let json = serde_json::Value::from(value.as_str()).to_string();
            let escaped = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or(&json);
            // Some write a slash escaped, too.
            masked.extend([value.clone(), escaped.to_owned(), escaped.replace('/', "\\/")]);
        }
        let telling = |value: &str| if value.len() >= MIN_MASKED_BYTES { encoded(value) } else { Vec::new() };
        let encoded: Vec<_> = pairs.iter().map(|(_, value)| telling(value)).collect();
        masked.extend(encoded.iter().flatten().cloned());
        masked.sort_by_key(|value| std::cmp::Reverse(value.len()));
        masked.dedup();
        Self { pairs, masked, encoded }
    }

    /// With a placeholder as each value, for callers that may not have the real ones.
    #[must_use]
    pub fn placeholders(names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let pair = |name: &str| (name.to_owned(), Self::placeholder(name));
        Self::from_pairs(names.into_iter().map(|name| pair(name.as_ref())).collect())
    }

    /// The placeholder of the secret with this name: `secret:NAME`.
    #[must_use]
    pub fn placeholder(name: &str) -> String {
        format!("secret:{name}")
    }

    /// Names and values.
    #[must_use]
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// The name of a secret whose value is in the claims: in a text or a name, at any depth, or as a number; as it is,
    /// or in base64, hexadecimal digits or percent-encoding. Values of less than four bytes are not looked for: they
    /// are in everything.
    #[must_use]
    pub fn find_in(&self, claims: &Map<String, Value>) -> Option<&str> {
        self.telling()
            .find(|(_, spellings)| spellings.iter().any(|text| in_members(claims, text)))
            .map(|(name, _)| name)
    }

    /// The name of a secret whose value is in the text: as it is, behind escapes if the text is JSON, or encoded. As
    /// [`Self::find_in`].
    #[must_use]
    pub fn find_in_text(&self, text: &str) -> Option<&str> {
        if self.pairs.is_empty() {
            return None;
        }
        let unescaped = text.contains('\\').then(|| unescaped(text));
        let decoded = text.contains('%').then(|| percent_decoded(text));
        let is_in = |value: &&str| {
            text.contains(value)
                || unescaped.as_ref().is_some_and(|unescaped| unescaped.contains(value))
                || decoded.as_ref().is_some_and(|decoded| decoded.contains(value))
        };
        self.telling().find(|(_, spellings)| spellings.iter().any(is_in)).map(|(name, _)| name)
    }

    /// The name of each secret that is looked for, with its value as it is and encoded.
    fn telling(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let long = self.pairs.iter().zip(&self.encoded).filter(|((_, value), _)| value.len() >= MIN_MASKED_BYTES);
        long.map(|((name, value), encoded)| {
            (name.as_str(), std::iter::once(value).chain(encoded).map(String::as_str).collect())
        })
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
        if text.contains(TRUNCATION_MARK) { Cow::Owned(self.mask_truncated(&text)) } else { text }
    }

    /// What another server answered, with `***` in place of every value. Beginnings of values are left: a guest that
    /// guessed one would see whether it is right. An answer with a value behind escapes is an error.
    pub(crate) fn mask_response(&self, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let masked = match String::from_utf8(bytes) {
            Ok(text) => {
                let mut masked = text;
                for value in &self.masked {
                    if masked.contains(value.as_str()) {
                        masked = masked.replace(value.as_str(), MASK);
                    }
                }
                if let Some(name) = self.find_in_text(&masked) {
                    return Err(format!("the answer contains the value of the secret `{name}` in an unusual form"));
                }
                masked.into_bytes()
            }
            Err(error) => {
                // Every byte becomes the character of its number, so that what is no text is searched as one.
                let widened = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect::<String>();
                let mut masked = widened(error.as_bytes());
                for value in &self.masked {
                    masked = masked.replace(&widened(value.as_bytes()), MASK);
                }
                if let Some(name) = self.find_in_text(&masked) {
                    return Err(format!("the answer contains the value of the secret `{name}` in an unusual form"));
                }
                masked.chars().filter_map(|character| u8::try_from(character).ok()).collect()
            }
        };
        Ok(masked)
    }

    fn mask_truncated(&self, text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        for piece in text.split_inclusive(TRUNCATION_MARK) {
            let before = piece.strip_suffix(TRUNCATION_MARK);
            let remains = before.map_or(0, |before| {
                self.masked.iter().map(|value| beginning_at_end(before, value)).max().unwrap_or_default()
            });
            match before {
                Some(before) if remains > 0 => {
                    masked.push_str(&before[..before.len() - remains]);
                    masked.push_str(MASK);
                    masked.push(TRUNCATION_MARK);
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
    (MIN_MASKED_BYTES..value.len().min(text.len() + 1)).rev().find(ends).unwrap_or_default()
}

fn percent_decoded(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| *first == b'%').and_then(|digits| HEXLOWER_PERMISSIVE.decode(digits).ok());
        decoded.push(hex.as_ref().and_then(|bytes| bytes.first().copied()).unwrap_or(*first));
        rest = if hex.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// With the escapes of JSON resolved wherever they stand, whether or not the whole is JSON.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let unit = |at: usize| escape.get(at..at + 4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let (character, length) = match escape.as_bytes() {
            [b'u', ..] => {
                let low = if escape.get(5..7) == Some("\\u") { unit(7) } else { None };
                let units: Vec<u16> = unit(1).into_iter().chain(low).collect();
                match char::decode_utf16(units).next() {
                    Some(Ok(character)) => (character, if character.len_utf16() == 2 { 11 } else { 5 }),
                    _ => ('\\', 0),
                }
            }
            [b'n', ..] => ('\n', 1),
            [b't', ..] => ('\t', 1),
            [b'r', ..] => ('\r', 1),
            [b'b', ..] => ('\u{8}', 1),
            [b'f', ..] => ('\u{c}', 1),
            [byte @ (b'"' | b'\\' | b'/'), ..] => (char::from(*byte), 1),
            _ => ('\\', 0),
        };
        plain.push(character);
        rest = &escape[length..];
    }
    plain.push_str(rest);
    plain
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
                Err(std::env::VarError::NotUnicode(_)) => return Err(format!("the variable {variable} is not UTF-8")),
            },
            Self::File(path) => {
                let shown = path.display();
                let bytes = read_file(&folder.join(path), MAX_SECRET_BYTES).map_err(|error| match error {
                    ReadError::TooLarge { .. } => format!("{shown} is larger than {MAX_SECRET_BYTES} bytes"),
                    other => format!("{shown} {other}"),
                })?;
                let text = String::from_utf8(bytes).map_err(|_| format!("{shown} is not UTF-8"))?;
                let line = text.strip_suffix('\n').unwrap_or(&text);
                line.strip_suffix('\r').unwrap_or(line).to_owned()
            }
        };
        // A variable that was set to nothing is a mistake far more often than a secret.
        if value.is_empty() { Err("the value is empty".to_owned()) } else { Ok(value) }
    }
}
