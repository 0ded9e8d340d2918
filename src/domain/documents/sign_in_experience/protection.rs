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

/// Maximum days that a password can be used.
const MAX_PASSWORD_DAYS: u32 = 3650;
const DAY_MS: i64 = 24 * 3_600_000;

/// Passwords that expire: a user whose password is too old resets it before signing in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordExpiration {
    /// Whether they do; not when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub enabled: Option<bool>,
    /// Days from its last change until a password has expired; needed when passwords expire.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 3650)]
    pub valid_period_days: Option<u32>,
    /// Since when they do, Unix milliseconds. The server sets it; passwords that were changed at an unknown time count from
    /// it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    pub enabled_at: Option<i64>,
}

impl PasswordExpiration {
    /// Whether passwords expire.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.enabled == Some(true)
    }

    /// Whether the period is possible, and there is one where passwords expire.
    #[must_use]
    pub fn has_period(&self) -> bool {
        self.valid_period_days.map_or(!self.is_on(), |days| (1..=MAX_PASSWORD_DAYS).contains(&days))
    }

    /// These settings as they are stored after `before`: `enabled_at` is when passwords began to expire.
    #[must_use]
    pub fn stored_after(self, before: &Self, now: i64) -> Self {
        let since = before.enabled_at.filter(|_| before.is_on()).unwrap_or(now);
        Self { enabled_at: self.is_on().then_some(since), ..self }
    }

    /// Whether a password has expired that was changed at `updated_at`, of a user who was created at `created_at`.
    #[must_use]
    pub fn is_over(&self, updated_at: Option<i64>, created_at: i64, now: i64) -> bool {
        let Some(days) = self.valid_period_days.filter(|_| self.is_on()) else { return false };
        let since = updated_at.or(self.enabled_at).unwrap_or(created_at);
        now >= since.saturating_add(i64::from(days) * DAY_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_expires_after_its_last_change_or_after_the_policy_was_turned_on() {
        let on =
            PasswordExpiration { enabled: Some(true), valid_period_days: Some(10), enabled_at: Some(100 * DAY_MS) };
        for (updated_at, day, is_over) in [
            (Some(105), 114, false),
            (Some(105), 115, true),
            (Some(1), 100, true),
            (None, 109, false),
            (None, 110, true),
        ] {
            let found = on.is_over(updated_at.map(|day| day * DAY_MS), 0, day * DAY_MS);
            assert_eq!(found, is_over, "{updated_at:?} {day}");
        }
        let never_stamped = PasswordExpiration { enabled_at: None, ..on.clone() };
        assert!(never_stamped.is_over(None, 0, 10 * DAY_MS) && !never_stamped.is_over(None, 1, 10 * DAY_MS));
        let off = PasswordExpiration { enabled: Some(false), ..on.clone() };
        assert!(!off.is_over(None, 0, i64::MAX));

        assert_eq!(off.clone().stored_after(&on, 7).enabled_at, None);
        assert_eq!(on.clone().stored_after(&off, 7).enabled_at, Some(7));
        let given = PasswordExpiration { enabled_at: Some(1), ..on.clone() };
        assert_eq!(given.stored_after(&on, 7).enabled_at, on.enabled_at);
        for (enabled, days, fits) in [
            (Some(true), None, false),
            (Some(true), Some(0), false),
            (Some(true), Some(1), true),
            (Some(true), Some(3650), true),
            (None, Some(3651), false),
            (Some(false), None, true),
            (None, None, true),
        ] {
            let settings = PasswordExpiration { enabled, valid_period_days: days, enabled_at: None };
            assert_eq!(settings.has_period(), fits, "{enabled:?} {days:?}");
        }
    }

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
