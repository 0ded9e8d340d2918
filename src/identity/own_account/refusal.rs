//! The reasons that a change of one's own account is refused: one list, which the Account API renders as JSON and the
//! page shows at its fields.

use crate::accounts;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::api_code::ApiCode;
use std::borrow::Cow;

/// The reason that a request was refused.
#[derive(Debug)]
pub enum OwnAccountRefusal {
    /// A refusal as at sign-in.
    Common(InteractionRefusal),
    /// The session or token has ended in the meantime.
    Ended,
    /// Users cannot see this field.
    FieldOff,
    /// Users cannot change this field.
    FieldReadOnly,
    /// The owner has to prove their identity again.
    ProofRequired,
    /// The owner has to sign in again, with their second factor.
    SignInRequired,
    /// The owner has no such verification record, or it proves something else.
    UnknownRecord,
    /// The change would remove the owner's last sign-in method.
    LastSignInMethod,
    /// The new password equals the current one.
    SamePassword,
    /// No such account is linked.
    UnknownIdentity,
    /// The owner has no such second factor.
    UnknownFactor,
    /// The secret is not valid for an authenticator app.
    BadTotpSecret,
    /// Backup codes must be ten codes of ten letters and digits.
    BadBackupCodes,
    /// The owner has no such trusted device.
    UnknownDevice,
    /// The owner has no such session.
    UnknownSession,
    /// The owner has no such grant.
    UnknownGrant,
    /// The owner has no such impersonation.
    UnknownImpersonation,
    /// The stored document cannot be read, so nothing can be merged into it.
    Unreadable,
    /// Applications cannot change the account of an administrator of this server.
    Administers,
    /// Users cannot delete their accounts themselves.
    DeletionOff,
    /// The owner is the last administrator of this server.
    LastAdministrator,
}

crate::from_failures!(OwnAccountRefusal, |error| Self::Common(InteractionRefusal::from(error)), qrcode::types::QrError);

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
            accounts::AccountRefusal::LastSignInMethod => Self::LastSignInMethod,
            accounts::AccountRefusal::LastAdministrator => Self::LastAdministrator,
            other => Self::Common(other.into()),
        }
    }
}

impl OwnAccountRefusal {
    /// The error code.
    #[must_use]
    pub fn code(&self) -> ApiCode {
        match self {
            Self::Common(common) => common.code(),
            Self::Ended => ApiCode::AuthUnauthorized,
            Self::FieldOff => ApiCode::AccountCenterFieldNotEnabled,
            Self::FieldReadOnly => ApiCode::AccountCenterFieldNotEditable,
            Self::ProofRequired | Self::SignInRequired => ApiCode::VerificationRecordPermissionDenied,
            Self::UnknownRecord => ApiCode::VerificationRecordNotFound,
            Self::LastSignInMethod => ApiCode::UserLastSignInMethodRequired,
            Self::SamePassword => ApiCode::UserSamePassword,
            Self::UnknownIdentity => ApiCode::UserIdentityNotExist,
            Self::UnknownFactor | Self::UnknownDevice | Self::UnknownGrant | Self::UnknownImpersonation => {
                ApiCode::EntityNotFound
            }
            Self::BadTotpSecret => ApiCode::UserTotpSecretInvalidOfOwner,
            Self::BadBackupCodes => ApiCode::UserWrongBackupCodeFormat,
            Self::UnknownSession => ApiCode::OidcSessionNotFound,
            Self::Unreadable => ApiCode::EntityUnreadable,
            Self::Administers => ApiCode::AuthForbidden,
            Self::DeletionOff => ApiCode::AccountCenterDeletionNotEnabled,
            Self::LastAdministrator => ApiCode::UserLastAdministrator,
        }
    }

    /// The message for developers of clients; the page has its own texts.
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
            Self::LastSignInMethod => "Without it, the user could not sign in any more.",
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
