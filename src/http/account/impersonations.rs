//! `/api/my-account/impersonations`: impersonations of the user.

use axum::Json;
use axum::http::{HeaderName, StatusCode};
use claimsmith_domain::user_scope::SESSIONS;
use claimsmith_identity::own_account::impersonations::{self, OwnImpersonation};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::{OwnAccount, OwnChange};
use claimsmith_web::extract::ids::Id;
use serde_json::{Value, json};

const TOTAL_NUMBER: HeaderName = HeaderName::from_static("total-number");

/// Lists the latest impersonations, at most 100.
pub(super) async fn list(account: OwnAccount) -> Result<([(HeaderName, String); 1], Json<Value>), ApiError> {
    account.demand(SESSIONS)?;
    let (found, total) = impersonations::list(&account.owner).await?;
    let now = account.owner.now();
    Ok(([(TOTAL_NUMBER, total.to_string())], Json(found.iter().map(|one| view(one, now)).collect())))
}

fn view(one: &OwnImpersonation, now: i64) -> Value {
    let token = &one.token;
    json!({
        "id": token.jti,
        "actor": token.actor_id.as_ref().map(|id| json!({ "id": id, "name": one.name_of_actor() })),
        "application": {
            "id": token.application_id, "name": one.application.as_ref().map(|application| &application.name),
        },
        "resource": token.resource,
        "scope": token.scope,
        "organizationId": token.organization_id,
        "reason": one.context("reason"),
        "ticketId": one.context("ticketId"),
        "isActive": token.is_active(now),
        "createdAt": token.created_at,
        "expiresAt": token.expires_at,
        "endedAt": token.revoked_at,
    })
}

/// Ends an impersonation.
pub(super) async fn end(account: OwnChange, Id(jti): Id) -> Result<StatusCode, ApiError> {
    account.demand(SESSIONS)?;
    impersonations::end(&account.owner, &jti).await?;
    Ok(StatusCode::NO_CONTENT)
}
