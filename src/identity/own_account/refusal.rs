//! Why something was not done to one's own account: one list, which the Account API renders as JSON and the page at its
//! fields.

use crate::accounts;
use crate::accounts::mfa::FactorSecretError;
use crate::interaction::refusal::InteractionRefusal;
use std::borrow::Cow;

/// Why nothing was done.
#[derive(Debug)]
pub enum OwnAccountRefusal {
    /// As at sign-in.
    Common(InteractionRefusal),
    /// The session, or the token, has ended meanwhile.
    Ended,
    /// People do not see that field.
    FieldOff,
    /// People do not change that field.
    FieldReadOnly,
    /// They have to prove again who they are.
    ProofRequired,
    /// They have to sign in again, with their second factor.
    SignInRequired,
    /// There is no such verification record of this person, or it proves something else.
    UnknownRecord,
    /// Without it, they could not sign in any more.
    LastWayIn,
    /// It is the password that they have.
    SamePassword,
    /// No such account is linked.
    UnknownIdentity,
    /// They have no such second factor.
    UnknownFactor,
    /// It cannot be a secret of an authenticator.
    BadTotpSecret,
    /// Backup codes are ten of ten letters and digits.
    BadBackupCodes,
    /// They trust no such device.
    UnknownDevice,
    /// They have no such session.
    UnknownSession,
    /// They have given no such grant.
    UnknownGrant,
    /// Nobody acted for them that way.
    UnknownImpersonation,
    /// The stored document cannot be read, so nothing can be merged into it.
    Unreadable,
    /// Applications do not change the account of somebody who administers this server.
    Administers,
    /// People do not delete their accounts themselves.
    DeletionOff,
    /// They are the last one who administers this server.
    LastAdministrator,
}

claimsmith_services::from_failures!(
    OwnAccountRefusal,
    |error| Self::Common(InteractionRefusal::from(error)),
    FactorSecretError,
    qrcode::types::QrError
);

impl From<InteractionRefusal> for OwnAccountRefusal {
    fn from(refusal: InteractionRefusal) -> Self {
        Self::Common(refusal)
    }
}

impl From<accounts::AccountRefusal> for OwnAccountRefusal {
    fn from(refusal: accounts::AccountRefusal) -> Self {
        match refusal {
            accounts::AccountRefusal::BadTotpSecret => Self::BadTotpSecret,
            accounts::AccountRefusal::BadBackupCodes => Self::BadBackupCodes,
            accounts::AccountRefusal::UnknownFactor => Self::UnknownFactor,
            accounts::AccountRefusal::UnknownIdentity => Self::UnknownIdentity,
            accounts::AccountRefusal::LastWayIn => Self::LastWayIn,
            accounts::AccountRefusal::LastAdministrator => Self::LastAdministrator,
            other => Self::Common(other.into()),
        }
    }
}

impl OwnAccountRefusal {
    /// The status of the answer, and the code.
    #[must_use]
    pub fn status_and_code(&self) -> (u16, &'static str) {
        match self {
            Self::Common(common) => common.status_and_code(),
            Self::Ended => (401, "auth.unauthorized"),
            Self::FieldOff => (400, "account_center.field_not_enabled"),
            Self::FieldReadOnly => (400, "account_center.field_not_editable"),
            Self::ProofRequired | Self::SignInRequired => (401, "verification_record.permission_denied"),
            Self::UnknownRecord => (400, "verification_record.not_found"),
            Self::LastWayIn => (400, "user.last_sign_in_method_required"),
            Self::SamePassword => (422, "user.same_password"),
            Self::UnknownIdentity => (404, "user.identity_not_exist"),
            Self::UnknownFactor | Self::UnknownDevice | Self::UnknownGrant | Self::UnknownImpersonation => {
                (404, "entity.not_found")
            }
            Self::BadTotpSecret => (400, "user.totp_secret_invalid"),
            Self::BadBackupCodes => (422, "user.wrong_backup_code_format"),
            Self::UnknownSession => (404, "oidc.session_not_found"),
            Self::Unreadable => (422, "entity.unreadable"),
            Self::Administers => (403, "auth.forbidden"),
            Self::DeletionOff => (403, "account_center.deletion_not_enabled"),
            Self::LastAdministrator => (422, "user.last_administrator"),
        }
    }

    /// For people who write clients; the page has its own words.
    #[must_use]
    pub fn message(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Common(common) => return common.message(),
            Self::Ended => "The access token is not valid any more.",
            Self::FieldOff => "The settings do not show this field to people.",
            Self::FieldReadOnly => "The settings do not let people change this field.",
            Self::ProofRequired => {
                "Prove again who it is: verify the password or a code to the user's address, and send the id of the record."
            }
            Self::SignInRequired => "Sign in again with the second factor.",
            Self::UnknownRecord => {
                "There is no such verification record: it is unknown, expired, or of something else."
            }
            Self::LastWayIn => "Without it, the user could not sign in any more.",
            Self::SamePassword => "The new password is the old one.",
            Self::UnknownIdentity => "No such identity is linked to the user.",
            Self::UnknownFactor => "The user has no such second factor.",
            Self::BadTotpSecret => "The secret is not base 32 of 128 bits.",
            Self::BadBackupCodes => "Backup codes must be ten different codes of ten letters and digits.",
            Self::UnknownDevice => "The user trusts no such device.",
            Self::UnknownSession => "The user has no such session.",
            Self::UnknownGrant => "The user has given no such grant.",
            Self::UnknownImpersonation => "The user has no such impersonation.",
            Self::Unreadable => "What is stored cannot be read; it was not changed.",
            Self::Administers => "Users who administer this server can change their account only at the account page.",
            Self::DeletionOff => "The settings do not let people delete their account.",
            Self::LastAdministrator => "The user is the last one who administers the server.",
        })
    }
}
