//! Names that are compared after Unicode normalization.

use crate::documents::fold::compose;
use crate::documents::schema;
use crate::documents::text::Text;
use serde::Deserialize;
use std::borrow::Cow;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A text of `MIN` to `MAX` characters in Unicode's composed form (NFC). Case-sensitive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Name<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> TryFrom<String> for Name<MIN, MAX> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Text::<MIN, MAX>::try_from(compose(&text).into_owned()).map(|text| Self(text.into()))
    }
}

impl<const MIN: usize, const MAX: usize> From<Name<MIN, MAX>> for String {
    fn from(name: Name<MIN, MAX>) -> Self {
        name.0
    }
}

impl<const MIN: usize, const MAX: usize> PartialSchema for Name<MIN, MAX> {
    fn schema() -> RefOr<Schema> {
        schema::text(MIN, Some(MAX))
    }
}

impl<const MIN: usize, const MAX: usize> ToSchema for Name<MIN, MAX> {
    fn name() -> Cow<'static, str> {
        schema::inline(format!("Name.{MIN}.{MAX}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_are_one_name() {
        let name = |text: &str| Name::<1, 2>::try_from(text.to_owned());
        assert_eq!(name("a\u{308}"), name("\u{e4}"));
        assert_ne!(name("a"), name("A"));
        // Three code points as sent, two characters as stored.
        assert!(name("a\u{308}b").is_ok());
        assert!(name("").is_err() && name("abc").is_err());
    }
}
