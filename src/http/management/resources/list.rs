//! `GET /api/resources`.

use super::{ResourceView, ResourceWithScopes};
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::management::Caller;
use crate::http::extract::page::OptionalPage;
use crate::http::management::refusals::Refused;
use crate::storage::resources;
use axum::extract::Query;
use axum::response::Response;
use serde::Deserialize;

/// What a list shows beside the resources.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Include {
    include_scopes: Option<String>,
}

/// Lists resources, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/resources", tag = "Resources", summary = "List resources",
    params(
        ("page" = Option<u32>, Query, description = "From 1"),
        ("page_size" = Option<u32>, Query, description = "1 to 100"),
        ("includeScopes" = Option<bool>, Query, description = "`true` or `1`: with the `scopes` of each"),
    ),
    responses(
        (status = 200, description = "The resources; `scopes` only when asked for", body = Vec<ResourceWithScopes>),
        (status = 400, description = "No such page", body = ApiErrorBody),
        Refused,
    ),
    security(("oauth2" = ["all", "resources:read"])),
)]
pub(super) async fn list_resources(
    caller: Caller,
    page: OptionalPage,
    Query(include): Query<Include>,
) -> Result<Response, ApiError> {
    let management = caller.require("resources:read")?;
    let mut tx = management.read().await?;
    let total = resources::count(&mut tx).await?;
    let resources = resources::list(&mut tx, page.slice()).await?;
    if !matches!(include.include_scopes.as_deref(), Some("true" | "1")) {
        return page.answer(total, resources.into_iter().map(ResourceView::from).collect());
    }
    let mut views = Vec::with_capacity(resources.len());
    for resource in resources {
        let scopes = resources::scopes_of(&mut tx, &resource.id).await?;
        let scopes = scopes.into_iter().map(Into::into).collect();
        views.push(ResourceWithScopes { resource: resource.into(), scopes });
    }
    page.answer(total, views)
}
