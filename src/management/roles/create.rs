//! `POST /api/roles`.

use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::RoleView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::ScopeId;
use claimsmith_domain::management::RolesWrite;
use claimsmith_json::present;
use claimsmith_services::webhooks::Event;
use claimsmith_storage as storage;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::roles::{self, Role};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::id_list::IdList;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// A new role.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "support", "description": "Helps customers", "type": "User", "scopeIds": ["s4c9o2p7e0k5x1b6n3m8q"]
}))]
pub(super) struct CreateRole {
    /// Unique; names that start with `#internal:` are the server's own.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    name: Text<1, 128>,
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    description: Text<1, 128>,
    /// `User` when not given.
    #[serde(default)]
    #[schema(required = false)]
    r#type: RoleType,
    /// Whether new users get it.
    #[serde(default)]
    is_default: bool,
    /// Scopes that it carries from the beginning, at most 1000.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    scope_ids: Option<IdList<ScopeId, 0>>,
}

/// Creates a role.
#[utoipa::path(
    post, path = "/api/roles", tag = "Roles", summary = "Create a role",
    request_body = CreateRole,
    responses(
        (status = 200, description = "The role", body = RoleView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such scope", body = ApiErrorBody),
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_role(
    management: Management<RolesWrite>,
    JsonBody(body): JsonBody<CreateRole>,
) -> Result<Json<RoleView>, ApiError> {
    super::refuse_internal(body.name.as_str())?;
    if body.is_default {
        // A default role is granted to every new user.
        management.demand_recent()?;
    }
    let role = Role {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        description: body.description.into(),
        kind: body.r#type,
        is_default: body.is_default,
        created_at: management.now(),
    };
    let scope_ids = body.scope_ids.as_ref().map_or(&[][..], IdList::as_slice);

    let mut tx = management.begin_revision(Changed::Nothing).await?;
    match roles::insert(&mut tx, &role).await {
        Err(storage::Error::Conflict) => return Err(super::name_in_use()),
        result => result?,
    }
    super::scopes::check(&management, &mut tx, &role, scope_ids).await?;
    let carried = roles::add_scopes_to_new(&mut tx, &role.id, scope_ids).await;
    carried.map_err(|error| ApiError::from_write(error, "scope"))?;
    let details = json!({ "roleId": role.id, "scopeIds": scope_ids });
    tx.audit(AuditKey::ManagementRoleCreate, details).await?;
    if !scope_ids.is_empty() {
        let scopes = super::scopes::views(&mut tx, &role.id).await?;
        let event = Event::new(EventType::RoleScopesUpdated, StatusCode::OK).of("roleId", &role.id).data(&scopes)?;
        tx.emit(&event).await?;
    }
    let view = RoleView::from(role);
    tx.emit(&Event::new(EventType::RoleCreated, StatusCode::OK).data(&view)?).await?;
    tx.commit().await?;
    Ok(Json(view))
}
