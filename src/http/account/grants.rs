//! `/api/my-account/grants`: the applications with access.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::id::GrantId;
use claimsmith_domain::user_scope::SESSIONS;
use claimsmith_identity::own_account::{grants, proof};
use claimsmith_storage::applications::Application;
use claimsmith_storage::sessions::grants::Grant;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::{OwnAccount, OwnChange};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::query::Query;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Lists the grants.
pub(super) async fn list(account: OwnAccount, query: Query) -> Result<Json<Value>, ApiError> {
    account.demand_field(SESSIONS, Field::Session)?;
    let is_third_party = match query.one("appType")? {
        None => None,
        Some("firstParty") => Some(false),
        Some("thirdParty") => Some(true),
        Some(_) => {
            let details = "Error in key path \"appType\": expected firstParty or thirdParty";
            return Err(ApiError::invalid_input("query", details));
        }
    };
    proof::check(&account.owner, &mut account.owner.read().await?).await?;
    let found = grants::list(&account.owner).await?;
    let is_wanted =
        |application: &Application| is_third_party.is_none_or(|wanted| application.is_third_party == wanted);
    let views: Vec<Value> = found
        .iter()
        .filter(|(_, application)| is_wanted(application))
        .map(|(grant, application)| view(grant, application))
        .collect();
    Ok(Json(json!({ "grants": views })))
}

fn view(grant: &Grant, application: &Application) -> Value {
    let scopes = grant.scopes.0.clone().unwrap_or_default();
    let resources: BTreeMap<String, String> =
        scopes.resources.into_iter().map(|(name, scopes)| (name, scopes.join(" "))).collect();
    json!({
        "id": grant.id,
        "payload": {
            "iat": grant.created_at / 1000, "exp": grant.expires_at / 1000, "jti": grant.id,
            "clientId": grant.application_id, "accountId": grant.user_id, "scope": scopes.oidc.join(" "),
            "resources": resources,
        },
        "expiresAt": grant.expires_at,
        "application": { "id": application.id, "name": application.name },
    })
}

/// Revokes a grant.
pub(super) async fn revoke(account: OwnChange, Id(id): Id<GrantId>) -> Result<StatusCode, ApiError> {
    account.demand(SESSIONS)?;
    grants::revoke(&account.owner, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
