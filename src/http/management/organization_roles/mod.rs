//! `/api/organization-roles`: a file per operation or family of operations; here is how an organization role is shown,
//! and which of them may be given to whom.

mod create;
mod delete;
mod list;
mod resource_scopes;
mod scopes;
mod show;
mod update;

use crate::app::App;
use crate::domain::role::RoleType;
use crate::http::error::ApiError;
use crate::http::management::relations;
use crate::storage::Tx;
use crate::storage::organization_members::HeldRole;
use crate::storage::organization_roles::{self, OrganizationRole};
use crate::tokens::context::TENANT;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_organization_role, list::list_organization_roles))
        .routes(routes!(
            show::show_organization_role,
            update::update_organization_role,
            delete::delete_organization_role
        ))
        .routes(routes!(
            scopes::list_organization_role_scopes,
            scopes::add_organization_role_scopes,
            scopes::replace_organization_role_scopes
        ))
        .routes(routes!(scopes::remove_organization_role_scope))
        .routes(routes!(
            resource_scopes::list_organization_role_resource_scopes,
            resource_scopes::add_organization_role_resource_scopes,
            resource_scopes::replace_organization_role_resource_scopes
        ))
        .routes(routes!(resource_scopes::remove_organization_role_resource_scope))
}

/// What somebody may be in an organization.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor", "description": "Edits what is published",
    "type": "User"
}))]
pub struct OrganizationRoleView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Unique.
    name: String,
    description: Option<String>,
    /// Who may have it.
    #[schema(value_type = RoleType)]
    r#type: String,
}

impl From<OrganizationRole> for OrganizationRoleView {
    fn from(role: OrganizationRole) -> Self {
        Self { tenant_id: TENANT, id: role.id, name: role.name, description: role.description, r#type: role.kind }
    }
}

/// An organization role beside who has it.
#[derive(Serialize, utoipa::ToSchema)]
pub struct HeldRoleView {
    id: String,
    name: String,
}

impl HeldRoleView {
    /// The roles of one of those who hold them.
    pub(super) fn of(holder_id: &str, roles: &[HeldRole]) -> Vec<Self> {
        let own = roles.iter().filter(|role| role.holder_id == holder_id);
        own.map(|role| Self { id: role.id.clone(), name: role.name.clone() }).collect()
    }
}

/// 422 unless these are roles, and of this type.
pub(super) async fn check(tx: &mut Tx, role_ids: &[String], kind: RoleType) -> Result<(), ApiError> {
    let found = organization_roles::find_all(tx, role_ids).await?;
    if found.len() < role_ids.len() {
        return Err(relations::missing("organization role"));
    }
    if found.iter().any(|role| role.kind != kind.as_str()) {
        return Err(relations::unfit(match kind {
            RoleType::User => "Only organization roles for users can be given to a user.",
            RoleType::MachineToMachine => "Only organization roles for applications can be given to an application.",
        }));
    }
    Ok(())
}
