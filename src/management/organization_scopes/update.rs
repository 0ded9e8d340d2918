//! `PATCH /api/organization-scopes/{id}`.

use super::view::OrganizationScopeView;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationScopeId;
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_domain::name::Name;
use claimsmith_identity::access::privilege_guard;
use claimsmith_json::present;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[expect(clippy::option_option, reason = "left out, null and a text are three things")]
#[schema(example = json!({ "name": "publish", "description": null }))]
pub(super) struct UpdateOrganizationScope {
    /// Unique.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    name: Option<Name<1, 128>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Option<Text<0, 256>>>,
}

/// Changes an organization scope.
#[utoipa::path(
    patch, path = "/api/organization-scopes/{id}", tag = "Organization scopes",
    summary = "Change an organization scope",
    params(("id" = String, Path, description = "The organization scope")),
    request_body = UpdateOrganizationScope,
    responses(
        (status = 200, description = "The scope", body = OrganizationScopeView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such scope", body = ApiErrorBody),
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_organization_scope(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationScopeId>,
    JsonBody(body): JsonBody<UpdateOrganizationScope>,
) -> Result<Json<OrganizationScopeView>, ApiError> {
    // Serializes changes: each writes the whole row.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    let scope = organizations::scopes::find(&mut tx, &id).await?;
    let mut scope = scope.ok_or_else(|| ApiError::nothing_to_change("organization scope", &id))?;
    if let Some(name) = body.name.map(String::from).filter(|name| *name != scope.name) {
        privilege_guard::check_organization_scope_renamed(&management, &mut tx, &id).await?;
        scope.name = name;
    }
    if let Some(description) = body.description {
        scope.description = description.map(Into::into);
    }
    let written = organizations::scopes::update(&mut tx, &scope).await;
    written.map_err(|error| relations::from_naming(error, "organization scope"))?;
    let details = json!({ "organizationScopeId": id });
    tx.audit(AuditKey::ManagementOrganizationScopeUpdate, details).await?;
    let view = OrganizationScopeView::from(scope);
    let event = Event::new(EventType::OrganizationScopeDataUpdated, StatusCode::OK).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(Json(view))
}
