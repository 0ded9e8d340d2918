//! The operator's settings of a connector: display name, logos, and the key of users' identities.

use crate::documents::language::LanguageTag;
use crate::documents::text::Text;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of languages of a name.
const MAX_LANGUAGES: usize = 64;

/// The key under which identities of users are stored: letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ConnectorTarget(String);

impl ConnectorTarget {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ConnectorTarget {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if (1..=128).contains(&text.len()) && text.bytes().all(is_word) {
            Ok(Self(text))
        } else {
            Err("expected 1 to 128 letters, digits, - and _")
        }
    }
}

impl From<ConnectorTarget> for String {
    fn from(target: ConnectorTarget) -> Self {
        target.0
    }
}

/// What an operator says about a connector.
#[derive(Clone, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorMetadata {
    /// What identities of users are kept under.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, pattern = "^[A-Za-z0-9_-]{1,128}$")]
    pub target: Option<ConnectorTarget>,
    /// Its name, by language.
    #[serde(default, deserialize_with = "names", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    pub name: Option<BTreeMap<LanguageTag, Text<1, 128>>>,
    /// The URL of its picture.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    pub logo: Option<Text<0, 2048>>,
    /// The same for dark pages.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    pub logo_dark: Option<Text<0, 2048>>,
}

impl ConnectorMetadata {
    /// Whether no setting is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.target.is_none() && self.name.is_none() && self.logo.is_none() && self.logo_dark.is_none()
    }
}

fn names<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<BTreeMap<LanguageTag, Text<1, 128>>>, D::Error> {
    let names = BTreeMap::<LanguageTag, Text<1, 128>>::deserialize(input)?;
    if names.len() > MAX_LANGUAGES {
        return Err(serde::de::Error::custom(format!("expected at most {MAX_LANGUAGES} languages")));
    }
    Ok(Some(names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_target_is_a_word() {
        for (target, fits) in [("google", true), ("my-idp_2", true), ("", false), ("a b", false), ("a/b", false)] {
            let read = serde_json::from_value::<ConnectorMetadata>(json!({ "target": target }));
            assert_eq!(read.is_ok(), fits, "{target}");
        }
        assert!(serde_json::from_value::<ConnectorMetadata>(json!({ "name": { "no tag": "x" } })).is_err());
        assert!(serde_json::from_value::<ConnectorMetadata>(json!({})).is_ok_and(|empty| empty.is_empty()));
    }
}
