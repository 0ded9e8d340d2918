//! Bodies of `/api/organization-roles`, and the roles of a holder.

use crate::tenant::Tenant;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::{OrganizationRoleId, OrganizationScopeId, ResourceId, ScopeId};
use claimsmith_domain::name::Name;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A role that a member of an organization can have.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor", "description": "Edits what is published",
    "type": "User"
}))]
pub struct OrganizationRoleView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: OrganizationRoleId,
    /// Unique.
    pub name: String,
    pub description: Option<String>,
    /// Who may have it.
    pub r#type: RoleType,
}

/// An organization role with what it carries.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor", "description": "Edits what is published",
    "type": "User", "scopes": [{ "id": "v2b7n4m9k1x6c3z8q0w5t", "name": "publish" }],
    "resourceScopes": [
        {
            "id": "s4c9o2p7e0k5x1b6n3m8q", "name": "orders:read",
            "resource": { "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders" }
        }
    ]
}))]
pub struct OrganizationRoleWithScopes {
    #[serde(flatten)]
    pub role: OrganizationRoleView,
    pub scopes: Vec<CarriedScopeView>,
    pub resource_scopes: Vec<CarriedResourceScopeView>,
}

/// An organization scope of a role.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CarriedScopeView {
    pub id: OrganizationScopeId,
    pub name: String,
}

/// A scope of a resource that a role carries.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CarriedResourceScopeView {
    pub id: ScopeId,
    pub name: String,
    pub resource: CarriedResource,
}

/// The resource of such a scope.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CarriedResource {
    pub id: ResourceId,
    pub name: String,
}

/// An organization role beside who has it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HeldRoleView {
    pub id: OrganizationRoleId,
    pub name: String,
}

/// A new organization role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "editor", "description": "Edits what is published", "type": "User",
    "organizationScopeIds": ["v2b7n4m9k1x6c3z8q0w5t"]
}))]
pub struct CreateOrganizationRole {
    /// Unique.
    pub name: Name<1, 128>,
    #[serde(default)]
    pub description: Option<Text<0, 256>>,
    /// `User` when not given.
    #[serde(default)]
    pub r#type: RoleType,
    /// Organization scopes that it carries from the beginning, at most 1000.
    #[serde(default)]
    pub organization_scope_ids: Given<IdList<OrganizationScopeId, 0>>,
    /// Scopes of resources that it carries from the beginning, at most 1000.
    #[serde(default)]
    pub resource_scope_ids: Given<IdList<ScopeId, 0>>,
}

/// What is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "name": "editor", "description": null }))]
pub struct UpdateOrganizationRole {
    /// Unique.
    #[serde(default)]
    pub name: Given<Name<1, 128>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub description: Option<Option<Text<0, 256>>>,
}

/// Organization scopes to add to a role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationScopeIds": ["v2b7n4m9k1x6c3z8q0w5t"] }))]
pub struct AddOrganizationScopes {
    /// 1 to 1000.
    pub organization_scope_ids: IdList<OrganizationScopeId, 1>,
}

/// The organization scopes of a role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationScopeIds": ["v2b7n4m9k1x6c3z8q0w5t"] }))]
pub struct ReplaceOrganizationScopes {
    /// At most 1000.
    pub organization_scope_ids: IdList<OrganizationScopeId, 0>,
}

/// Scopes of resources to add to an organization role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "scopeIds": ["s4c9o2p7e0k5x1b6n3m8q"] }))]
pub struct AddResourceScopes {
    /// 1 to 1000.
    pub scope_ids: IdList<ScopeId, 1>,
}

/// The scopes of resources that an organization role carries.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "scopeIds": ["s4c9o2p7e0k5x1b6n3m8q"] }))]
pub struct ReplaceResourceScopes {
    /// At most 1000.
    pub scope_ids: IdList<ScopeId, 0>,
}
