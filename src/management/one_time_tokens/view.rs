//! How one-time tokens are shown, and refused.

use claimsmith_domain::documents::one_time_token::{Context, Status};
use claimsmith_domain::one_time_token::TokenRefusal;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::verification::one_time_tokens::OneTimeToken;
use claimsmith_web::error::ApiError;
use serde::Serialize;

/// A one-time token. The token itself is shown when it is made, and never again.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "t7n2v5t0k3x8c1b6m9q4w", "email": "ada@example.com",
    "token": "4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ", "context": { "interactionEvent": "SignIn" }, "status": "active",
    "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_000_600_000_i64
}))]
pub(super) struct OneTimeTokenView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Whom it is for, in lower case.
    email: String,
    /// Only in the answer of its creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    context: Context,
    status: Status,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds.
    expires_at: i64,
}

impl OneTimeTokenView {
    /// The token as of this time. The value `token` is only known at its creation.
    pub(super) fn new(row: OneTimeToken, token: Option<String>, now: i64) -> Self {
        Self {
            tenant_id: TENANT,
            status: row.status.at(now, row.expires_at),
            id: row.id,
            email: row.email,
            token,
            context: row.context.0.unwrap_or_default(),
            created_at: row.created_at,
            expires_at: row.expires_at,
        }
    }
}

/// The refusal of a token.
pub(super) fn refuse(refusal: TokenRefusal) -> ApiError {
    ApiError::new(refusal.code(), refusal.message())
}
