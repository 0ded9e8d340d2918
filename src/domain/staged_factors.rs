//! Second factors that are being set up in an interaction, and the user's choices about them. They are written on
//! submit, passkeys as soon as the user may sign in.

use super::id::FactorId;
use crate::documents::sign_in_experience::methods::Channel;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A factor that is not stored with the user yet.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StagedFactor {
    /// Its future id.
    pub id: FactorId,
    /// The secret, or the hashes of the codes, encrypted for its future row.
    pub sealed: String,
    /// The time step of the one-time password that proved that the user has the secret (RFC 6238).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_step: Option<i64>,
}

/// A new passkey. It contains no secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StagedPasskey {
    /// Its future id.
    pub id: FactorId,
    /// The credential id, base64url.
    pub credential_id: String,
    /// The public key and the signature counter.
    pub credential: Value,
    /// Whether it is synced between devices.
    pub is_synced: bool,
    /// The user agent that created it.
    pub agent: Option<String>,
    /// Whether it is stored with the user already: the device has it, so that it must work even if the interaction is
    /// left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_stored: bool,
}

/// A verified passkey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvedPasskey {
    /// The id of the passkey; the verification is void once it is deleted.
    pub id: FactorId,
    /// Whether it is synced between devices.
    pub is_synced: bool,
}

impl ProvedPasskey {
    /// The authentication method (RFC 8176): a software key or a hardware key.
    #[must_use]
    pub fn amr(&self) -> &'static str {
        if self.is_synced { "swk" } else { "hwk" }
    }
}

impl fmt::Debug for StagedFactor {
    /// Omits the ciphertext.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StagedFactor").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The user's choices about second factors in an interaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StagedMfa {
    /// Whether the user enables a second factor or skips it.
    pub choice: Option<MfaChoice>,
    /// The user declined a further factor.
    pub suggestion_skipped: bool,
    /// The TOTP factor to be set up.
    pub totp: Option<StagedFactor>,
    /// The generated backup codes.
    pub backup_codes: Option<StagedFactor>,
    /// The passkeys to be set up.
    pub passkeys: Vec<StagedPasskey>,
    /// The user declined a passkey for sign-in.
    pub passkey_skipped: bool,
    /// Channels of codes as a factor: to an existing or staged email address or phone number.
    pub codes: Vec<Channel>,
}

/// The user's choice about second factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MfaChoice {
    /// Enabled.
    Enabled,
    /// Skipped for now.
    Skipped,
}

impl StagedMfa {
    /// Adds a passkey. As a second factor, it also enables MFA.
    pub fn stage_passkey(&mut self, passkey: StagedPasskey, is_factor: bool) {
        if is_factor {
            self.choice = Some(MfaChoice::Enabled);
        }
        self.passkeys.retain(|known| known.id != passkey.id);
        self.passkeys.push(passkey);
    }

    /// Whether this passkey is stored with the user already.
    #[must_use]
    pub fn has_stored(&self, id: &FactorId) -> bool {
        self.passkeys.iter().any(|known| known.is_stored && known.id == *id)
    }

    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
