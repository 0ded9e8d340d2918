//! Maps refusals of account changes to errors of the Management API.

use super::ApiError;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_identity::accounts::AccountRefusal;
use serde_json::json;

impl From<AccountRefusal> for ApiError {
    fn from(refusal: AccountRefusal) -> Self {
        match refusal {
            AccountRefusal::UnknownUser(id) => Self::unknown_user(&id),
            AccountRefusal::Taken(IdentifierType::Username) => {
                Self::new(ApiCode::UserUsernameAlreadyInUse, "This username is already in use.")
            }
            AccountRefusal::Taken(IdentifierType::Email) => {
                Self::new(ApiCode::UserEmailAlreadyInUse, "This email is already in use.")
            }
            AccountRefusal::Taken(IdentifierType::Phone) => {
                Self::new(ApiCode::UserPhoneAlreadyInUse, "This phone number is already in use.")
            }
            AccountRefusal::Conflict => Self::new(ApiCode::EntityUniqueIntegrityViolation, "The user already exists."),
            AccountRefusal::Username(_) => {
                let details = "Error in key path \"username\": expected a letter or _ and then letters, digits and _, \
                               or what usernamePolicy.allowedChars allows beside these";
                Self::invalid_input("body", details)
            }
            AccountRefusal::ImpossiblePhone => Self::new(ApiCode::UserInvalidPhone, "Invalid phone number."),
            AccountRefusal::ImpossibleEmail => Self::new(ApiCode::UserInvalidEmail, "Invalid email address."),
            AccountRefusal::PasswordsBusy => Self::unavailable(
                ApiCode::UserPasswordBusy,
                "Too many passwords are waiting to be hashed; try again later.",
                1,
            ),
            AccountRefusal::WrongPassword => {
                Self::new(ApiCode::SessionInvalidCredentials, "The password is not the user's.")
            }
            AccountRefusal::UnverifiablePassword(excess) => {
                let message =
                    format!("The password cannot be verified, set a new one. Its hash is too expensive: {excess}.");
                Self::new(ApiCode::SessionInvalidCredentials, message)
            }
            AccountRefusal::DigestTooCostly(excess) => {
                let message = format!("The password digest is too expensive: {excess}.");
                Self::new(ApiCode::UserPasswordDigestTooCostly, message)
            }
            AccountRefusal::DigestUnreadable(reason) => {
                let message = format!("No password can match `passwordDigest`: {reason}.");
                Self::new(ApiCode::UserPasswordDigestInvalid, message).with_data(json!({ "field": "passwordDigest" }))
            }
            AccountRefusal::BadTotpSecret => {
                Self::new(ApiCode::UserTotpSecretInvalid, "The secret is not base 32 of 128 bits.")
            }
            AccountRefusal::BadBackupCodes => {
                let message = "Backup codes must be ten different codes of ten letters and digits.";
                Self::new(ApiCode::UserWrongBackupCodeFormat, message)
            }
            AccountRefusal::BackupCodesAlone => {
                Self::new(ApiCode::SessionMfaBackupCodeCanNotBeAlone, "Backup codes need another factor.")
            }
            AccountRefusal::FactorInUse(FactorType::Totp) => {
                Self::new(ApiCode::UserTotpAlreadyInUse, "The user has an authenticator already.")
            }
            AccountRefusal::FactorInUse(_) => {
                Self::new(ApiCode::UserBackupCodeAlreadyInUse, "The user has backup codes already.")
            }
            AccountRefusal::IdentityTaken => {
                Self::new(ApiCode::UserIdentityAlreadyInUse, "The identity is linked to another user.")
            }
            AccountRefusal::PasskeyTaken => {
                Self::new(ApiCode::UserPasskeyAlreadyInUse, "This passkey is already registered.")
            }
            AccountRefusal::UnknownFactor => Self::new(ApiCode::EntityNotFound, "The user has no such second factor."),
            AccountRefusal::UnknownIdentity => {
                let message = "No such identity is linked to the user.";
                Self::new(ApiCode::UserIdentityNotExist, message)
            }
            AccountRefusal::LastSignInMethod => {
                let message = "Without it, the user could not sign in any more.";
                Self::new(ApiCode::UserLastSignInMethodRequired, message)
            }
            AccountRefusal::LastAdministrator => {
                Self::new(ApiCode::UserLastAdministrator, "The user is the last one who administers the server.")
            }
            AccountRefusal::TooMuchData => {
                Self::new(ApiCode::UserDataTooLarge, "The data is larger than what people may write about themselves.")
            }
            AccountRefusal::Failed(error) => Self::failed(&*error),
        }
    }
}
