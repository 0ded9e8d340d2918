//! `/api/resources`: a file per operation or two; here is how a resource and a scope are shown, and what protects the
//! Management API's own resource.

mod create;
mod delete;
mod list;
mod scope_update;
mod scopes;
mod show;
mod update;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::management::Caller;
use crate::http::management::describe::routes;
use crate::storage::resources::{Resource, Scope};
use crate::tokens::context::TENANT;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_resource, list::list_resources))
        .routes(routes!(show::show_resource, update::update_resource, delete::delete_resource))
        .routes(routes!(update::set_resource_default))
        .routes(routes!(scopes::create_scope, scopes::list_scopes))
        .routes(routes!(scope_update::update_scope, scopes::delete_scope))
}

/// An API that takes access tokens.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders", "indicator": "https://orders.example.com",
    "isDefault": false, "accessTokenTtl": 3600
}))]
pub struct ResourceView {
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
            id: resource.id,
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
pub struct ScopeView {
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
            id: scope.id,
            resource_id: scope.resource_id,
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
pub struct ResourceWithScopes {
    #[serde(flatten)]
    resource: ResourceView,
    /// Oldest first.
    scopes: Vec<ScopeView>,
}

fn is_management(management: &Caller, resource: &Resource) -> bool {
    resource.indicator == management.app.config.tokens.management_resource
}

fn refuse_change(management: &Caller, resource: &Resource) -> Result<(), ApiError> {
    if is_management(management, resource) {
        let message = "The Management API's own resource cannot be changed.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "resource.cannot_modify_management_api", message));
    }
    Ok(())
}
