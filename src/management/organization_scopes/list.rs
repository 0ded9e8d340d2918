//! `GET /api/organization-scopes`.

use super::view::OrganizationScopeView;
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, NoSuchPage};
use axum::response::Response;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use claimsmith_web::extract::query::Query;

/// Lists organization scopes by name; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organization-scopes", tag = "Organization scopes", summary = "List organization scopes",
    params(("q" = Option<String>, Query, description = "Part of the name, in any case"), OptionalPageParameters),
    responses(
        (status = 200, description = "The scopes", body = Vec<OrganizationScopeView>),
        AccessRefused, NoSuchPage,
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
