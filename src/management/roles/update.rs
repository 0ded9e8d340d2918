//! `PATCH /api/roles/{id}`.

use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::RoleView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::RoleId;
use claimsmith_domain::management::RolesWrite;
use claimsmith_identity::access::privilege_guard;
use claimsmith_json::present;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::roles::{self, Role};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// What is to change; what is left out stays. `type` cannot change.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "support", "description": "Helps customers" }))]
pub(super) struct UpdateRole {
    /// Unique; names that start with `#internal:` are the server's own.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    name: Option<Text<1, 128>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    description: Option<Text<1, 128>>,
    /// Whether users who are created from now on get it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    is_default: Option<bool>,
}

impl UpdateRole {
    fn apply(self, role: &mut Role) {
        if let Some(name) = self.name {
            role.name = name.into();
        }
        if let Some(description) = self.description {
            role.description = description.into();
        }
        if let Some(is_default) = self.is_default {
            role.is_default = is_default;
        }
    }
}

/// Changes a role.
#[utoipa::path(
    patch, path = "/api/roles/{id}", tag = "Roles", summary = "Change a role",
    params(("id" = String, Path, description = "The role")),
    request_body = UpdateRole,
    responses(
        (status = 200, description = "The role", body = RoleView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_role(
    management: Management<RolesWrite>,
    Id(id): Id<RoleId>,
    JsonBody(body): JsonBody<UpdateRole>,
) -> Result<Json<RoleView>, ApiError> {
    let mut tx = management.begin_revision(Changed::Role(&id)).await?;
    let mut role = roles::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_change("role", &id))?;
    super::refuse_internal(&role.name)?;
    privilege_guard::check_role(&management, &mut tx, &id).await?;
    if body.name.as_ref().is_some_and(|name| name.as_str() != role.name) {
        privilege_guard::check_role_renamed(&management, &mut tx, &id).await?;
    }
    if body.is_default == Some(true) && !role.is_default {
        // A default role is granted to every new user.
        management.demand_recent()?;
    }
    body.apply(&mut role);
    super::refuse_internal(&role.name)?;
    match roles::update(&mut tx, &role).await {
        Err(claimsmith_storage::Error::Conflict) => return Err(super::name_in_use()),
        result => result?,
    }
    tx.audit(AuditKey::ManagementRoleUpdate, json!({ "roleId": id })).await?;
    let view = RoleView::from(role);
    tx.emit(&Event::new(EventType::RoleDataUpdated, StatusCode::OK).data(&view)?).await?;
    tx.commit().await?;
    Ok(Json(view))
}
