//! `/api/organizations/{id}/jit`: just-in-time provisioning: the email domains whose users become members of an
//! organization automatically, and their roles.

mod email_domains;
mod roles;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this part of the family.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(
            email_domains::list_organization_jit_email_domains,
            email_domains::add_organization_jit_email_domain,
            email_domains::replace_organization_jit_email_domains
        ))
        .routes(routes!(email_domains::remove_organization_jit_email_domain))
        .routes(routes!(
            roles::list_organization_jit_roles,
            roles::add_organization_jit_roles,
            roles::replace_organization_jit_roles
        ))
        .routes(routes!(roles::remove_organization_jit_role))
}
