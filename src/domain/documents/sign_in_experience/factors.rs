//! Settings of second factors: enabled types, policies, and sign-in with a passkey.

use super::methods::Channel;
use super::protection::Within;
use crate::documents::bounded_vec::BoundedVec;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};

/// A second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum MfaFactor {
    /// Time-based one-time passwords (RFC 6238).
    Totp,
    /// Security keys and passkeys.
    WebAuthn,
    /// Codes that work once.
    BackupCode,
    /// A code by email.
    EmailVerificationCode,
    /// A code by text message.
    PhoneVerificationCode,
}

impl MfaFactor {
    /// The channel of its codes.
    #[must_use]
    pub fn channel(self) -> Option<Channel> {
        match self {
            Self::EmailVerificationCode => Some(Channel::Email),
            Self::PhoneVerificationCode => Some(Channel::Phone),
            Self::Totp | Self::WebAuthn | Self::BackupCode => None,
        }
    }
}

/// Who needs a second factor, and when they are asked to set one up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum MfaPolicy {
    /// Optional; the same as `PromptAtSignInAndSignUp`.
    #[default]
    UserControlled,
    /// Everybody.
    Mandatory,
    /// Optional; users are asked when they sign in.
    PromptOnlyAtSignIn,
    /// Optional; users are asked when they sign in or register.
    PromptAtSignInAndSignUp,
    /// Optional; users are not asked.
    NoPrompt,
    /// Everybody, from registration on.
    PromptAtSignInAndSignUpMandatory,
    /// Everybody, from their next sign-in on.
    PromptOnlyAtSignInMandatory,
}

impl MfaPolicy {
    /// Whether users cannot skip setting up a factor; `Mandatory` is not included.
    #[must_use]
    pub fn is_mandatory_prompt(self) -> bool {
        matches!(self, Self::PromptAtSignInAndSignUpMandatory | Self::PromptOnlyAtSignInMandatory)
    }
}

/// What members of organizations that need a second factor are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum OrganizationMfaPolicy {
    /// Nothing.
    NoPrompt,
    /// To set one up.
    Mandatory,
}

/// Second factors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mfa {
    /// Those that can be set up.
    #[schema(value_type = Vec<MfaFactor>, max_items = 8)]
    pub factors: BoundedVec<MfaFactor, 8>,
    /// Who needs one.
    pub policy: MfaPolicy,
    /// Who needs one within an organization that asks for it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = OrganizationMfaPolicy, required = false)]
    pub organization_required_mfa_policy: Option<OrganizationMfaPolicy>,
}

/// Asking for a second factor only where a sign-in is unusual for its user. Needs second factors, and one of the two
/// policies whose names end in `Mandatory`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct AdaptiveMfa {
    /// Whether it is on; off when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub enabled: Option<bool>,
}

impl AdaptiveMfa {
    /// Whether second factors are asked for by risk.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.enabled == Some(true)
    }
}

/// Signing in with a passkey.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeySignIn {
    /// Whether it is on; off when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub enabled: Option<bool>,
    /// Whether the page has a button for it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub show_passkey_button: Option<bool>,
    /// Whether browsers offer it in the field of the identifier.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub allow_autofill: Option<bool>,
}

/// Default number of days that a device is trusted.
const DEFAULT_TRUSTED_DAYS: u32 = 30;

/// Devices on which a second factor is not asked for again for a while.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustedDevicePolicy {
    /// Whether there are any; not when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub enabled: Option<bool>,
    /// Days; 30 when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 365)]
    pub duration_days: Option<Within<1, 365>>,
}

impl TrustedDevicePolicy {
    /// Number of days that a device is trusted; `None` if trusted devices are disabled.
    #[must_use]
    pub fn days(&self) -> Option<u32> {
        let days = self.duration_days.map_or(DEFAULT_TRUSTED_DAYS, u32::from);
        (self.enabled == Some(true)).then_some(days)
    }
}
