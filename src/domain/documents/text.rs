//! Strings of bounded length, so that every parsed body can be stored.

use super::{fold, schema};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A text of `MIN` to `MAX` characters, kept in its composed form (NFC).
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const MIN: usize, const MAX: usize> fmt::Debug for Text<MIN, MAX> {
    /// Omits the text: it may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Text").finish_non_exhaustive()
    }
}

impl<const MIN: usize, const MAX: usize> TryFrom<String> for Text<MIN, MAX> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let text = fold::compose(&text).into_owned();
        let length = text.chars().count();
        if (MIN..=MAX).contains(&length) {
            Ok(Self(text))
        } else {
            Err(format!("expected {MIN} to {MAX} characters, found {length}"))
        }
    }
}

/// A text of a member that was given: null and the empty text are `None`, and take away what there was.
pub fn present_unless_empty<'de, D, T>(input: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<String>,
    T::Error: fmt::Display,
{
    let text = Option::<String>::deserialize(input)?.filter(|text| !text.is_empty());
    text.map(T::try_from).transpose().map(Some).map_err(serde::de::Error::custom)
}

impl<const MIN: usize, const MAX: usize> From<Text<MIN, MAX>> for String {
    fn from(text: Text<MIN, MAX>) -> Self {
        text.0
    }
}

impl<const MIN: usize, const MAX: usize> PartialSchema for Text<MIN, MAX> {
    fn schema() -> RefOr<Schema> {
        schema::text(MIN, Some(MAX))
    }
}

impl<const MIN: usize, const MAX: usize> ToSchema for Text<MIN, MAX> {
    fn name() -> Cow<'static, str> {
        schema::inline(format!("Text.{MIN}.{MAX}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters_and_not_bytes() {
        for (text, fits) in [("", false), ("a", true), ("äöü", true), ("abcd", false)] {
            assert_eq!(Text::<1, 3>::try_from(text.to_owned()).is_ok(), fits, "{text:?}");
        }
    }
}
