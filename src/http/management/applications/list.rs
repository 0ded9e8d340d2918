//! `GET /api/applications`.

use super::ApplicationView;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::management::Caller;
use crate::http::extract::page::OptionalPage;
use crate::http::management::refusals::Refused;
use crate::storage::applications;
use axum::response::Response;

/// Lists applications, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/applications", tag = "Applications", summary = "List applications",
    params(
        ("page" = Option<u32>, Query, description = "From 1"),
        ("page_size" = Option<u32>, Query, description = "1 to 100"),
    ),
    responses(
        (status = 200, description = "The applications", body = Vec<ApplicationView>),
        (status = 400, description = "No such page", body = ApiErrorBody),
        Refused,
    ),
    security(("oauth2" = ["all", "applications:read"])),
)]
pub(super) async fn list_applications(caller: Caller, page: OptionalPage) -> Result<Response, ApiError> {
    let management = caller.require("applications:read")?;
    let mut tx = management.read().await?;
    let total = applications::count(&mut tx).await?;
    let applications = applications::list(&mut tx, page.slice()).await?;
    page.answer(total, applications.into_iter().map(ApplicationView::from).collect())
}
