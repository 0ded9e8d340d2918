//! `POST /api/organization-roles`.

use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use crate::views::OrganizationRoleView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{OrganizationScopeId, ScopeId};
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_domain::name::Name;
use claimsmith_json::present;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::role_scopes::{RESOURCE_SCOPES, SCOPES};
use claimsmith_storage::organizations::roles::OrganizationRole;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// A new organization role.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "editor", "description": "Edits what is published", "type": "User",
    "organizationScopeIds": ["v2b7n4m9k1x6c3z8q0w5t"]
}))]
pub(super) struct CreateOrganizationRole {
    /// Unique.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    name: Name<1, 128>,
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Text<0, 256>>,
    /// `User` when not given.
    #[serde(default)]
    #[schema(required = false)]
    r#type: RoleType,
    /// Organization scopes that it carries from the beginning, at most 1000.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    organization_scope_ids: Option<IdList<OrganizationScopeId, 0>>,
    /// Scopes of resources that it carries from the beginning, at most 1000.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    resource_scope_ids: Option<IdList<ScopeId, 0>>,
}

/// Creates an organization role.
#[utoipa::path(
    post, path = "/api/organization-roles", tag = "Organization roles", summary = "Create an organization role",
    request_body = CreateOrganizationRole,
    responses(
        (status = 201, description = "The role", body = OrganizationRoleView),
        BodyRefused, AccessRefused,
        (status = 422, description = "The name is in use, or there is no such scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_organization_role(
    management: Management<OrganizationsWrite>,
    JsonBody(body): JsonBody<CreateOrganizationRole>,
) -> Result<(StatusCode, Json<OrganizationRoleView>), ApiError> {
    let role = OrganizationRole {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        description: body.description.map(Into::into),
        kind: body.r#type,
    };
    let scope_ids = body.organization_scope_ids.as_ref().map_or(&[][..], IdList::as_slice);
    let resource_scope_ids = body.resource_scope_ids.as_ref().map_or(&[][..], IdList::as_slice);

    let mut tx = management.begin_revision(Changed::Nothing).await?;
    let written = organizations::roles::insert(&mut tx, &role).await;
    written.map_err(|error| relations::from_naming(error, "organization role"))?;
    let linked = SCOPES.add(&mut tx, &role.id, scope_ids).await;
    linked.map_err(|error| relations::from_write(error, "organization scope"))?;
    super::resource_scopes::check(&management, &mut tx, resource_scope_ids).await?;
    let linked = RESOURCE_SCOPES.add(&mut tx, &role.id, resource_scope_ids).await;
    linked.map_err(|error| relations::from_write(error, "scope"))?;
    let details = json!({
        "organizationRoleId": role.id, "organizationScopeIds": scope_ids, "resourceScopeIds": resource_scope_ids,
    });
    tx.audit(AuditKey::ManagementOrganizationRoleCreate, details).await?;
    if !scope_ids.is_empty() || !resource_scope_ids.is_empty() {
        let event = Event::new(EventType::OrganizationRoleScopesUpdated, StatusCode::CREATED);
        tx.emit(&event.of("organizationRoleId", &role.id)).await?;
    }
    let view = OrganizationRoleView::from(role);
    let event = Event::new(EventType::OrganizationRoleCreated, StatusCode::CREATED).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view)))
}
