//! `/api/organizations/{id}/applications`: machine-to-machine applications that belong to an organization.

mod change;
mod list;
mod role_grants;
mod roles;

use crate::app::App;
use crate::domain::id::{ApplicationId, OrganizationId};
use crate::http::error::ApiError;
use crate::http::management::describe::routes;
use crate::storage::Tx;
use crate::storage::organizations::applications::MEMBERS;
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

/// 422 unless all these applications belong to the organization.
async fn require_membership(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    application_ids: &[ApplicationId],
) -> Result<(), ApiError> {
    if MEMBERS.among(tx, organization_id, application_ids).await?.len() < application_ids.len() {
        let message = "The application does not belong to the organization.";
        return Err(ApiError::unprocessable("organization.require_membership", message));
    }
    Ok(())
}
