//! The username policy. Regardless of it, usernames are unique without regard to case, and never have characters beyond
//! [`Username`](crate::documents::username::Username).

use claimsmith_json::object;
use serde::{Deserialize, Serialize};

/// Maximum characters of any username.
const MAX_CHARACTERS: u16 = 128;

/// What user names may look like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", try_from = "UncheckedUsernamePolicy")]
pub struct UsernamePolicy {
    /// Only false is accepted: two usernames never differ in case alone.
    pub case_sensitive: bool,
    /// The fewest characters.
    #[schema(minimum = 1, maximum = 128)]
    pub min_length: u16,
    /// The most characters.
    #[schema(minimum = 1, maximum = 128)]
    pub max_length: u16,
    /// What they are made of.
    pub allowed_chars: AllowedChars,
}

/// Characters of user names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a box to tick")]
pub struct AllowedChars {
    /// `a` to `z`.
    pub lowercase: bool,
    /// `A` to `Z`.
    pub uppercase: bool,
    /// `0` to `9`.
    pub numbers: bool,
    /// `_`.
    pub underscore: bool,
    /// `.`, not as the first character.
    pub dot: bool,
    /// `-`, not as the first character.
    pub hyphen: bool,
    /// Letters beyond ASCII, of one script.
    pub letters: bool,
    /// A digit as the first character.
    pub leading_digit: bool,
    /// `@` within the name, with `.`, `-` and `+`: names like email addresses. Only the Management API and imports set
    /// them, and none is the email address of another user.
    pub at: bool,
}

impl AllowedChars {
    /// Whether users can choose only names of ASCII letters, digits and `_`.
    #[must_use]
    pub fn are_plain(&self) -> bool {
        !(self.dot || self.hyphen || self.letters || self.leading_digit)
    }
}

impl Default for AllowedChars {
    fn default() -> Self {
        Self {
            lowercase: true,
            uppercase: true,
            numbers: true,
            underscore: true,
            dot: false,
            hyphen: false,
            letters: false,
            leading_digit: false,
            at: false,
        }
    }
}

impl Default for UsernamePolicy {
    fn default() -> Self {
        Self {
            case_sensitive: false,
            min_length: 1,
            max_length: MAX_CHARACTERS,
            allowed_chars: AllowedChars::default(),
        }
    }
}

/// The policy before validation; omitted members have their defaults.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct UncheckedUsernamePolicy {
    case_sensitive: bool,
    min_length: u16,
    max_length: u16,
    #[serde(deserialize_with = "object")]
    allowed_chars: AllowedChars,
}

impl Default for UncheckedUsernamePolicy {
    fn default() -> Self {
        let UsernamePolicy { case_sensitive, min_length, max_length, allowed_chars } = UsernamePolicy::default();
        Self { case_sensitive, min_length, max_length, allowed_chars }
    }
}

impl TryFrom<UncheckedUsernamePolicy> for UsernamePolicy {
    type Error = &'static str;

    fn try_from(given: UncheckedUsernamePolicy) -> Result<Self, Self::Error> {
        let UncheckedUsernamePolicy { case_sensitive, min_length, max_length, allowed_chars } = given;
        if min_length == 0 || min_length > max_length || max_length > MAX_CHARACTERS {
            return Err("expected 1 <= minLength <= maxLength <= 128");
        }
        let AllowedChars { lowercase, uppercase, numbers, underscore, letters, leading_digit, .. } = allowed_chars;
        if !(lowercase || uppercase || underscore || letters || numbers && leading_digit) {
            return Err("expected letters, underscores or leading digits: a username begins with one");
        }
        Ok(Self { case_sensitive, min_length, max_length, allowed_chars })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_lets_somebody_in() {
        for (text, fits) in [
            ("{}", true),
            (r#"{"minLength":3,"maxLength":3}"#, true),
            (r#"{"minLength":0}"#, false),
            (r#"{"minLength":4,"maxLength":3}"#, false),
            (r#"{"maxLength":129}"#, false),
            (r#"{"allowedChars":{"uppercase":false,"numbers":false}}"#, true),
            (r#"{"allowedChars":{"uppercase":false,"lowercase":false,"underscore":false}}"#, false),
            (r#"{"allowedChars":{"uppercase":false,"lowercase":false,"underscore":false,"leadingDigit":true}}"#, true),
            (r#"{"allowedChars":{"uppercase":false,"lowercase":false,"underscore":false,"dot":true}}"#, false),
            (r#"{"allowedChars":{"dot":"yes"}}"#, false),
            (r#"{"allowedChars":[true]}"#, false),
        ] {
            assert_eq!(serde_json::from_str::<UsernamePolicy>(text).is_ok(), fits, "{text}");
        }
    }
}
