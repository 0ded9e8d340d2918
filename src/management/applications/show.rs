//! `GET /api/applications/{id}`.

use super::admin;
use crate::refusals::AccessRefused;
use crate::views::ApplicationView;
use axum::Json;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::ApplicationsRead;
use claimsmith_storage::applications;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde::Serialize;

/// An application, and whether it is an administrator's.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "m0k2x7c5t9r4b8n1q6w3z", "name": "Shop", "description": "Where customers buy",
    "type": "Traditional",
    "oidcClientMetadata": {
        "redirectUris": ["https://shop.example.com/callback"],
        "postLogoutRedirectUris": ["https://shop.example.com/"]
    },
    "customClientMetadata": { "allowTokenExchange": true }, "protectedAppMetadata": null,
    "customData": { "plan": "gold" }, "isThirdParty": false, "appLevelAccessControlEnabled": false,
    "createdAt": 1_760_000_000_000_i64, "isAdmin": false
}))]
pub(super) struct ApplicationDetails {
    #[serde(flatten)]
    application: ApplicationView,
    /// Whether it holds all of the Management API.
    is_admin: bool,
}

/// Shows an application.
#[utoipa::path(
    get, path = "/api/applications/{id}", tag = "Applications", summary = "Show an application",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 200, description = "The application", body = ApplicationDetails),
        AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_application(
    management: Management<ApplicationsRead>,
    Id(id): Id<ApplicationId>,
) -> Result<Json<ApplicationDetails>, ApiError> {
    let mut tx = management.read().await?;
    let application = applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("application", &id))?;
    let is_admin = admin::is_admin(&management, &mut tx, &id).await?;
    Ok(Json(ApplicationDetails { application: application.into(), is_admin }))
}
