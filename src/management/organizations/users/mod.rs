//! `/api/organizations/{id}/users`: the members, with their roles and scopes.

mod change;
mod list;
mod role_grants;
mod roles;
mod scopes;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this part of the family.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(
            list::list_organization_users,
            change::add_organization_users,
            change::replace_organization_users
        ))
        .routes(routes!(change::remove_organization_user))
        .routes(routes!(role_grants::give_roles_to_organization_users))
        .routes(routes!(
            roles::list_organization_user_roles,
            roles::add_organization_user_roles,
            roles::replace_organization_user_roles
        ))
        .routes(routes!(roles::remove_organization_user_role))
        .routes(routes!(scopes::list_organization_user_scopes))
}
