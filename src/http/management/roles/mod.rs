//! `/api/roles`: a file per operation or two that mirror each other; here is how a role is shown.

mod applications;
mod create;
mod delete;
mod list;
mod scopes;
mod show;
mod update;
mod users;

use crate::app::App;
use crate::domain::id_list::IdList;
use crate::domain::role::{self, RoleType};
use crate::http::error::ApiError;
use crate::storage::Tx;
use crate::storage::roles::{self, Role};
use crate::tokens::context::TENANT;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize, Serializer};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_role, list::list_roles))
        .routes(routes!(show::show_role, update::update_role, delete::delete_role))
        .routes(routes!(scopes::list_role_scopes, scopes::add_role_scopes))
        .routes(routes!(scopes::remove_role_scope))
        .routes(routes!(users::list_role_users, users::assign_role_to_users))
        .routes(routes!(users::remove_role_from_user))
        .routes(routes!(applications::list_role_applications, applications::assign_role_to_applications))
        .routes(routes!(applications::remove_role_from_application))
}

async fn find(tx: &mut Tx, id: &str) -> Result<Role, ApiError> {
    roles::find(tx, id).await?.ok_or_else(|| ApiError::not_found("role", id))
}

fn name_in_use() -> ApiError {
    ApiError::unprocessable("role.name_in_use", "This role name is already in use.")
}

/// The server's own roles are made and changed by nobody else.
fn refuse_internal(name: &str) -> Result<(), ApiError> {
    if role::is_internal(name) {
        let message = "Roles whose names start with \"#internal:\" are the server's own.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "role.internal_role_violation", message));
    }
    Ok(())
}

/// A role.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "r1t6y3u8i0p5a2s7d4f9g", "name": "support", "description": "Helps customers",
    "type": "User", "isDefault": false
}))]
pub struct RoleView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Unique.
    name: String,
    description: String,
    /// Who may hold it.
    #[schema(value_type = RoleType)]
    r#type: String,
    /// Whether new users get it.
    is_default: bool,
}

impl From<Role> for RoleView {
    fn from(role: Role) -> Self {
        Self {
            tenant_id: TENANT,
            id: role.id,
            name: role.name,
            description: role.description,
            r#type: role.kind,
            is_default: role.is_default,
        }
    }
}

/// Roles to give.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "roleIds": ["r1t6y3u8i0p5a2s7d4f9g"] }))]
pub struct RoleIds {
    /// At most 1000.
    #[serde(serialize_with = "id_list")]
    #[schema(value_type = Vec<String>, max_items = 1000)]
    pub(super) role_ids: IdList<0>,
}

/// What came of giving roles.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "roleIds": ["r1t6y3u8i0p5a2s7d4f9g"], "addedRoleIds": ["r1t6y3u8i0p5a2s7d4f9g"] }))]
pub struct AssignedRoles {
    /// The roles that were asked for.
    role_ids: Vec<String>,
    /// Those that were not held before.
    added_role_ids: Vec<String>,
}

impl AssignedRoles {
    pub(super) fn new(role_ids: &IdList<0>, added_role_ids: Vec<String>) -> Self {
        Self { role_ids: role_ids.as_slice().to_vec(), added_role_ids }
    }
}

fn id_list<const MIN: usize, S: Serializer>(ids: &IdList<MIN>, output: S) -> Result<S::Ok, S::Error> {
    output.collect_seq(ids.as_slice())
}
