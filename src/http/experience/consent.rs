//! `/api/interaction/consent`: the access that an application requests, and the user's decision.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::id::OrganizationId;
use claimsmith_identity::interaction::consent::{self, ConsentRequest};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The user's decision.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Decision {
    /// The organizations for which access is granted.
    #[serde(default)]
    organization_ids: Vec<OrganizationId>,
    /// Whether access is denied.
    #[serde(default)]
    deny: bool,
}

/// The URL at which the browser continues.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Redirect {
    redirect_to: String,
}

/// Shows the requested access.
pub(super) async fn show(InProgress(current): InProgress) -> Result<Json<Value>, ApiError> {
    let ConsentRequest { application, user, oidc, resources, organizations } = consent::question(&current).await?;
    let resources: Vec<Value> = resources
        .iter()
        .map(|(resource, scopes)| {
            let scopes: Vec<Value> = scopes
                .iter()
                .map(|scope| json!({ "id": scope.id, "name": scope.name, "description": scope.description }))
                .collect();
            json!({
                "resource": { "id": resource.id, "name": resource.name, "indicator": resource.indicator },
                "scopes": scopes,
            })
        })
        .collect();
    let organizations: Vec<Value> = organizations.iter().map(|one| json!({ "id": one.id, "name": one.name })).collect();
    let scopes: Vec<&String> =
        oidc.iter().filter(|scope| !["openid", "offline_access"].contains(&scope.as_str())).collect();
    Ok(Json(json!({
        "application": { "id": application.id, "name": application.name },
        "user": {
            "id": user.id, "name": user.name, "avatar": user.avatar, "username": user.username,
            "primaryEmail": user.primary_email, "primaryPhone": user.primary_phone,
        },
        "organizations": organizations,
        "missingOIDCScope": scopes,
        "missingResourceScopes": resources,
        "redirectUri": current.request.redirect_uri,
    })))
}

/// Grants or denies the requested access.
pub(super) async fn decide(
    InProgress(mut current): InProgress,
    DeclaredJson(decision): DeclaredJson<Decision>,
) -> Result<Json<Redirect>, ApiError> {
    if decision.deny {
        consent::deny(&mut current).await?;
    } else if current.request.device.is_some() {
        // Only the page shows the code, which the user has to compare.
        return Err(InteractionRefusal::WrongEvent.into());
    } else {
        consent::allow(&mut current, decision.organization_ids).await?;
    }
    Ok(Json(Redirect { redirect_to: current.resume_url() }))
}

/// Aborts the sign-in: the application gets `access_denied` when the browser returns.
pub(super) async fn abort(InProgress(mut current): InProgress) -> Result<StatusCode, ApiError> {
    consent::deny(&mut current).await?;
    Ok(StatusCode::NO_CONTENT)
}
