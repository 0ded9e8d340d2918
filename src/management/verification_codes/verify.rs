//! `POST /api/verification-codes/verify`.

use super::guesses::Guess;
use super::recipient::{identifier, requester};
use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::management::UsersWrite;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_json::present;
use claimsmith_services::messages;
use claimsmith_services::verification_codes;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// A code that the caller received at the email address or phone number.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "email": "ada@example.com", "verificationCode": "123456" }))]
pub(super) struct VerifyCode {
    /// An email address.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    email: Option<Text<1, 128>>,
    /// A phone number with its country code.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    phone: Option<Text<1, 128>>,
    /// The code.
    #[schema(value_type = String, min_length = 1, max_length = 64)]
    verification_code: Text<1, 64>,
}

/// Verifies a code, which works once.
#[utoipa::path(
    post, path = "/api/verification-codes/verify", tag = "Verification codes", summary = "Verify a code",
    request_body = VerifyCode,
    responses(
        (status = 204, description = "It is right"),
        (status = 400, description = "The body is not what the operation takes, the code is wrong, expired or used, or \
            too many were wrong", body = ApiErrorBody),
        (status = 413, description = "The body is too large", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn verify_verification_code(
    management: Management<UsersWrite>,
    JsonBody(body): JsonBody<VerifyCode>,
) -> Result<StatusCode, ApiError> {
    let identifier = identifier(body.email, body.phone)?;
    let app = &management.app;
    let settings = EXPERIENCE.find(&mut management.read().await?).await?;
    let (requester, policy, code) =
        (requester(&identifier), &settings.verification_code_policy, body.verification_code);
    let guess = Guess::count(&management, &identifier).await?;
    let now = management.now();
    let proved = verification_codes::prove(&app.db, &app.cipher, &requester, None, code.as_str(), policy, now).await?;
    let proved = match proved {
        Ok(proved) => proved,
        Err(refusal) => {
            if refusal != CodeRefusal::Mismatch {
                guess.undo_failure(&management).await?;
            }
            return Err(refuse(refusal));
        }
    };
    let mut tx = management.begin().await?;
    guess.succeeded(&mut tx).await?;
    if !verification_codes::consume(&mut tx, &proved).await? {
        drop(tx);
        guess.undo_failure(&management).await?;
        return Err(refuse(CodeRefusal::NotFound));
    }
    // Queued messages with a code are no longer needed.
    messages::withdraw(&mut tx, requester.name(), now).await?;
    tx.audit(AuditKey::ManagementVerificationCodeVerify, json!({ "type": identifier.kind.as_str() })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn refuse(refusal: CodeRefusal) -> ApiError {
    ApiError::new(refusal.code(), refusal.message())
}
