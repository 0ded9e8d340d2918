//! Second factors: their types, and the format of backup codes.

use super::sign_in_experience::factors::MfaFactor;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How many backup codes a user has.
pub const BACKUP_CODES: usize = 10;
/// Letters and digits of a backup code.
pub const BACKUP_CODE_LENGTH: usize = 10;

/// A kind of second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum FactorType {
    /// Time-based one-time passwords (RFC 6238).
    Totp,
    /// Codes that work once.
    BackupCode,
}

impl FactorType {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 2] = [Self::Totp, Self::BackupCode];

    /// The name on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Totp => "Totp",
            Self::BackupCode => "BackupCode",
        }
    }

    /// The type of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// What the settings of sign-in call it.
    #[must_use]
    pub fn setting(self) -> MfaFactor {
        match self {
            Self::Totp => MfaFactor::Totp,
            Self::BackupCode => MfaFactor::BackupCode,
        }
    }

    /// Whether it is a factor by itself; backup codes stand in for another one.
    #[must_use]
    pub fn stands_alone(self) -> bool {
        self != Self::BackupCode
    }
}

/// Whether these can be a user's backup codes.
#[must_use]
pub fn are_backup_codes(codes: &[String]) -> bool {
    let is_code =
        |code: &String| code.len() == BACKUP_CODE_LENGTH && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let different: BTreeSet<&String> = codes.iter().collect();
    codes.len() == BACKUP_CODES && different.len() == codes.len() && codes.iter().all(is_code)
}
