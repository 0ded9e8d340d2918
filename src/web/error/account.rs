//! Maps refusals of account changes to errors of the Management API.

use super::ApiError;
use axum::http::StatusCode;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_identity::accounts::{AccountRefusal, UserIdentifier};

impl From<AccountRefusal> for ApiError {
    fn from(refusal: AccountRefusal) -> Self {
        let refuse = |code, message: &str| Self::unprocessable(code, message);
        match refusal {
            AccountRefusal::UnknownUser(id) => Self::unknown_user(&id),
            AccountRefusal::Taken(UserIdentifier::Username) => {
                refuse("user.username_already_in_use", "This username is already in use.")
            }
            AccountRefusal::Taken(UserIdentifier::Email) => {
                refuse("user.email_already_in_use", "This email is already in use.")
            }
            AccountRefusal::Taken(UserIdentifier::Phone) => {
                refuse("user.phone_already_in_use", "This phone number is already in use.")
            }
            AccountRefusal::Conflict => refuse("entity.unique_integrity_violation", "The user already exists."),
            AccountRefusal::ImpossiblePhone => refuse("user.invalid_phone", "Invalid phone number."),
            AccountRefusal::ImpossibleEmail => refuse("user.invalid_email", "Invalid email address."),
            AccountRefusal::PasswordsBusy => Self::unavailable(
                "user.password_busy",
                "Too many passwords are waiting to be hashed; try again later.",
                1,
            ),
            AccountRefusal::WrongPassword => refuse("session.invalid_credentials", "The password is not the user's."),
            AccountRefusal::UnverifiablePassword(excess) => {
                let message =
                    format!("The password cannot be verified, set a new one. Its hash is too expensive: {excess}.");
                refuse("session.invalid_credentials", &message)
            }
            AccountRefusal::DigestTooCostly(excess) => {
                let message = format!("The password digest is too expensive: {excess}.");
                refuse("user.password_digest_too_costly", &message)
            }
            AccountRefusal::BadTotpSecret => {
                refuse("user.totp_secret_invalid", "The secret is not base 32 of 128 bits.")
            }
            AccountRefusal::BadBackupCodes => {
                let message = "Backup codes must be ten different codes of ten letters and digits.";
                refuse("user.wrong_backup_code_format", message)
            }
            AccountRefusal::BackupCodesAlone => {
                refuse("session.mfa.backup_code_can_not_be_alone", "Backup codes need another factor.")
            }
            AccountRefusal::FactorInUse(FactorType::Totp) => {
                refuse("user.totp_already_in_use", "The user has an authenticator already.")
            }
            AccountRefusal::FactorInUse(_) => {
                refuse("user.backup_code_already_in_use", "The user has backup codes already.")
            }
            AccountRefusal::IdentityTaken => {
                refuse("user.identity_already_in_use", "The identity is linked to another user.")
            }
            AccountRefusal::PasskeyTaken => {
                refuse("user.passkey_already_in_use", "This passkey is already registered.")
            }
            AccountRefusal::UnknownFactor => {
                Self::new(StatusCode::NOT_FOUND, "entity.not_found", "The user has no such second factor.")
            }
            AccountRefusal::UnknownIdentity => {
                let message = "No such identity is linked to the user.";
                Self::new(StatusCode::NOT_FOUND, "user.identity_not_exist", message)
            }
            AccountRefusal::LastSignInMethod => {
                let message = "Without it, the user could not sign in any more.";
                Self::new(StatusCode::BAD_REQUEST, "user.last_sign_in_method_required", message)
            }
            AccountRefusal::LastAdministrator => {
                refuse("user.last_administrator", "The user is the last one who administers the server.")
            }
            AccountRefusal::TooMuchData => {
                refuse("user.data_too_large", "The data is larger than what people may write about themselves.")
            }
            AccountRefusal::Failed(error) => Self::failed(&*error),
        }
    }
}
