//! `/api/organizations/{id}/applications`: machine-to-machine applications that belong to an organization.

mod change;
mod list;
mod role_grants;
mod roles;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this part of the family.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(
            list::list_organization_applications,
            change::add_organization_applications,
            change::replace_organization_applications
        ))
        .routes(routes!(change::remove_organization_application))
        .routes(routes!(role_grants::give_roles_to_organization_applications))
        .routes(routes!(
            roles::list_organization_application_roles,
            roles::add_organization_application_roles,
            roles::replace_organization_application_roles
        ))
        .routes(routes!(roles::remove_organization_application_role))
}
