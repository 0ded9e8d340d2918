//! Refusals of settings, with the error codes of the reference API.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::sign_in_experience::checks::Violation;
use claimsmith_web::error::ApiError;
use serde_json::json;

/// The error for a violation.
pub(super) fn refuse(violation: Violation) -> ApiError {
    let (code, message) = told(violation);
    let error = ApiError::new(code, message);
    match violation {
        Violation::ConnectorNotFound(Channel::Email) => error.with_data(json!({ "type": "Email" })),
        Violation::ConnectorNotFound(Channel::Phone) => error.with_data(json!({ "type": "Sms" })),
        Violation::WayBackNotFound(Channel::Email) => error.with_data(json!({ "method": "email" })),
        Violation::WayBackNotFound(Channel::Phone) => error.with_data(json!({ "method": "sms" })),
        Violation::Unsupported(setting) => error.with_data(json!({ "setting": setting.field })),
        _ => error,
    }
}

fn told(violation: Violation) -> (ApiCode, &'static str) {
    use Channel::{Email, Phone};
    match violation {
        Violation::ConnectorNotFound(_) => (
            ApiCode::SignInExperiencesEnabledConnectorNotFound,
            "Nothing here sends the codes that this needs: add a connector first.",
        ),
        Violation::WayBackNotFound(_) => (
            ApiCode::SignInExperiencesForgotPasswordMethodRequiresConnector,
            "Nothing here sends the codes of this way back in: add a connector first.",
        ),
        Violation::VerificationRequired => (
            ApiCode::SignInExperiencesPasswordlessRequiresVerify,
            "An address or number to register with must be verified.",
        ),
        Violation::DuplicatedIdentifiers => {
            (ApiCode::SignInExperiencesDuplicatedSignUpIdentifiers, "An identifier to register with is named twice.")
        }
        Violation::FactorRequired => (
            ApiCode::SignInExperiencesAtLeastOneAuthenticationFactor,
            "Each way to sign in asks for a password or a code; a user name receives no code.",
        ),
        Violation::CodeRequired => (
            ApiCode::SignInExperiencesCodeSignInMustBeEnabled,
            "Registration without a password requires sign-in with a code.",
        ),
        Violation::CodeIsSecondFactor(Email) => (
            ApiCode::SignInExperiencesEmailVerificationCodeCannotBeUsedForSignIn,
            "Codes by email are a second factor already.",
        ),
        Violation::CodeIsSecondFactor(Phone) => (
            ApiCode::SignInExperiencesPhoneVerificationCodeCannotBeUsedForSignIn,
            "Codes by text message are a second factor already.",
        ),
        Violation::CodeIsSignIn(Email) => (
            ApiCode::SignInExperiencesEmailVerificationCodeCannotBeUsedForMfa,
            "Codes by email are a way to sign in already.",
        ),
        Violation::CodeIsSignIn(Phone) => (
            ApiCode::SignInExperiencesPhoneVerificationCodeCannotBeUsedForMfa,
            "Codes by text message are a way to sign in already.",
        ),
        Violation::BackupCodeAlone => (
            ApiCode::SignInExperiencesBackupCodeCannotBeEnabledAlone,
            "Backup codes stand for another factor: name one, too.",
        ),
        Violation::DuplicatedFactors => (ApiCode::SignInExperiencesDuplicatedMfaFactors, "A factor is named twice."),
        Violation::SupportEmailFormat => {
            (ApiCode::SignInExperiencesSupportEmailFormat, "supportEmail is no email address.")
        }
        Violation::BlocklistFormat => (
            ApiCode::SignInExperiencesInvalidCustomEmailBlocklistFormat,
            "Entries are addresses such as a@example.com, or domains such as @example.com.",
        ),
        Violation::ExpirationPeriod => (
            ApiCode::SignInExperiencesPasswordExpirationInvalidPeriodDays,
            "validPeriodDays is a number of days from 1 to 3650.",
        ),
        Violation::ExpirationNeedsWayBack => (
            ApiCode::SignInExperiencesPasswordExpirationRequiresForgotPassword,
            "Passwords that expire are reset with a code: add a connector, and allow its codes to reset passwords.",
        ),
        Violation::AdaptiveNeedsFactors => {
            (ApiCode::SignInExperiencesAdaptiveMfaRequiresMfa, "Adaptive MFA needs second factors: name some.")
        }
        Violation::AdaptiveNeedsPolicy => (
            ApiCode::SignInExperiencesAdaptiveMfaRequiresNonSkippablePolicy,
            "Adaptive MFA needs the policy PromptOnlyAtSignInMandatory or PromptAtSignInAndSignUpMandatory.",
        ),
        Violation::UnsupportedLanguage => (
            ApiCode::SignInExperiencesUnsupportedDefaultLanguage,
            "There are no texts in this language: add them first.",
        ),
        Violation::Unsupported(setting) => (ApiCode::SignInExperiencesUnsupportedSetting, setting.reason),
    }
}
