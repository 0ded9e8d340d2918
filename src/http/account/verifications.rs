//! `POST /api/verifications/password`: proves that the caller is still the account's owner.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::text::Text;
use claimsmith_identity::own_account::proof;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use claimsmith_web::extract::json::JsonBody;
use serde::Deserialize;
use serde_json::{Value, json};

/// The current password of the user.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct Password {
    password: Text<1, 4096>,
}

/// Verifies the password.
pub(super) async fn password(
    account: OwnChange,
    JsonBody(body): JsonBody<Password>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let record = proof::prove_password(&account.owner, body.password.as_str()).await?;
    let answer = json!({ "verificationRecordId": record.id, "expiresAt": iso8601(record.expires_at) });
    Ok((StatusCode::CREATED, Json(answer)))
}
