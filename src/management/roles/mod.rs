//! `/api/roles`: the routes, a file for each operation or two, and what they share: finding a role, and refusing a name
//! in use.

mod applications;
mod create;
mod delete;
mod list;
mod scopes;
mod show;
mod update;
mod users;

use crate::describe::routes;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::id::RoleId;
use claimsmith_domain::role::{self};
use claimsmith_services::app::App;
use claimsmith_storage::Tx;
use claimsmith_storage::roles::{self, Role};
use claimsmith_web::error::ApiError;
use utoipa_axum::router::OpenApiRouter;

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

async fn find(tx: &mut Tx, id: &RoleId) -> Result<Role, ApiError> {
    roles::find(tx, id).await?.ok_or_else(|| ApiError::not_found("role", id))
}

fn name_in_use() -> ApiError {
    ApiError::new(ApiCode::RoleNameInUse, "This role name is already in use.")
}

/// Refuses the names of built-in roles, which only the server creates and changes.
fn refuse_internal(name: &str) -> Result<(), ApiError> {
    if role::is_internal(name) {
        let message = "Roles whose names start with \"#internal:\" are the server's own.";
        return Err(ApiError::new(ApiCode::RoleInternalRoleViolation, message));
    }
    Ok(())
}
