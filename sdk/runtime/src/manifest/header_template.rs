//! `[capabilities.http.headers]`: the value of a header with `{secret:NAME}` in it, which the host fills in.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What stands before the name of a secret; `}` stands behind it.
const MARK: &str = "{secret:";

/// Bytes of a template.
const MAX_BYTES: usize = 1024;

/// The value of a header, such as `Bearer {secret:API_KEY}`. It names at least one secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct HeaderTemplate {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Secret(String),
}

impl HeaderTemplate {
    /// The names of the secrets in it.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Secret(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// The text with a value in place of each secret; the error is the name of one that has none.
    pub(crate) fn fill<'v>(&self, value: impl Fn(&str) -> Option<&'v str>) -> Result<String, String> {
        let mut filled = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => filled.push_str(text),
                Part::Secret(name) => filled.push_str(value(name).ok_or_else(|| name.clone())?),
            }
        }
        Ok(filled)
    }
}

impl FromStr for HeaderTemplate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() > MAX_BYTES {
            return Err(format!("a value has {} bytes; at most {MAX_BYTES} are accepted", text.len()));
        }
        if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err("the value of a header is printable ASCII".to_owned());
        }
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some((before, after)) = rest.split_once(MARK) {
            let named = after.split_once('}').filter(|(name, _)| !name.is_empty() && !name.contains(['{', '=']));
            let (name, after) = named.ok_or_else(|| format!("`{text}` has no name between `{MARK}` and `}}`"))?;
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            parts.push(Part::Secret(name.to_owned()));
            rest = after;
        }
        if parts.is_empty() {
            return Err("it names no secret: write `{secret:NAME}`, or send the header from the plugin".to_owned());
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Self { text: text.to_owned(), parts })
    }
}

impl TryFrom<String> for HeaderTemplate {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<HeaderTemplate> for String {
    fn from(template: HeaderTemplate) -> Self {
        template.text
    }
}

impl fmt::Display for HeaderTemplate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn secrets_are_filled_in_where_they_are_named() {
        let template: HeaderTemplate = "Basic {secret:USER}:{secret:KEY}!".parse().unwrap();
        assert_eq!(template.secrets().collect::<Vec<_>>(), ["USER", "KEY"]);
        let value = |name: &str| if name == "USER" { Some("ada") } else { Some("{secret:USER}") };
        // A value is not read as a template.
        assert_eq!(template.fill(value).unwrap(), "Basic ada:{secret:USER}!");
        assert_eq!(template.fill(|name| (name == "USER").then_some("ada")).unwrap_err(), "KEY");
        assert_eq!(template.to_string(), "Basic {secret:USER}:{secret:KEY}!");
    }

    #[test]
    fn what_names_no_secret_is_refused() {
        for text in ["", "Bearer abc", "Bearer {secret:}", "Bearer {secret:KEY", "a\r\nb {secret:KEY}", "é{secret:KEY}"]
        {
            assert!(text.parse::<HeaderTemplate>().is_err(), "{text}");
        }
    }
}
