//! `/api/organization-invitations`: the routes, a file for each operation.

mod create;
mod delete;
mod list;
mod message;
mod show;
mod status;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_organization_invitation, list::list_organization_invitations))
        .routes(routes!(show::show_organization_invitation, delete::delete_organization_invitation))
        .routes(routes!(message::send_organization_invitation))
        .routes(routes!(status::set_organization_invitation_status))
}
