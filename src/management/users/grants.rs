//! `/api/users/{userId}/grants`: the access that a user granted to applications: by signing in, and by tokens that were
//! issued without a sign-in.

use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::users::sessions::{GrantPayload, GrantView, Grants};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::management::{BySupport, UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard::check_user;
use claimsmith_storage::applications;
use claimsmith_storage::issuing::issuances::{self, LiveIssuance};
use claimsmith_storage::sessions::grants::{self, Grant};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::query::Query;
use serde_json::json;
use std::collections::{BTreeSet, HashSet};

/// Lists what applications hold in a user's name: grants from signing in, and tokens that are live and came without.
#[utoipa::path(
    get, path = "/api/users/{userId}/grants", tag = "Users",
    params(
        ("userId" = String, Path, description = "The user"),
        ("appType" = Option<String>, Query,
            description = "Only those of the operator's own applications (`firstParty`), or of others (`thirdParty`)"),
    ),
    responses(
        (status = 200, description = "The grants", body = Grants),
        (status = 400, description = "No such type of applications", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_grants(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
    query: Query,
) -> Result<Json<Grants>, ApiError> {
    let is_third_party = match query.one("appType")? {
        None => None,
        Some("firstParty") => Some(false),
        Some("thirdParty") => Some(true),
        Some(_) => {
            let details = "Error in key path \"appType\": expected firstParty or thirdParty";
            return Err(ApiError::invalid_input("query", details));
        }
    };
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let given = grants::of_user(&mut tx, &id, None, management.now()).await?;
    let live = issuances::live_of_user(&mut tx, &id, management.now()).await?;
    let mut views: Vec<GrantView> = given.into_iter().map(grant_view).collect();
    views.extend(live.into_iter().map(|issuance| view(issuance, &id)));
    if let Some(wanted) = is_third_party {
        let ids: BTreeSet<ApplicationId> = views.iter().map(|grant| grant.payload.client_id.clone()).collect();
        let mut listed = HashSet::new();
        for id in ids {
            if applications::find(&mut tx, &id).await?.is_some_and(|found| found.is_third_party == wanted) {
                listed.insert(id);
            }
        }
        views.retain(|grant| listed.contains(&grant.payload.client_id));
    }
    Ok(Json(Grants { grants: views }))
}

/// Takes a grant of a user back, with every token that came from it, or revokes a token that came without.
#[utoipa::path(
    delete, path = "/api/users/{userId}/grants/{grantId}", tag = "Users",
    params(("userId" = String, Path, description = "The user"), ("grantId" = String, Path, description = "The grant")),
    responses(
        (status = 204, description = "Revoked"),
        AccessRefused,
        (status = 400, description = "The user has no such grant", body = ApiErrorBody),
    ),
)]
pub(super) async fn revoke_grant(
    management: Management<BySupport<UsersWrite>>,
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
        return Err(ApiError::new(ApiCode::OidcInvalidGrant, "The user has no such grant."));
    }
    tx.audit(AuditKey::ManagementUserRevokeGrant, json!({ "userId": id, "jti": grant_id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn view(issuance: LiveIssuance, user_id: &UserId) -> GrantView {
    GrantView {
        id: issuance.jti.clone(),
        expires_at: issuance.expires_at,
        payload: GrantPayload {
            iat: issuance.created_at / 1000,
            exp: issuance.expires_at / 1000,
            jti: issuance.jti,
            client_id: issuance.application_id,
            account_id: user_id.clone(),
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
            client_id: grant.application_id,
            account_id: grant.user_id,
            scope: scopes.oidc.join(" "),
            resource: None,
            resources: Some(scopes.resources.into_iter().map(|(name, scopes)| (name, scopes.join(" "))).collect()),
        },
    }
}
