//! Types of second factors.

use super::sign_in_experience::factors::MfaFactor;
use super::sign_in_experience::methods::Channel;
use serde::{Deserialize, Serialize};

/// A kind of second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum FactorType {
    /// Passkeys and security keys.
    WebAuthn,
    /// Time-based one-time passwords (RFC 6238).
    Totp,
    /// Codes by text message to the number that the user has.
    PhoneVerificationCode,
    /// Codes by email to the address that the user has.
    EmailVerificationCode,
    /// Codes that work once.
    BackupCode,
}

impl FactorType {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] =
        [Self::WebAuthn, Self::Totp, Self::PhoneVerificationCode, Self::EmailVerificationCode, Self::BackupCode];

    /// The name on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WebAuthn => "WebAuthn",
            Self::Totp => "Totp",
            Self::PhoneVerificationCode => "PhoneVerificationCode",
            Self::EmailVerificationCode => "EmailVerificationCode",
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
            Self::WebAuthn => MfaFactor::WebAuthn,
            Self::Totp => MfaFactor::Totp,
            Self::PhoneVerificationCode => MfaFactor::PhoneVerificationCode,
            Self::EmailVerificationCode => MfaFactor::EmailVerificationCode,
            Self::BackupCode => MfaFactor::BackupCode,
        }
    }

    /// Whether a user may have several.
    #[must_use]
    pub fn may_be_several(self) -> bool {
        self == Self::WebAuthn
    }

    /// Over what its codes are sent; none for what people have themselves.
    #[must_use]
    pub fn channel(self) -> Option<Channel> {
        self.setting().channel()
    }

    /// Codes over a channel.
    #[must_use]
    pub fn over(channel: Channel) -> Self {
        match channel {
            Channel::Email => Self::EmailVerificationCode,
            Channel::Phone => Self::PhoneVerificationCode,
        }
    }

    /// Whether it is a factor by itself; backup codes stand in for another one.
    #[must_use]
    pub fn stands_alone(self) -> bool {
        self != Self::BackupCode
    }
}
