//! `/api/users/{userId}/grants`: the access that a user granted to applications: by signing in, and by tokens that were
//! issued without a sign-in.

use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard::check_user;
use claimsmith_storage::issuing::issuances::{self, LiveIssuance};
use claimsmith_storage::sessions::grants::{self, Grant};
use claimsmith_storage::{Tx, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::Management;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

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

/// A grant of a user, or a live token without one.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GrantView {
    /// The grant's id, or the token's `jti`.
    id: String,
    payload: GrantPayload,
    /// Unix milliseconds.
    expires_at: i64,
}

/// What was given.
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
    /// Of a grant: the scopes about the user; of a token: all of them.
    scope: String,
    /// Of a token: its resource.
    resource: Option<String>,
    /// Of a grant: the scopes of resources, by indicator.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    resources: Option<BTreeMap<String, String>>,
}

/// Lists what applications hold in a user's name: grants from signing in, and tokens that are live and came without.
#[utoipa::path(
    get, path = "/api/users/{userId}/grants", tag = "Users", summary = "List the grants of a user",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The grants", body = Grants),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_grants(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<Grants>, ApiError> {
    let mut tx = management.read().await?;
    refuse_unknown(&mut tx, &id).await?;
    let given = grants::of_user(&mut tx, &id, None, management.now()).await?;
    let live = issuances::live_of_user(&mut tx, &id, management.now()).await?;
    let mut views: Vec<GrantView> = given.into_iter().map(grant_view).collect();
    views.extend(live.into_iter().map(|issuance| view(issuance, &id)));
    Ok(Json(Grants { grants: views }))
}

/// Takes a grant of a user back, with every token that came from it, or revokes a token that came without.
#[utoipa::path(
    delete, path = "/api/users/{userId}/grants/{grantId}", tag = "Users", summary = "Revoke a grant of a user",
    params(("userId" = String, Path, description = "The user"), ("grantId" = String, Path, description = "The grant")),
    responses(
        (status = 204, description = "Revoked"),
        AccessRefused,
        (status = 404, description = "No such user or grant", body = ApiErrorBody),
    ),
)]
pub(super) async fn revoke_grant(
    management: Management<UsersWrite>,
    IdPair(id, grant_id): IdPair<UserId, String>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    check_user(&management, &mut tx, &id).await?;
    let given = grants::find(&mut tx, &grant_id.as_str().into()).await?.filter(|given| given.user_id == id);
    if let Some(given) = given {
        grants::revoke(&mut tx, &given.id, management.now()).await?;
        let details = json!({ "userId": id, "grantId": given.id, "applicationId": given.application_id });
        tx.audit(AuditKey::ManagementUserRevokeGrant, details).await?;
        tx.commit().await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    if !issuances::revoke_of_user(&mut tx, &id, &grant_id, management.now()).await? {
        return Err(ApiError::nothing_to_delete("grant", &grant_id));
    }
    tx.audit(AuditKey::ManagementUserRevokeGrant, json!({ "userId": id, "jti": grant_id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn refuse_unknown(tx: &mut Tx, id: &UserId) -> Result<(), ApiError> {
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
            resources: None,
        },
    }
}

fn grant_view(grant: Grant) -> GrantView {
    let scopes = grant.scopes.0.unwrap_or_default();
    GrantView {
        id: grant.id.to_string(),
        expires_at: grant.expires_at,
        payload: GrantPayload {
            iat: grant.created_at / 1000,
            exp: grant.expires_at / 1000,
            jti: grant.id.into(),
            client_id: grant.application_id.into(),
            account_id: grant.user_id.into(),
            scope: scopes.oidc.join(" "),
            resource: None,
            resources: Some(scopes.resources.into_iter().map(|(name, scopes)| (name, scopes.join(" "))).collect()),
        },
    }
}
