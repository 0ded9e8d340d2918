//! `POST /api/one-time-tokens/verify`: uses a token outside of any sign-in.

use super::view::{OneTimeTokenView, refuse};
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::one_time_token::Status;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::StoredEmail;
use claimsmith_domain::management::UsersWrite;
use claimsmith_domain::one_time_token::TokenRefusal;
use claimsmith_services::tokens;
use claimsmith_storage::verification::one_time_tokens;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// A token and whom it is for.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "email": "ada@example.com", "token": "4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ" }))]
pub(super) struct VerifyToken {
    /// An email address.
    #[schema(value_type = String, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    email: StoredEmail,
    /// The token.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    token: Text<1, 128>,
}

/// Uses a token, which works once.
#[utoipa::path(
    post, path = "/api/one-time-tokens/verify", tag = "One-time tokens", summary = "Use a one-time token",
    request_body = VerifyToken,
    responses(
        (status = 200, description = "The token, which is used now", body = OneTimeTokenView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such token", body = ApiErrorBody),
    ),
)]
pub(super) async fn verify_one_time_token(
    management: Management<UsersWrite>,
    JsonBody(body): JsonBody<VerifyToken>,
) -> Result<Json<OneTimeTokenView>, ApiError> {
    let now = management.now();
    let mut tx = management.begin().await?;
    let found = one_time_tokens::find_by_hash(&mut tx, &tokens::hash(body.token.as_str())).await?;
    let mut row = found.ok_or_else(|| refuse(TokenRefusal::NotFound))?;
    if fold(&String::from(body.email)) != row.email {
        return Err(refuse(TokenRefusal::OtherEmail));
    }
    // Of concurrent uses, one succeeds.
    if !one_time_tokens::settle(&mut tx, &row.id, Status::Consumed, now).await? {
        let is_now = row.status.at(now, row.expires_at);
        return Err(refuse(TokenRefusal::of(is_now).unwrap_or(TokenRefusal::Consumed)));
    }
    tx.audit(AuditKey::ManagementOneTimeTokenVerify, json!({ "oneTimeTokenId": row.id })).await?;
    tx.commit().await?;
    row.status = Status::Consumed;
    Ok(Json(OneTimeTokenView::new(row, None, now)))
}
