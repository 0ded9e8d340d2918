//! `GET /api/resources`.

use super::view::{ResourceView, ScopeView};
use crate::parameters::OptionalPageParameters;
use crate::refusals::AccessRefused;
use axum::response::Response;
use claimsmith_domain::id::ResourceId;
use claimsmith_domain::management::ResourcesRead;
use claimsmith_storage::resources;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Additional data of a list, beside the resources.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Include {
    include_scopes: Option<String>,
}

/// A resource in a list.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "tenantId": "default", "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders", "indicator": "https://orders.example.com",
    "isDefault": false, "accessTokenTtl": 3600,
    "scopes": [
        {
            "tenantId": "default", "id": "s4c9o2p7e0k5x1b6n3m8q", "resourceId": "e8r3s6o1u9c4z7b2k5m0x",
            "name": "orders:read", "description": "Read orders", "createdAt": 1_760_000_000_000_i64
        }
    ]
}))]
pub(super) struct ListedResource {
    #[serde(flatten)]
    resource: ResourceView,
    /// Oldest first; there when they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<ScopeView>, required = false)]
    scopes: Option<Vec<ScopeView>>,
}

/// Lists resources, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/resources", tag = "Resources", summary = "List resources",
    params(
        OptionalPageParameters,
        ("includeScopes" = Option<bool>, Query, description = "`true` or `1`: with the `scopes` of each"),
    ),
    responses(
        (status = 200, description = "The resources; `scopes` only when asked for", body = Vec<ListedResource>),
        (status = 400, description = "No such page, or a parameter that is repeated", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_resources(
    management: Management<ResourcesRead>,
    page: OptionalPage,
    Filters(include): Filters<Include>,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let total = resources::count(&mut tx).await?;
    let resources = resources::list(&mut tx, page.slice()).await?;
    let with_scopes = matches!(include.include_scopes.as_deref(), Some("true" | "1"));
    let mut scopes: HashMap<ResourceId, Vec<ScopeView>> = HashMap::new();
    if with_scopes {
        let ids: Vec<_> = resources.iter().map(|resource| &resource.id).collect();
        for scope in resources::scopes_of_all(&mut tx, &ids).await? {
            scopes.entry(scope.resource_id.clone()).or_default().push(scope.into());
        }
    }
    let views = resources.into_iter().map(|resource| {
        let scopes = with_scopes.then(|| scopes.remove(&resource.id).unwrap_or_default());
        ListedResource { resource: resource.into(), scopes }
    });
    page.answer(total, views.collect())
}
