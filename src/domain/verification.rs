//! The verifications of an interaction, completed or pending. They contain no secrets except hashes.

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

/// A verification: at most one of each type is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// 21 characters.
    pub id: String,
    /// The type and its data.
    #[serde(flatten)]
    pub method: Method,
}

/// The types of verification. They contain no secrets except hashes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Method {
    /// The password of an existing user.
    Password {
        /// The identifier that the user was found by.
        identifier: Identifier,
        /// The user.
        user_id: UserId,
        /// Hash of the password hash that it was verified against: a new password makes it void.
        credential: String,
    },
    /// A username and a password of a new user.
    NewPasswordIdentity {
        /// The username.
        identifier: Identifier,
        /// The hash of the password, until it is stored with the user.
        digest: Option<String>,
    },
    /// A one-time password of the user's existing authenticator app.
    Totp {
        /// The user.
        user_id: UserId,
        /// The factor; the verification is void once it is deleted.
        factor_id: FactorId,
    },
    /// A secret for one-time passwords that the user is setting up.
    NewTotp {
        /// The user.
        user_id: UserId,
        /// The secret.
        factor: StagedFactor,
    },
    /// An existing backup code of the user.
    BackupCode {
        /// The user.
        user_id: UserId,
        /// The factor; the verification is void once it is deleted.
        factor_id: FactorId,
    },
    /// Newly generated backup codes.
    NewBackupCodes {
        /// The user.
        user_id: UserId,
        /// Their hashes.
        factor: StagedFactor,
    },
    /// A passkey that the user is setting up.
    NewWebAuthn {
        /// The user.
        user_id: UserId,
        /// The challenge sent to the browser.
        challenge: Value,
        /// The response of the browser.
        passkey: Option<StagedPasskey>,
    },
    /// An existing passkey of the user, as a second factor.
    WebAuthn {
        /// The user.
        user_id: UserId,
        /// The challenge sent to the browser, until it responds.
        challenge: Option<Value>,
        /// The response of the browser.
        proved: Option<ProvedPasskey>,
    },
    /// A passkey in place of a password.
    SignInPasskey {
        /// The user, if an identifier was entered or the passkey is verified; unproven until verified.
        user_id: Option<UserId>,
        /// The challenge sent to the browser, until it responds.
        challenge: Option<Value>,
        /// The response of the browser.
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
        /// The email address that it was created for.
        identifier: Identifier,
        /// The id of its row.
        token_id: String,
        /// Its context.
        #[serde(default)]
        context: Context,
        /// The user, once identified by it.
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

    /// The entered identifier, if the type has one.
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

    /// The sent code, for all types of codes.
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

    /// The sent code, if it is not a second factor: it proves an email address or a phone number.
    #[must_use]
    pub fn identifying_code(&self) -> Option<&SentCode> {
        match self {
            Self::EmailVerificationCode(sent) | Self::PhoneVerificationCode(sent) => Some(sent),
            _ => None,
        }
    }

    /// The federated sign-in with the kind of its connector, if it is one.
    #[must_use]
    pub fn federated(&self) -> Option<(ConnectorKind, &Federated)> {
        match self {
            Self::Social(federated) => Some((ConnectorKind::Social, federated)),
            Self::EnterpriseSso(federated) => Some((ConnectorKind::Enterprise, federated)),
            _ => None,
        }
    }

    /// The user whose second factor it is.
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

    /// Whether it is verified.
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
    /// The public record; `None` for second factors, which have no identifier.
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
    /// Omits hashes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct(self.name()).finish_non_exhaustive()
    }
}
