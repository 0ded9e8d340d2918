//! Languages: their tags (BCP 47).

use serde::{Deserialize, Serialize};

/// Maximum bytes of a tag.
pub(crate) const MAX_TAG_BYTES: usize = 35;

/// The built-in languages, English first.
pub const BUILT_IN: [&str; 6] = ["en", "de", "fr", "es", "ja", "zh"];

/// A tag such as `en` or `pt-BR`, each part in its canonical case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LanguageTag(String);

impl LanguageTag {
    /// English: every text exists in it.
    #[must_use]
    pub fn english() -> Self {
        Self("en".to_owned())
    }

    /// The tag.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for LanguageTag {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const EXPECTED: &str = "expected a language tag such as en or pt-BR";
        if text.len() > MAX_TAG_BYTES {
            return Err(EXPECTED);
        }
        let mut tag = String::with_capacity(text.len());
        for (index, part) in text.split('-').enumerate() {
            let is_part = match index {
                0 => (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic()),
                _ => (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            };
            if !is_part {
                return Err(EXPECTED);
            }
            if index > 0 {
                tag.push('-');
            }
            match (index, part.len()) {
                (0, _) => tag.push_str(&part.to_ascii_lowercase()),
                // A region.
                (_, 2) => tag.push_str(&part.to_ascii_uppercase()),
                // A script.
                (_, 4) => {
                    let (first, rest) = part.split_at(1);
                    tag.push_str(&first.to_ascii_uppercase());
                    tag.push_str(&rest.to_ascii_lowercase());
                }
                _ => tag.push_str(&part.to_ascii_lowercase()),
            }
        }
        Ok(Self(tag))
    }
}

impl From<LanguageTag> for String {
    fn from(tag: LanguageTag) -> Self {
        tag.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_written_in_one_way() {
        for (text, tag) in [
            ("en", Some("en")),
            ("PT-br", Some("pt-BR")),
            ("zh-hant-tw", Some("zh-Hant-TW")),
            ("de-1996", Some("de-1996")),
            ("sl-ROZAJ", Some("sl-rozaj")),
            ("", None),
            ("e", None),
            ("en-", None),
            ("en_US", None),
            ("1e", None),
            ("en-a/b", None),
            ("en-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa", None),
        ] {
            assert_eq!(LanguageTag::try_from(text.to_owned()).ok().map(|tag| tag.0).as_deref(), tag, "{text:?}");
        }
    }
}
