//! How an API resource and its scopes are shown.

use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::resources::{Resource, Scope};
use serde::Serialize;

/// An API that takes access tokens.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders", "indicator": "https://orders.example.com",
    "isDefault": false, "accessTokenTtl": 3600
}))]
pub(crate) struct ResourceView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    name: String,
    /// Absolute URI: the `aud` of its tokens.
    indicator: String,
    is_default: bool,
    /// Seconds.
    access_token_ttl: i64,
}

impl From<Resource> for ResourceView {
    fn from(resource: Resource) -> Self {
        Self {
            tenant_id: TENANT,
            id: resource.id.into(),
            name: resource.name,
            indicator: resource.indicator,
            is_default: resource.is_default,
            access_token_ttl: resource.access_token_ttl,
        }
    }
}

/// One permission of a resource.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "s4c9o2p7e0k5x1b6n3m8q", "resourceId": "e8r3s6o1u9c4z7b2k5m0x",
    "name": "orders:read", "description": "Read orders", "createdAt": 1_760_000_000_000_i64
}))]
pub(crate) struct ScopeView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// The resource it belongs to.
    resource_id: String,
    /// Unique per resource.
    name: String,
    description: Option<String>,
    /// Unix milliseconds.
    created_at: i64,
}

impl From<Scope> for ScopeView {
    fn from(scope: Scope) -> Self {
        Self {
            tenant_id: TENANT,
            id: scope.id.into(),
            resource_id: scope.resource_id.into(),
            name: scope.name,
            description: scope.description,
            created_at: scope.created_at,
        }
    }
}

/// A resource with its scopes.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "tenantId": "default", "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders", "indicator": "https://orders.example.com",
    "isDefault": false, "accessTokenTtl": 3600, "scopes": []
}))]
pub(crate) struct ResourceWithScopes {
    #[serde(flatten)]
    pub(super) resource: ResourceView,
    /// Oldest first.
    pub(super) scopes: Vec<ScopeView>,
}
