//! `PUT /api/one-time-tokens/{id}/status`: revokes a token, or marks it as used.

use super::view::{OneTimeTokenView, refuse};
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::one_time_token::Status;
use claimsmith_domain::management::UsersWrite;
use claimsmith_domain::one_time_token::TokenRefusal;
use claimsmith_storage::verification::one_time_tokens;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// What becomes of a token.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "status": "revoked" }))]
pub(super) struct SetStatus {
    status: Settled,
}

/// How a token ends.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum Settled {
    /// It cannot be activated again.
    Active,
    /// It was used elsewhere.
    Consumed,
    /// It is taken back.
    Revoked,
}

/// Takes an active token back, or marks it as used. One that is over stays so.
#[utoipa::path(
    put, path = "/api/one-time-tokens/{id}/status", tag = "One-time tokens", summary = "Take a one-time token back",
    params(("id" = String, Path, description = "The token's id")),
    request_body = SetStatus,
    responses(
        (status = 200, description = "The token", body = OneTimeTokenView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such token", body = ApiErrorBody),
    ),
)]
pub(super) async fn set_one_time_token_status(
    management: Management<UsersWrite>,
    Id(id): Id<String>,
    JsonBody(body): JsonBody<SetStatus>,
) -> Result<Json<OneTimeTokenView>, ApiError> {
    let status = match body.status {
        Settled::Consumed => Status::Consumed,
        Settled::Revoked => Status::Revoked,
        Settled::Active => {
            let code = ApiCode::OneTimeTokenCannotReactivateToken;
            return Err(ApiError::new(code, "A token cannot be made active again."));
        }
    };
    let now = management.now();
    let mut tx = management.begin().await?;
    let found = one_time_tokens::find(&mut tx, &id).await?;
    let mut row = found.ok_or_else(|| ApiError::not_found("one-time token", &id))?;
    if !one_time_tokens::settle(&mut tx, &id, status, now).await? {
        let is_now = row.status.at(now, row.expires_at);
        return Err(refuse(TokenRefusal::of(is_now).unwrap_or(TokenRefusal::Consumed)));
    }
    tx.audit(AuditKey::ManagementOneTimeTokenSetStatus, json!({ "oneTimeTokenId": id, "status": status })).await?;
    tx.commit().await?;
    row.status = status;
    Ok(Json(OneTimeTokenView::new(row, None, now)))
}
