//! `/api/users/{userId}/grants` and `/api/users/{userId}/sessions`: tokens that applications hold for a user, and the
//! user's sessions.

use crate::domain::id::UserId;
use crate::domain::management::{UsersRead, UsersWrite};
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::{Id, IdPair};
use crate::http::extract::management::Management;
use crate::http::management::refusals::Refused;
use crate::storage::issuances::{self, LiveIssuance};
use crate::storage::{Tx, users};
use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::json;

/// What applications hold.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "grants": [
        {
            "id": "mgj0l7t5k2x9c4b1n8q3w",
            "payload": {
                "iat": 1_760_000_000, "exp": 1_760_003_600, "jti": "mgj0l7t5k2x9c4b1n8q3w",
                "clientId": "m0k2x7c5t9r4b8n1q6w3z", "accountId": "q3v8k1znw2pd", "scope": "orders:read",
                "resource": "https://orders.example.com"
            },
            "expiresAt": 1_760_003_600_000_i64
        }
    ]
}))]
pub(super) struct Grants {
    /// Newest first, at most 1000.
    grants: Vec<GrantView>,
}

/// A live token of a user.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GrantView {
    /// The token's `jti`.
    id: String,
    payload: GrantPayload,
    /// Unix milliseconds.
    expires_at: i64,
}

/// What the token says.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GrantPayload {
    /// Unix seconds.
    iat: i64,
    /// Unix seconds.
    exp: i64,
    jti: String,
    client_id: String,
    account_id: String,
    scope: String,
    resource: Option<String>,
}

/// Where a user is signed in.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({ "sessions": [] }))]
pub(super) struct Sessions {
    /// Empty: there is no sign-in page yet.
    sessions: Vec<SessionView>,
}

/// A browser in which a user is signed in.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct SessionView {
    id: String,
}

/// Lists what applications hold in a user's name: tokens that are live.
#[utoipa::path(
    get, path = "/api/users/{userId}/grants", tag = "Users", summary = "List the grants of a user",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The grants", body = Grants),
        Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_grants(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<Grants>, ApiError> {
    let mut tx = management.read().await?;
    refuse_unknown(&mut tx, &id).await?;
    let live = issuances::live_of_user(&mut tx, &id, management.now()).await?;
    Ok(Json(Grants { grants: live.into_iter().map(|issuance| view(issuance, &id)).collect() }))
}

/// Revokes a token of a user.
#[utoipa::path(
    delete, path = "/api/users/{userId}/grants/{grantId}", tag = "Users", summary = "Revoke a grant of a user",
    params(("userId" = String, Path, description = "The user"), ("grantId" = String, Path, description = "The grant")),
    responses(
        (status = 204, description = "Revoked"),
        Refused,
        (status = 404, description = "No such user or grant", body = ApiErrorBody),
    ),
)]
pub(super) async fn revoke_grant(
    management: Management<UsersWrite>,
    IdPair(id, grant_id): IdPair<UserId, String>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !issuances::revoke_of_user(&mut tx, &id, &grant_id, management.now()).await? {
        return Err(ApiError::nothing_to_delete("grant", &grant_id));
    }
    tx.audit("Management.User.RevokeGrant", json!({ "userId": id, "jti": grant_id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists where a user is signed in.
#[utoipa::path(
    get, path = "/api/users/{userId}/sessions", tag = "Users", summary = "List the sessions of a user",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The sessions", body = Sessions),
        Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_sessions(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<Sessions>, ApiError> {
    refuse_unknown(&mut management.read().await?, &id).await?;
    Ok(Json(Sessions { sessions: Vec::new() }))
}

async fn refuse_unknown(tx: &mut Tx, id: &UserId) -> Result<(), ApiError> {
    users::find(tx, id).await?.map(drop).ok_or_else(|| ApiError::unknown_user(id))
}

fn view(issuance: LiveIssuance, user_id: &UserId) -> GrantView {
    GrantView {
        id: issuance.jti.clone(),
        expires_at: issuance.expires_at,
        payload: GrantPayload {
            iat: issuance.created_at / 1000,
            exp: issuance.expires_at / 1000,
            jti: issuance.jti,
            client_id: issuance.application_id.into(),
            account_id: user_id.to_string(),
            scope: issuance.scope,
            resource: issuance.resource,
        },
    }
}
