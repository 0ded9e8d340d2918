//! The verifications of an interaction: what somebody proved, or is about to prove. No secret but a digest is in them.

use super::federated::{ConnectorKind, Federated};
use super::id::{FactorId, UserId};
use super::identifier::Identifier;
use super::sent_code::SentCode;
use super::staged_factors::{ProvedPasskey, StagedFactor, StagedPasskey};
use super::submitted_interaction::VerificationRecord;
use crate::documents::one_time_token::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A verification: one of each type is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// 21 characters.
    pub id: String,
    /// What was verified.
    #[serde(flatten)]
    pub method: Method,
}

/// The types of verification. No secret but a digest is kept in them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Method {
    /// The password of an existing user.
    Password {
        /// By which the user was found.
        identifier: Identifier,
        /// The user.
        user_id: UserId,
        /// The hash of the digest that it was verified against: another password makes it void.
        credential: String,
    },
    /// A user name and a password of somebody new.
    NewPasswordIdentity {
        /// The user name.
        identifier: Identifier,
        /// The digest of the password, until it is the user's.
        digest: Option<String>,
    },
    /// A one-time password of an authenticator that the user had before.
    Totp {
        /// The user.
        user_id: UserId,
        /// The factor: without it, the verification is void.
        factor_id: FactorId,
    },
    /// A secret for one-time passwords that the user is setting up.
    NewTotp {
        /// The user.
        user_id: UserId,
        /// The secret.
        factor: StagedFactor,
    },
    /// A backup code that the user had before.
    BackupCode {
        /// The user.
        user_id: UserId,
        /// The factor: without it, the verification is void.
        factor_id: FactorId,
    },
    /// Backup codes that the user is given.
    NewBackupCodes {
        /// The user.
        user_id: UserId,
        /// Their digests.
        factor: StagedFactor,
    },
    /// A passkey that the user is setting up.
    NewWebAuthn {
        /// The user.
        user_id: UserId,
        /// What the browser was asked.
        challenge: Value,
        /// What it answered.
        passkey: Option<StagedPasskey>,
    },
    /// A passkey that the user had before, as a second factor.
    WebAuthn {
        /// The user.
        user_id: UserId,
        /// What the browser was asked, until it answers.
        challenge: Option<Value>,
        /// What it answered.
        proved: Option<ProvedPasskey>,
    },
    /// A passkey in place of a password.
    SignInPasskey {
        /// The user, once they or somebody else said whose passkey it is to be.
        user_id: Option<UserId>,
        /// What the browser was asked, until it answers.
        challenge: Option<Value>,
        /// What it answered.
        proved: Option<ProvedPasskey>,
    },
    /// A code by email.
    EmailVerificationCode(SentCode),
    /// A code by text message.
    PhoneVerificationCode(SentCode),
    /// A code by email as a second factor.
    MfaEmailVerificationCode(SentCode),
    /// A code by text message as a second factor.
    MfaPhoneVerificationCode(SentCode),
    /// A link by email.
    OneTimeToken {
        /// Whom it was made for.
        identifier: Identifier,
        /// Its row.
        token_id: String,
        /// What it is for.
        #[serde(default)]
        context: Context,
        /// Whom it turned out to be, once identified by it.
        #[serde(default)]
        user_id: Option<UserId>,
    },
    /// An account at a social connector.
    Social(Federated),
    /// An account at an enterprise connector.
    EnterpriseSso(Federated),
}

