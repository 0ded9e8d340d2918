//! Routes that need a code, an account elsewhere or a passkey. None of these is verified here, so they refuse as they do
//! where there is no connector, and no such record.

use crate::domain::account_center::Field;
use crate::http::error::ApiError;
use crate::http::extract::account::OwnChange;
use crate::own_account::proof;
use crate::own_account::refusal::Refusal;
use axum::http::StatusCode;

/// `POST /api/my-account/primary-email`.
pub(super) async fn set_email(account: OwnChange) -> Result<StatusCode, ApiError> {
    refuse(&account, "email", Field::Email).await
}

/// `POST /api/my-account/primary-phone`.
pub(super) async fn set_phone(account: OwnChange) -> Result<StatusCode, ApiError> {
    refuse(&account, "phone", Field::Phone).await
}

/// `POST` and `PUT /api/my-account/identities`.
pub(super) async fn link(account: OwnChange) -> Result<StatusCode, ApiError> {
    refuse(&account, "identities", Field::Social).await
}

/// `POST /api/verifications/verification-code`.
pub(super) async fn send_code(_: OwnChange) -> ApiError {
    let message = "There is no connector that could send a code.";
    ApiError::new(StatusCode::NOT_IMPLEMENTED, "connector.not_found", message)
}

/// `POST /api/verifications/social`.
pub(super) async fn begin_social(_: OwnChange) -> ApiError {
    ApiError::unprocessable("session.invalid_connector_id", "There is no such connector.")
}

/// `POST /api/verifications/web-authn/registration`.
pub(super) async fn register_passkey(_: OwnChange) -> ApiError {
    let message = "The settings of sign-in do not have this second factor.";
    ApiError::new(StatusCode::BAD_REQUEST, "session.mfa.mfa_factor_not_enabled", message)
}

/// The second step of a verification that was never begun.
pub(super) async fn verify(_: OwnChange) -> ApiError {
    unknown_record()
}

async fn refuse(account: &OwnChange, scope: &str, field: Field) -> Result<StatusCode, ApiError> {
    account.demand(scope)?;
    if !account.settings.fields.edits(field) {
        return Err(Refusal::FieldReadOnly.into());
    }
    proof::check(&account.owner, &mut account.owner.read().await?).await?;
    Err(unknown_record())
}

/// 400: there is no such verification record of this person.
pub(super) fn unknown_record() -> ApiError {
    let message = "There is no such verification record: it is unknown, expired, or of something else.";
    ApiError::new(StatusCode::BAD_REQUEST, "verification_record.not_found", message)
}
