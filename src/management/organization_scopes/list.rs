//! `GET /api/organization-scopes`.

use super::view::OrganizationScopeView;
use crate::refusals::AccessRefused;
use axum::response::Response;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use claimsmith_web::extract::query::Query;

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
        AccessRefused,
    ),
)]
pub(super) async fn list_organization_scopes(
    management: Management<OrganizationsRead>,
    query: Query,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let part = query.one("q")?;
    let mut tx = management.read().await?;
    let total = organizations::scopes::count(&mut tx, part).await.map_err(ApiError::from_search)?;
    let scopes = organizations::scopes::list(&mut tx, part, page.slice()).await.map_err(ApiError::from_search)?;
    page.answer(total, scopes.into_iter().map(OrganizationScopeView::from).collect())
}
