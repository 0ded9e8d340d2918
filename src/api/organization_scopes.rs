//! Bodies of `/api/organization-scopes`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::OrganizationScopeId;
use claimsmith_domain::name::Name;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A permission within an organization.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "v2b7n4m9k1x6c3z8q0w5t", "name": "publish", "description": "Publish pages"
}))]
pub struct OrganizationScopeView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: OrganizationScopeId,
    /// Unique.
    pub name: String,
    pub description: Option<String>,
}

/// A new organization scope.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "name": "publish", "description": "Publish pages" }))]
pub struct CreateOrganizationScope {
    /// Unique.
    pub name: Name<1, 128>,
    #[serde(default)]
    pub description: Option<Text<0, 256>>,
}

/// What is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "name": "publish", "description": null }))]
pub struct UpdateOrganizationScope {
    /// Unique.
    #[serde(default)]
    pub name: Given<Name<1, 128>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub description: Option<Option<Text<0, 256>>>,
}
