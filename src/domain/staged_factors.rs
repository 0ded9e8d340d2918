//! Second factors that are being set up in an interaction, and what its user said about them. They are written when it is
//! submitted.

use super::id::FactorId;
use serde::{Deserialize, Serialize};
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
    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
