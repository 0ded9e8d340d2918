//! A user's settings for second factors and passkeys.

use claimsmith_json::{present, present_object};
use serde::{Deserialize, Serialize};

/// What a user chose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(example = json!({
    "mfa": { "enabled": true, "skipped": false, "skipMfaOnSignIn": false }, "passkeySignIn": { "skipped": false }
}))]
pub struct UserSettings {
    /// About second factors.
    pub mfa: MfaSettings,
    /// About signing in with a passkey.
    pub passkey_sign_in: PasskeySettings,
}

/// What a user chose about second factors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MfaSettings {
    /// Whether the user wants one; absent when not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Whether they declined to set one up.
    pub skipped: bool,
    /// Whether they are not asked for it at sign-in.
    pub skip_mfa_on_sign_in: bool,
    /// Whether they declined to set up a further one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub additional_binding_suggestion_skipped: bool,
}

/// What a user chose about passkeys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct PasskeySettings {
    /// Whether they declined to set one up.
    pub skipped: bool,
}

/// What is to change of [`UserSettings`]; what is left out stays.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "mfa": { "skipped": false } }))]
pub struct SettingsChange {
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = MfaChange, required = false)]
    mfa: Option<MfaChange>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = PasskeyChange, required = false)]
    passkey_sign_in: Option<PasskeyChange>,
}

/// What is to change of [`MfaSettings`].
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MfaChange {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    enabled: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    skipped: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    skip_mfa_on_sign_in: Option<bool>,
}

/// What is to change of [`PasskeySettings`].
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
pub struct PasskeyChange {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    skipped: Option<bool>,
}

impl SettingsChange {
    /// A change that sets whether second factors are skipped at sign-in.
    #[must_use]
    pub fn skipping_mfa_on_sign_in(is_skipped: bool) -> Self {
        let mfa = MfaChange { skip_mfa_on_sign_in: Some(is_skipped), ..MfaChange::default() };
        Self { mfa: Some(mfa), passkey_sign_in: None }
    }
}

impl UserSettings {
    /// Applies a change.
    pub fn apply(&mut self, change: &SettingsChange) {
        if let Some(mfa) = &change.mfa {
            self.mfa.enabled = mfa.enabled.or(self.mfa.enabled);
            self.mfa.skipped = mfa.skipped.unwrap_or(self.mfa.skipped);
            self.mfa.skip_mfa_on_sign_in = mfa.skip_mfa_on_sign_in.unwrap_or(self.mfa.skip_mfa_on_sign_in);
        }
        if let Some(skipped) = change.passkey_sign_in.as_ref().and_then(|passkey| passkey.skipped) {
            self.passkey_sign_in.skipped = skipped;
        }
    }
}
