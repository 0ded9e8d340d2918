//! How an organization scope is shown.

use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::organizations::scopes::OrganizationScope;
use serde::Serialize;

/// A permission within an organization.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "v2b7n4m9k1x6c3z8q0w5t", "name": "publish", "description": "Publish pages"
}))]
pub(crate) struct OrganizationScopeView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Unique.
    name: String,
    description: Option<String>,
}

impl From<OrganizationScope> for OrganizationScopeView {
    fn from(scope: OrganizationScope) -> Self {
        Self { tenant_id: TENANT, id: scope.id.into(), name: scope.name, description: scope.description }
    }
}
