//! Bodies of `/api/resources`, and the scopes of roles.

use crate::tenant::Tenant;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::resource::{AccessTokenTtl, Indicator};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::{ResourceId, ScopeId};
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An API that takes access tokens.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders", "indicator": "https://orders.example.com",
    "isDefault": false, "accessTokenTtl": 3600
}))]
pub struct ResourceView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: ResourceId,
    pub name: String,
    /// Absolute URI: the `aud` of its tokens.
    pub indicator: String,
    pub is_default: bool,
    /// Seconds.
    pub access_token_ttl: i64,
}

/// A resource with its scopes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "tenantId": "default", "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders", "indicator": "https://orders.example.com",
    "isDefault": false, "accessTokenTtl": 3600, "scopes": []
}))]
pub struct ResourceWithScopes {
    #[serde(flatten)]
    pub resource: ResourceView,
    /// Oldest first.
    pub scopes: Vec<ScopeView>,
}

/// A resource in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
pub struct ListedResource {
    #[serde(flatten)]
    pub resource: ResourceView,
    /// Oldest first; there when they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<ScopeView>, required = false)]
    pub scopes: Option<Vec<ScopeView>>,
}

/// One permission of a resource.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "s4c9o2p7e0k5x1b6n3m8q", "resourceId": "e8r3s6o1u9c4z7b2k5m0x",
    "name": "orders:read", "description": "Read orders", "createdAt": 1_760_000_000_000_i64
}))]
pub struct ScopeView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: ScopeId,
    /// The resource it belongs to.
    pub resource_id: ResourceId,
    /// Unique per resource.
    pub name: String,
    pub description: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A scope beside the resource it belongs to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "tenantId": "default", "id": "s4c9o2p7e0k5x1b6n3m8q", "resourceId": "e8r3s6o1u9c4z7b2k5m0x",
    "name": "orders:read", "description": "Read orders", "createdAt": 1_760_000_000_000_i64,
    "resource": {
        "tenantId": "default", "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders",
        "indicator": "https://orders.example.com", "isDefault": false, "accessTokenTtl": 3600
    }
}))]
pub struct RoleScopeView {
    #[serde(flatten)]
    pub scope: ScopeView,
    pub resource: ResourceView,
}

/// A new resource.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Orders", "indicator": "https://orders.example.com", "accessTokenTtl": 3600 }))]
pub struct CreateResource {
    pub name: Text<1, 256>,
    /// Absolute URI without a fragment, not of `urn:logto:`, unique: the `aud` of its tokens. Compared character by
    /// character; without a path, the slash after the host does not matter.
    pub indicator: Indicator,
    /// Seconds; the configured lifetime when not given.
    #[serde(default)]
    pub access_token_ttl: Given<AccessTokenTtl>,
}

/// What is to change; what is left out stays. The indicator cannot change: tokens carry it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Orders", "accessTokenTtl": 600 }))]
pub struct UpdateResource {
    #[serde(default)]
    pub name: Given<Text<1, 256>>,
    /// Seconds; of tokens that are issued from now on.
    #[serde(default)]
    pub access_token_ttl: Given<AccessTokenTtl>,
}

/// Whether a resource is to be the default one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "isDefault": true }))]
pub struct SetDefault {
    /// `true` takes it from the resource that is the default one now.
    pub is_default: bool,
}

/// A new scope.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "orders:read", "description": "Read orders" }))]
pub struct CreateScope {
    /// Unique per resource; printable ASCII without spaces, `"` and `\` (RFC 6749 section 3.3).
    pub name: Text<1, 256>,
    /// For people.
    #[serde(default)]
    pub description: Option<Text<0, 256>>,
}

/// What is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "orders:read", "description": null }))]
pub struct UpdateScope {
    /// Unique per resource; printable ASCII without spaces, `"` and `\` (RFC 6749 section 3.3). Users who hold the scope
    /// hold it by its new name from now on: where roles carry it, another name needs what granting it needs, `roles:write`
    /// (and `organizations:write` where organization roles do) beside `resources:write`.
    #[serde(default)]
    pub name: Given<Text<1, 256>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub description: Option<Option<Text<0, 256>>>,
}
