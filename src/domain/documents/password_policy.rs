//! The password policy: length, character classes, and rejected content.

use super::bounded_vec::BoundedVec;
use super::text::Text;
use claimsmith_json::{present, present_object};
use serde::{Deserialize, Serialize};

/// Maximum characters of any password.
const MAX_PASSWORD_CHARACTERS: u16 = 256;
/// Default minimum of characters.
const DEFAULT_MIN_CHARACTERS: u16 = 8;

/// What passwords may be. What is not given is by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordPolicy {
    /// How long.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = PasswordLength, required = false)]
    pub length: Option<PasswordLength>,
    /// Of how many kinds of characters.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = CharacterTypes, required = false)]
    pub character_types: Option<CharacterTypes>,
    /// What is refused although it is long enough.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = PasswordRejects, required = false)]
    pub rejects: Option<PasswordRejects>,
}

/// How long passwords are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(try_from = "GivenLength")]
pub struct PasswordLength {
    /// The fewest characters; 8 when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u16, required = false, minimum = 1, maximum = 256)]
    pub min: Option<u16>,
    /// The most characters; 256 when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u16, required = false, minimum = 1, maximum = 256)]
    pub max: Option<u16>,
}

/// Of how many kinds of characters passwords are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CharacterTypes {
    /// At least so many of small letters, capital letters, digits and symbols; 1 when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u8, required = false, minimum = 1, maximum = 4)]
    pub min: Option<OneToFour>,
}

/// What is refused although it is long enough.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordRejects {
    /// Whether the passwords that many people use, or that are breached, are refused; they are when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub pwned: Option<bool>,
    /// Whether `aaaa` and `1234` are; they are when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub repetition_and_sequence: Option<bool>,
    /// Whether the user's own name, email address and phone number are rejected; they are when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub user_info: Option<bool>,
    /// Further words, such as the name of the product.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub words: Option<BoundedVec<Text<1, 128>, 1000>>,
}

/// A number of character classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct OneToFour(u8);

impl TryFrom<u8> for OneToFour {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if (1..=4).contains(&number) { Ok(Self(number)) } else { Err("expected 1 to 4") }
    }
}

impl From<OneToFour> for u8 {
    fn from(number: OneToFour) -> Self {
        number.0
    }
}

#[derive(Deserialize)]
struct GivenLength {
    #[serde(default, deserialize_with = "present")]
    min: Option<u16>,
    #[serde(default, deserialize_with = "present")]
    max: Option<u16>,
}

impl TryFrom<GivenLength> for PasswordLength {
    type Error = &'static str;

    fn try_from(GivenLength { min, max }: GivenLength) -> Result<Self, Self::Error> {
        let length = Self { min, max };
        if length.least() >= 1 && length.least() <= length.most() && length.most() <= MAX_PASSWORD_CHARACTERS {
            Ok(length)
        } else {
            Err("expected 1 <= min <= max <= 256, where min is 8 when it is not given")
        }
    }
}

impl PasswordLength {
    fn least(&self) -> u16 {
        self.min.unwrap_or(DEFAULT_MIN_CHARACTERS)
    }

    fn most(&self) -> u16 {
        self.max.unwrap_or(MAX_PASSWORD_CHARACTERS)
    }
}

impl PasswordPolicy {
    /// Minimum number of characters.
    #[must_use]
    pub fn min_length(&self) -> usize {
        self.length.as_ref().map_or(DEFAULT_MIN_CHARACTERS, PasswordLength::least).into()
    }

    /// Maximum number of characters.
    #[must_use]
    pub fn max_length(&self) -> usize {
        self.length.as_ref().map_or(MAX_PASSWORD_CHARACTERS, PasswordLength::most).into()
    }

    /// Minimum number of character classes.
    #[must_use]
    pub fn min_types(&self) -> usize {
        self.character_types.as_ref().and_then(|types| types.min).map_or(1, |min| min.0).into()
    }

    /// Whether this rejection is enabled; it is by default.
    #[must_use]
    pub fn rejects(&self, what: impl Fn(&PasswordRejects) -> Option<bool>) -> bool {
        self.rejects.as_ref().and_then(what).unwrap_or(true)
    }

    /// Additional rejected words.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let words = self.rejects.as_ref().and_then(|rejects| rejects.words.as_deref()).unwrap_or_default();
        words.iter().map(Text::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_can_be_kept() {
        for (text, fits) in [
            ("{}", true),
            (r#"{"length":{}}"#, true),
            (r#"{"length":{"min":1,"max":1}}"#, true),
            (r#"{"length":{"min":257}}"#, false),
            (r#"{"length":{"max":257}}"#, false),
            (r#"{"length":{"max":7}}"#, false),
            (r#"{"length":{"min":0}}"#, false),
            (r#"{"length":[8,9]}"#, false),
            (r#"{"length":null}"#, false),
            (r#"{"characterTypes":{"min":4}}"#, true),
            (r#"{"characterTypes":{"min":5}}"#, false),
            (r#"{"rejects":{"pwned":false,"words":["acme"]}}"#, true),
            (r#"{"rejects":{"words":[""]}}"#, false),
        ] {
            assert_eq!(serde_json::from_str::<PasswordPolicy>(text).is_ok(), fits, "{text}");
        }
    }

    #[test]
    fn what_is_not_given_is_not_written() {
        let text = r#"{"length":{"min":10},"rejects":{"userInfo":false}}"#;
        let policy = serde_json::from_str::<PasswordPolicy>(text);
        assert_eq!(policy.and_then(|policy| serde_json::to_string(&policy)).ok().as_deref(), Some(text));
    }
}
