//! The refusals of account changes.

use super::identifiers::UserIdentifier;
use super::mfa::FactorSecretError;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::UserId;
use claimsmith_services::passwords::{PasswordError, TooCostly};
use std::error::Error;

/// Why nothing was changed. Each interface has its own error messages for it.
#[derive(Debug)]
pub enum AccountRefusal {
    /// There is no user of this id.
    UnknownUser(UserId),
    /// Somebody else has this.
    Taken(UserIdentifier),
    /// The user exists already; which identifier is in use is not known any more.
    Conflict,
    /// A phone number that no country has.
    ImpossiblePhone,
    /// An email address that no user may be given.
    ImpossibleEmail,
    /// Too many passwords wait to be digested.
    PasswordsBusy,
    /// It is not the user's password, or they have none.
    WrongPassword,
    /// Verifying the password is too expensive.
    UnverifiablePassword(TooCostly),
    /// Verifying passwords with this digest is too expensive.
    DigestTooCostly(TooCostly),
    /// The secret cannot be one for one-time passwords.
    BadTotpSecret,
    /// Backup codes must be ten different codes of ten letters and digits.
    BadBackupCodes,
    /// Backup codes need another factor.
    BackupCodesAlone,
    /// The user has a factor of this type.
    FactorInUse(FactorType),
    /// Somebody has this passkey.
    PasskeyTaken,
    /// The account elsewhere is somebody else's, or the user has another one there.
    IdentityTaken,
    /// The user has no factor of this id.
    UnknownFactor,
    /// The user has no account linked there.
    UnknownIdentity,
    /// The user could not sign in any more.
    LastWayIn,
    /// The user is the last one who administers the server.
    LastAdministrator,
    /// People write less about themselves.
    TooMuchData,
    /// The server failed.
    Failed(Box<dyn Error + Send + Sync>),
}

claimsmith_services::from_failures!(AccountRefusal, |error| Self::Failed(Box::new(error)), FactorSecretError);

/// Why there is no digest of a password.
pub(super) fn of_password(error: PasswordError) -> AccountRefusal {
    match error {
        PasswordError::Busy => AccountRefusal::PasswordsBusy,
        other => other.into(),
    }
}
