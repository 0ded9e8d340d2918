//! Second factors that are being set up in an interaction, and what its user said about them. They are written when it is
//! submitted.

use super::id::FactorId;
use crate::documents::sign_in_experience::methods::Channel;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A factor that is not the user's yet.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StagedFactor {
    /// The id that it will have.
    pub id: FactorId,
    /// The secret, or the digests of the codes, encrypted for the row that it will be.
    pub sealed: String,
    /// The time step of the one-time password that proved that the user has the secret (RFC 6238).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_step: Option<i64>,
}

/// A passkey that is not the user's yet. Nothing of it is secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StagedPasskey {
    /// The id that it will have.
    pub id: FactorId,
    /// The authenticator's id of it, base64url.
    pub credential_id: String,
    /// The public key and the signature counter.
    pub credential: Value,
    /// Whether it is kept by a service that copies it from device to device.
    pub is_synced: bool,
    /// The browser that made it.
    pub agent: Option<String>,
}

/// A passkey that was proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvedPasskey {
    /// Which: without it, the verification is void.
    pub id: FactorId,
    /// Whether it is kept by a service that copies it from device to device.
    pub is_synced: bool,
}

impl ProvedPasskey {
    /// What it is called among methods of authentication (RFC 8176): a key in software, or one in hardware.
    #[must_use]
    pub fn amr(&self) -> &'static str {
        if self.is_synced { "swk" } else { "hwk" }
    }
}

impl fmt::Debug for StagedFactor {
    /// Without the ciphertext.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StagedFactor").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What the user of an interaction said about second factors in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StagedMfa {
    /// That they want one, or put it off.
    pub choice: Option<MfaChoice>,
    /// That they want no further one.
    pub suggestion_skipped: bool,
    /// One-time passwords that they set up.
    pub totp: Option<StagedFactor>,
    /// Backup codes that they made.
    pub backup_codes: Option<StagedFactor>,
    /// Passkeys that they set up.
    pub passkeys: Vec<StagedPasskey>,
    /// That they want no passkey to sign in with.
    pub passkey_skipped: bool,
    /// Codes over these: to an address or a number that they have, or are to have.
    pub codes: Vec<Channel>,
}

/// Whether somebody wants a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MfaChoice {
    /// They do.
    Enabled,
    /// Not now.
    Skipped,
}

impl StagedMfa {
    /// Adds a passkey. As a second factor, the user wants to have one.
    pub fn stage_passkey(&mut self, passkey: StagedPasskey, is_factor: bool) {
        if is_factor {
            self.choice = Some(MfaChoice::Enabled);
        }
        self.passkeys.retain(|known| known.id != passkey.id);
        self.passkeys.push(passkey);
    }

    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
