//! `/api/interaction/consent`: the access that an application requests, and the user's decision.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::id::OrganizationId;
use claimsmith_identity::interaction::consent::{self, ConsentRequest, ResourceScopes};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_storage::organizations::Organization;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The user's decision.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Decision {
    /// The organizations for which access is granted.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required = false)]
    organization_ids: Vec<OrganizationId>,
    /// Whether access is denied.
    #[serde(default)]
    deny: bool,
}

/// The URL at which the browser continues.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ConsentRedirect)]
#[serde(rename_all = "camelCase")]
pub(super) struct Redirect {
    redirect_to: String,
}

/// Shows the requested access.
pub(super) async fn show(InProgress(current): InProgress) -> Result<Json<Value>, ApiError> {
    let ConsentRequest { application, user, oidc, resources, organizations } = consent::question(&current).await?;
    let organization = |(one, resources): &(Organization, Vec<ResourceScopes>)| {
        let scopes = by_resource(resources);
        json!({ "id": one.id, "name": one.name, "missingResourceScopes": scopes })
    };
    let organizations: Vec<Value> = organizations.iter().map(organization).collect();
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
        "missingResourceScopes": by_resource(&resources),
        "redirectUri": current.request.redirect_uri,
    })))
}

fn by_resource(resources: &[ResourceScopes]) -> Vec<Value> {
    let view = |(resource, scopes): &ResourceScopes| {
        let scopes: Vec<Value> = scopes
            .iter()
            .map(|scope| json!({ "id": scope.id, "name": scope.name, "description": scope.description }))
            .collect();
        json!({
            "resource": { "id": resource.id, "name": resource.name, "indicator": resource.indicator },
            "scopes": scopes,
        })
    };
    resources.iter().map(view).collect()
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
