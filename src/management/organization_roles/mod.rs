//! `/api/organization-roles`: the routes, a file for each operation or family of operations, and the check of which
//! roles can be assigned to users and which to applications.

mod create;
mod delete;
mod list;
mod resource_scopes;
mod scopes;
mod show;
mod update;

use crate::describe::routes;
use crate::relations;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::OrganizationRoleId;
use claimsmith_services::app::App;
use claimsmith_storage::Tx;
use claimsmith_storage::organizations;
use claimsmith_web::error::ApiError;
use utoipa_axum::router::OpenApiRouter;

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

/// 422 unless these are existing roles of this type.
pub(super) async fn check(tx: &mut Tx, role_ids: &[OrganizationRoleId], kind: RoleType) -> Result<(), ApiError> {
    let found = organizations::roles::find_all(tx, role_ids).await?;
    if found.len() < role_ids.len() {
        return Err(relations::missing("organization role"));
    }
    if found.iter().any(|role| role.kind != kind) {
        return Err(relations::unfit(match kind {
            RoleType::User => "Only organization roles for users can be given to a user.",
            RoleType::MachineToMachine => "Only organization roles for applications can be given to an application.",
        }));
    }
    Ok(())
}
