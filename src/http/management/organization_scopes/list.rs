//! `GET /api/organization-scopes`.

use super::OrganizationScopeView;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::management::Caller;
use crate::http::extract::page::OptionalPage;
use crate::http::extract::query::Query;
use crate::http::management::refusals::Refused;
use crate::storage::organization_scopes;
use axum::response::Response;

/// Lists organization scopes by name; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organization-scopes", tag = "Organization scopes", summary = "List organization scopes",
    params(
        ("q" = Option<String>, Query, description = "Part of the name, in any case"),
        ("page" = Option<u32>, Query, description = "From 1"),
        ("page_size" = Option<u32>, Query, description = "1 to 100"),
    ),
    responses(
        (status = 200, description = "The scopes", body = Vec<OrganizationScopeView>),
        (status = 400, description = "No such page", body = ApiErrorBody),
        Refused,
    ),
    security(("oauth2" = ["all", "organizations:read"])),
)]
pub(super) async fn list_organization_scopes(
    caller: Caller,
    query: Query,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let management = caller.require("organizations:read")?;
    let part = query.one("q")?;
    let mut tx = management.read().await?;
    let total = organization_scopes::count(&mut tx, part).await?;
    let scopes = organization_scopes::list(&mut tx, part, page.slice()).await?;
    page.answer(total, scopes.into_iter().map(OrganizationScopeView::from).collect())
}
