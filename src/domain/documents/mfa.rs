//! Second factors: their types, and the format of backup codes.

use super::sign_in_experience::factors::MfaFactor;
use super::sign_in_experience::methods::Channel;
use crate::spelling::spelled;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

spelled! {
/// A kind of second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum FactorType {
    /// Passkeys and security keys.
    WebAuthn = "WebAuthn",
    /// Time-based one-time passwords (RFC 6238).
    Totp = "Totp",
    /// Codes by text message to the number that the user has.
    PhoneVerificationCode = "PhoneVerificationCode",
    /// Codes by email to the address that the user has.
    EmailVerificationCode = "EmailVerificationCode",
    /// Codes that work once.
    BackupCode = "BackupCode",
}
}

impl FactorType {
    /// The factor in the sign-in settings.
    #[must_use]
    pub fn setting(self) -> MfaFactor {
        match self {
            Self::WebAuthn => MfaFactor::WebAuthn,
            Self::Totp => MfaFactor::Totp,
            Self::PhoneVerificationCode => MfaFactor::PhoneVerificationCode,
            Self::EmailVerificationCode => MfaFactor::EmailVerificationCode,
            Self::BackupCode => MfaFactor::BackupCode,
        }
    }

    /// Whether a user may have more than one.
    #[must_use]
    pub fn may_be_several(self) -> bool {
        self == Self::WebAuthn
    }

    /// The channel of its codes; `None` for factors that users have themselves.
    #[must_use]
    pub fn channel(self) -> Option<Channel> {
        self.setting().channel()
    }

    /// The factor of codes over a channel.
    #[must_use]
    pub fn over(channel: Channel) -> Self {
        match channel {
            Channel::Email => Self::EmailVerificationCode,
            Channel::Phone => Self::PhoneVerificationCode,
        }
    }

    /// Whether it counts as a factor on its own; backup codes only replace another factor.
    #[must_use]
    pub fn stands_alone(self) -> bool {
        self != Self::BackupCode
    }
}

/// Number of backup codes of a user.
pub const BACKUP_CODES: usize = 10;
/// Length of a backup code, in letters and digits.
pub const BACKUP_CODE_LENGTH: usize = 10;

/// Whether these are well-formed backup codes.
#[must_use]
pub fn are_backup_codes(codes: &[String]) -> bool {
    let is_code =
        |code: &String| code.len() == BACKUP_CODE_LENGTH && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let different: BTreeSet<&String> = codes.iter().collect();
    codes.len() == BACKUP_CODES && different.len() == codes.len() && codes.iter().all(is_code)
}
