//! The refusals of account changes.

use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_domain::sign_in_experience::username_check::UsernameIssue;
use claimsmith_services::passwords::{DigestRefusal, PasswordError, TooCostly, UnreadableHash};
use std::error::Error;

/// The reason that a change was refused. Each interface has its own error messages for it.
#[derive(Debug)]
pub enum AccountRefusal {
    /// No user has this id.
    UnknownUser(UserId),
    /// Another user has this identifier.
    Taken(IdentifierType),
    /// The user already exists; which identifier is taken is unknown.
    Conflict,
    /// The settings do not allow the username.
    Username(UsernameIssue),
    /// An impossible phone number.
    ImpossiblePhone,
    /// An invalid email address.
    ImpossibleEmail,
    /// The queue of passwords to hash is full.
    PasswordsBusy,
    /// The password is incorrect, or the user has none.
    WrongPassword,
    /// Verifying the password is too expensive.
    UnverifiablePassword(TooCostly),
    /// Verifying passwords with this hash is too expensive.
    DigestTooCostly(TooCostly),
    /// No password can match this hash.
    DigestUnreadable(UnreadableHash),
    /// The secret is not valid for one-time passwords.
    BadTotpSecret,
    /// Backup codes must be ten different codes of ten letters and digits.
    BadBackupCodes,
    /// Backup codes need another second factor.
    BackupCodesAlone,
    /// The user already has a factor of this type.
    FactorInUse(FactorType),
    /// The passkey is already registered.
    PasskeyTaken,
    /// The account is linked to another user, or the user already has one at this connector.
    IdentityTaken,
    /// The user has no factor with this id.
    UnknownFactor,
    /// The user has no linked account at this connector.
    UnknownIdentity,
    /// The change would remove the user's last sign-in method.
    LastSignInMethod,
    /// The user is the last administrator.
    LastAdministrator,
    /// The user's data exceeds the size limit.
    TooMuchData,
    /// The server failed.
    Failed(Box<dyn Error + Send + Sync>),
}

crate::from_failures!(AccountRefusal, |error| Self::Failed(Box::new(error)));

impl From<DigestRefusal> for AccountRefusal {
    fn from(refusal: DigestRefusal) -> Self {
        match refusal {
            DigestRefusal::Unreadable(reason) => Self::DigestUnreadable(reason),
            DigestRefusal::TooCostly(excess) => Self::DigestTooCostly(excess),
        }
    }
}

/// The reason that a password could not be hashed.
pub(super) fn of_password(error: PasswordError) -> AccountRefusal {
    match error {
        PasswordError::Busy => AccountRefusal::PasswordsBusy,
        other => other.into(),
    }
}