impl Method {
    /// The name of the type.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Password { .. } => "Password",
            Self::NewPasswordIdentity { .. } => "NewPasswordIdentity",
            Self::Totp { .. } | Self::NewTotp { .. } => "Totp",
            Self::BackupCode { .. } | Self::NewBackupCodes { .. } => "BackupCode",
            Self::NewWebAuthn { .. } | Self::WebAuthn { .. } => "WebAuthn",
            Self::SignInPasskey { .. } => "SignInPasskey",
            Self::EmailVerificationCode(_) => "EmailVerificationCode",
            Self::PhoneVerificationCode(_) => "PhoneVerificationCode",
            Self::MfaEmailVerificationCode(_) => "MfaEmailVerificationCode",
            Self::MfaPhoneVerificationCode(_) => "MfaPhoneVerificationCode",
            Self::OneTimeToken { .. } => "OneTimeToken",
            Self::Social(_) => "Social",
            Self::EnterpriseSso(_) => "EnterpriseSso",
        }
    }

    /// What was typed, where that says who somebody is.
    #[must_use]
    pub fn identifier(&self) -> Option<&Identifier> {
        match self {
            Self::Password { identifier, .. }
            | Self::NewPasswordIdentity { identifier, .. }
            | Self::OneTimeToken { identifier, .. } => Some(identifier),
            Self::Totp { .. } | Self::NewTotp { .. } | Self::BackupCode { .. } | Self::NewBackupCodes { .. } => None,
            _ => self.sent_code().map(|sent| &sent.identifier),
        }
    }

    /// The code that was sent, if it is one, whatever it is for.
    #[must_use]
    pub fn sent_code(&self) -> Option<&SentCode> {
        match self {
            Self::EmailVerificationCode(sent)
            | Self::PhoneVerificationCode(sent)
            | Self::MfaEmailVerificationCode(sent)
            | Self::MfaPhoneVerificationCode(sent) => Some(sent),
            _ => None,
        }
    }

    /// The code that was sent to whoever says that an address or a number is theirs, if it is one.
    #[must_use]
    pub fn identifying_code(&self) -> Option<&SentCode> {
        match self {
            Self::EmailVerificationCode(sent) | Self::PhoneVerificationCode(sent) => Some(sent),
            _ => None,
        }
    }

    /// The sign-in at another server, if it is one, with the kind of the connector.
    #[must_use]
    pub fn federated(&self) -> Option<(ConnectorKind, &Federated)> {
        match self {
            Self::Social(federated) => Some((ConnectorKind::Social, federated)),
            Self::EnterpriseSso(federated) => Some((ConnectorKind::Enterprise, federated)),
            _ => None,
        }
    }

    /// Whose second factor it is about.
    #[must_use]
    pub fn holder(&self) -> Option<&UserId> {
        match self {
            Self::MfaEmailVerificationCode(sent) | Self::MfaPhoneVerificationCode(sent) => sent.user_id.as_ref(),
            Self::Password { .. }
            | Self::NewPasswordIdentity { .. }
            | Self::EmailVerificationCode(_)
            | Self::PhoneVerificationCode(_)
            | Self::OneTimeToken { .. }
            | Self::Social(_)
            | Self::EnterpriseSso(_) => None,
            Self::SignInPasskey { user_id, proved, .. } => user_id.as_ref().filter(|_| proved.is_some()),
            Self::Totp { user_id, .. }
            | Self::WebAuthn { user_id, .. }
            | Self::NewWebAuthn { user_id, .. }
            | Self::NewTotp { user_id, .. }
            | Self::BackupCode { user_id, .. }
            | Self::NewBackupCodes { user_id, .. } => Some(user_id),
        }
    }

    /// Whether it proves anything yet.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        match self {
            Self::NewTotp { factor, .. } => factor.used_step.is_some(),
            Self::NewWebAuthn { passkey, .. } => passkey.is_some(),
            Self::WebAuthn { proved, .. } | Self::SignInPasskey { proved, .. } => proved.is_some(),
            Self::Social(federated) | Self::EnterpriseSso(federated) => federated.account.is_some(),
            _ => self.sent_code().is_none_or(|sent| sent.verified),
        }
    }
}

impl Verification {
    /// What may be told of it; nothing of second factors, which have no identifier.
    pub(super) fn record(&self) -> Option<VerificationRecord> {
        Some(VerificationRecord {
            id: self.id.clone(),
            kind: self.method.name().to_owned(),
            identifier: self.method.identifier()?.clone(),
            verified: match self.method {
                Method::NewPasswordIdentity { .. } => None,
                _ => Some(true),
            },
        })
    }
}

impl fmt::Debug for Method {
    /// Without digests.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct(self.name()).finish_non_exhaustive()
    }
}
