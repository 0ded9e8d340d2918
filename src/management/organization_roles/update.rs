//! `PATCH /api/organization-roles/{id}`.

use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use crate::views::OrganizationRoleView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationRoleId;
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
#[schema(example = json!({ "name": "editor", "description": null }))]
pub(super) struct UpdateOrganizationRole {
    /// Unique.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    name: Option<Name<1, 128>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Option<Text<0, 256>>>,
}

/// Changes an organization role.
#[utoipa::path(
    patch, path = "/api/organization-roles/{id}", tag = "Organization roles",
    summary = "Change an organization role",
    params(("id" = String, Path, description = "The organization role")),
    request_body = UpdateOrganizationRole,
    responses(
        (status = 200, description = "The role", body = OrganizationRoleView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_organization_role(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationRoleId>,
    JsonBody(body): JsonBody<UpdateOrganizationRole>,
) -> Result<Json<OrganizationRoleView>, ApiError> {
    let mut tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    let role = organizations::roles::find(&mut tx, &id).await?;
    let mut role = role.ok_or_else(|| ApiError::nothing_to_change("organization role", &id))?;
    if let Some(name) = body.name.map(String::from).filter(|name| *name != role.name) {
        privilege_guard::check_organization_role_renamed(&management, &mut tx, &id).await?;
        role.name = name;
    }
    if let Some(description) = body.description {
        role.description = description.map(Into::into);
    }
    let written = organizations::roles::update(&mut tx, &role).await;
    written.map_err(|error| relations::from_naming(error, "organization role"))?;
    let details = json!({ "organizationRoleId": id });
    tx.audit(AuditKey::ManagementOrganizationRoleUpdate, details).await?;
    let view = OrganizationRoleView::from(role);
    let event = Event::new(EventType::OrganizationRoleDataUpdated, StatusCode::OK).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(Json(view))
}
