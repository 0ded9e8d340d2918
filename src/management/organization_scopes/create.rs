//! `POST /api/organization-scopes`.

use super::view::OrganizationScopeView;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_domain::name::Name;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::scopes::OrganizationScope;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// A new organization scope.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "name": "publish", "description": "Publish pages" }))]
pub(super) struct CreateOrganizationScope {
    /// Unique.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    name: Name<1, 128>,
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Text<0, 256>>,
}

/// Creates an organization scope.
#[utoipa::path(
    post, path = "/api/organization-scopes", tag = "Organization scopes", summary = "Create an organization scope",
    request_body = CreateOrganizationScope,
    responses(
        (status = 201, description = "The scope", body = OrganizationScopeView),
        BodyRefused, AccessRefused,
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_organization_scope(
    management: Management<OrganizationsWrite>,
    JsonBody(body): JsonBody<CreateOrganizationScope>,
) -> Result<(StatusCode, Json<OrganizationScopeView>), ApiError> {
    let scope = OrganizationScope {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        description: body.description.map(Into::into),
    };
    let mut tx = management.begin().await?;
    let written = organizations::scopes::insert(&mut tx, &scope).await;
    written.map_err(|error| relations::from_naming(error, "organization scope"))?;
    let details = json!({ "organizationScopeId": scope.id });
    tx.audit(AuditKey::ManagementOrganizationScopeCreate, details).await?;
    let view = OrganizationScopeView::from(scope);
    let event = Event::new(EventType::OrganizationScopeCreated, StatusCode::CREATED).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view)))
}
