//! `/api/subject-tokens`: subject tokens for impersonation (`docs/decisions/subject-tokens.md`), a file per operation.

pub mod create;
mod list;
mod revoke;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_subject_token, list::list_subject_tokens))
        .routes(routes!(revoke::revoke_subject_token))
}
