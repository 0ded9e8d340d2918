//! Refusals of settings, with the error codes of the reference API.

use axum::http::StatusCode;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::sign_in_experience::checks::Violation;
use claimsmith_web::error::ApiError;
use serde_json::json;

const BAD: StatusCode = StatusCode::BAD_REQUEST;
const UNFIT: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;

/// The error for a violation.
pub(super) fn refuse(violation: Violation) -> ApiError {
    let (status, code, message) = told(violation);
    let error = ApiError::new(status, &format!("sign_in_experiences.{code}"), message);
    match violation {
        Violation::ConnectorNotFound(Channel::Email) => error.with_data(json!({ "type": "Email" })),
        Violation::ConnectorNotFound(Channel::Phone) => error.with_data(json!({ "type": "Sms" })),
        Violation::WayBackNotFound(Channel::Email) => error.with_data(json!({ "method": "email" })),
        Violation::WayBackNotFound(Channel::Phone) => error.with_data(json!({ "method": "sms" })),
        Violation::Unsupported(setting) => error.with_data(json!({ "setting": setting.field })),
        _ => error,
    }
}

fn told(violation: Violation) -> (StatusCode, &'static str, &'static str) {
    use Channel::{Email, Phone};
    match violation {
        Violation::ConnectorNotFound(_) => {
            (BAD, "enabled_connector_not_found", "Nothing here sends the codes that this needs: add a connector first.")
        }
        Violation::WayBackNotFound(_) => (
            BAD,
            "forgot_password_method_requires_connector",
            "Nothing here sends the codes of this way back in: add a connector first.",
        ),
        Violation::VerificationRequired => {
            (BAD, "passwordless_requires_verify", "An address or number to register with must be verified.")
        }
        Violation::DuplicatedIdentifiers => {
            (BAD, "duplicated_sign_up_identifiers", "An identifier to register with is named twice.")
        }
        Violation::FactorRequired => (
            BAD,
            "at_least_one_authentication_factor",
            "Each way to sign in asks for a password or a code; a user name receives no code.",
        ),
        Violation::CodeRequired => {
            (BAD, "code_sign_in_must_be_enabled", "Registration without a password requires sign-in with a code.")
        }
        Violation::CodeIsSecondFactor(Email) => {
            (BAD, "email_verification_code_cannot_be_used_for_sign_in", "Codes by email are a second factor already.")
        }
        Violation::CodeIsSecondFactor(Phone) => (
            BAD,
            "phone_verification_code_cannot_be_used_for_sign_in",
            "Codes by text message are a second factor already.",
        ),
        Violation::CodeIsSignIn(Email) => {
            (BAD, "email_verification_code_cannot_be_used_for_mfa", "Codes by email are a way to sign in already.")
        }
        Violation::CodeIsSignIn(Phone) => (
            BAD,
            "phone_verification_code_cannot_be_used_for_mfa",
            "Codes by text message are a way to sign in already.",
        ),
        Violation::BackupCodeAlone => {
            (BAD, "backup_code_cannot_be_enabled_alone", "Backup codes stand for another factor: name one, too.")
        }
        Violation::DuplicatedFactors => (BAD, "duplicated_mfa_factors", "A factor is named twice."),
        Violation::SupportEmailFormat => (BAD, "support_email_format", "supportEmail is no email address."),
        Violation::BlocklistFormat => (
            BAD,
            "invalid_custom_email_blocklist_format",
            "Entries are addresses such as a@example.com, or domains such as @example.com.",
        ),
        Violation::UnsupportedLanguage => {
            (BAD, "unsupported_default_language", "There are no texts in this language: add them first.")
        }
        Violation::Unsupported(setting) => (UNFIT, "unsupported_setting", setting.reason),
    }
}
