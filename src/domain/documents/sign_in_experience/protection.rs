//! Protection against guessing and abuse: codes, lockout, captcha, blocked email addresses, password expiration, and
//! password recovery.

use super::methods::Channel;
use crate::documents::bounded_vec::BoundedVec;
use crate::documents::text::Text;
use crate::documents::user::Email;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};

/// Maximum entries of a list of email addresses.
const MAX_ADDRESSES: usize = 1000;

/// A way to reset a forgotten password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum ForgotPasswordMethod {
    /// A code by email.
    EmailVerificationCode,
    /// A code by text message.
    PhoneVerificationCode,
}

impl ForgotPasswordMethod {
    /// The channel of the code.
    #[must_use]
    pub fn channel(self) -> Channel {
        match self {
            Self::EmailVerificationCode => Channel::Email,
            Self::PhoneVerificationCode => Channel::Phone,
        }
    }
}

/// A number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Within<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> TryFrom<u32> for Within<MIN, MAX> {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        if (MIN..=MAX).contains(&number) { Ok(Self(number)) } else { Err(format!("expected {MIN} to {MAX}")) }
    }
}

impl<const MIN: u32, const MAX: u32> From<Within<MIN, MAX>> for u32 {
    fn from(number: Within<MIN, MAX>) -> Self {
        number.0
    }
}

/// How long codes live.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerificationCodePolicy {
    /// Seconds; 600 when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false, minimum = 60, maximum = 3600)]
    pub expiration_duration: Option<Within<60, 3600>>,
    /// How many wrong attempts a code allows; 10 when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 100)]
    pub max_retry_attempts: Option<Within<1, 100>>,
}

/// When repeated failures lock an account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentinelPolicy {
    /// Failures within an hour; 10 when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 10_000)]
    pub max_attempts: Option<Within<1, 10_000>>,
    /// Minutes; 60 when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 525_600)]
    pub lockout_duration: Option<Within<1, 525_600>>,
}

/// Proving to be a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CaptchaPolicy {
    /// Whether it is asked for; not when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub enabled: Option<bool>,
}

/// Email addresses that cannot be used to register.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailBlocklistPolicy {
    /// Whether those of services for throw-away addresses are refused, as the operator lists them
    /// (`emails.disposable_domains_file`).
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub block_disposable_addresses: Option<bool>,
    /// Whether those with a `+` before the `@` are refused.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub block_subaddressing: Option<bool>,
    /// Addresses and domains (`@example.com`), where `*` stands for any characters. If there are any, no other address is
    /// accepted. What is blocked is blocked although it is here.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub custom_allowlist: Option<BoundedVec<Text<1, 129>, MAX_ADDRESSES>>,
    /// Addresses and domains (`@example.com`) that are refused, where `*` stands for any characters.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub custom_blocklist: Option<BoundedVec<Text<1, 129>, MAX_ADDRESSES>>,
}

impl EmailBlocklistPolicy {
    /// Whether each entry is an email address, or a domain after an `@`.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        let is_entry = |entry: &Text<1, 129>| {
            let entry = entry.as_str();
            // A character that is valid in both parts of an email address.
            let example = entry.replace('*', "x");
            let address = if entry.starts_with('@') { format!("any{example}") } else { example };
            entry.matches('@').count() == 1 && Email::try_from(address).is_ok()
        };
        let lists = [&self.custom_allowlist, &self.custom_blocklist];
        lists.into_iter().flatten().all(|list| list.iter().all(is_entry))
    }
}

/// Passwords that expire, in other systems: no value but the default and the stored one is accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordExpiration {
    /// Whether they do; not when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub enabled: Option<bool>,
    /// After so many days.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 3650)]
    pub valid_period_days: Option<u32>,
    /// Since when they do. Unix milliseconds.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    pub enabled_at: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_addresses_and_domains() {
        for (entry, fits) in [
            ("a@b.c", true),
            ("@b.c", true),
            ("b.c", false),
            ("@", false),
            ("@b", false),
            ("a@b@c.d", false),
            ("a b@c.d", false),
            ("*@b.c", true),
            ("@*.b.c", true),
            ("a*@*.c", true),
            ("@*", false),
            ("*", false),
        ] {
            let policy = serde_json::json!({ "customBlocklist": [entry] });
            let policy = serde_json::from_value::<EmailBlocklistPolicy>(policy);
            assert_eq!(policy.is_ok_and(|policy| policy.is_well_formed()), fits, "{entry}");
        }
    }
}
