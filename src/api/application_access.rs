//! Bodies of `/api/applications/{id}/access-control`, `…/user-consent-scopes` and
//! `…/users/{userId}/consent-organizations`.

use crate::organizations::OrganizationView;
use claimsmith_domain::documents::bounded_vec::BoundedVec;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::{
    OrganizationId, OrganizationRoleId, OrganizationScopeId, ResourceId, RoleId, ScopeId, UserId,
};
use claimsmith_domain::user_scope::ConsentScope;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most organizations in rules that name roles there: each is written by a statement of its own.
const MAX_ROLE_RULES: usize = 100;
/// The most user scopes in a request; there are fewer.
const MAX_USER_SCOPES: usize = 20;

/// Who may sign in to an application, while its `appLevelAccessControlEnabled` is true: whoever one of the rules names.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "userIds": ["q3v8k1znw2pd"], "userRoleIds": [], "organizationIds": ["o1r9g4a7n2z5"],
    "organizationRoleRules": [
        { "organizationId": "o8k3j6h1g5f2", "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }
    ]
}))]
pub struct ReplaceAccessControl {
    /// These users; at most 1000.
    pub user_ids: IdList<UserId, 0>,
    /// The holders of these roles; at most 1000.
    pub user_role_ids: IdList<RoleId, 0>,
    /// The members of these organizations; at most 1000.
    pub organization_ids: IdList<OrganizationId, 0>,
    /// The holders of these roles in these organizations; at most 100 organizations.
    #[schema(value_type = Vec<ReplaceOrganizationRoleRule>, max_items = 100)]
    pub organization_role_rules: BoundedVec<ReplaceOrganizationRoleRule, MAX_ROLE_RULES>,
}

/// Roles in an organization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplaceOrganizationRoleRule {
    #[schema(value_type = String)]
    pub organization_id: Text<1, 128>,
    /// 1 to 1000.
    pub organization_role_ids: IdList<OrganizationRoleId, 0>,
}

/// Who may sign in to an application, while its `appLevelAccessControlEnabled` is true: whoever one of the rules names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "userIds": ["q3v8k1znw2pd"], "userRoleIds": [], "organizationIds": ["o1r9g4a7n2z5"],
    "organizationRoleRules": [
        { "organizationId": "o8k3j6h1g5f2", "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }
    ]
}))]
pub struct AccessControl {
    pub user_ids: Vec<UserId>,
    pub user_role_ids: Vec<RoleId>,
    pub organization_ids: Vec<OrganizationId>,
    pub organization_role_rules: Vec<OrganizationRoleRule>,
}

/// Roles in an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationRoleRule {
    pub organization_id: OrganizationId,
    pub organization_role_ids: Vec<OrganizationRoleId>,
}

/// More scopes that a third-party application may ask for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userScopes": ["profile", "email"], "resourceScopes": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub struct EnableConsentScopes {
    /// Organization scopes, by id; at most 1000.
    #[serde(default)]
    pub organization_scopes: Given<IdList<OrganizationScopeId, 0>>,
    /// Scopes of API resources, by id; at most 1000.
    #[serde(default)]
    pub resource_scopes: Given<IdList<ScopeId, 0>>,
    /// Scopes of API resources that users have in an organization, by id; at most 1000.
    #[serde(default)]
    pub organization_resource_scopes: Given<IdList<ScopeId, 0>>,
    /// Scopes of the user's own data, such as `profile`; `openid` and `offline_access` need not be enabled.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 20)]
    pub user_scopes: Option<BoundedVec<ConsentScope, MAX_USER_SCOPES>>,
}

/// The scopes that a third-party application may ask for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "isLimited": true,
    "organizationScopes": [{ "id": "s5c0p3a8b2d7f1g6h4j9k", "name": "invoices:read", "description": null }],
    "resourceScopes": [{
        "resource": { "id": "r7e2s5o0u3r8c1e6x4y9z", "name": "Orders", "indicator": "https://orders.example.com" },
        "scopes": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "orders:read", "description": null }]
    }],
    "organizationResourceScopes": [], "userScopes": ["profile", "email"]
}))]
pub struct ConsentScopes {
    /// Whether it may ask for these scopes only; false for an application of before, for which none was enabled yet.
    pub is_limited: bool,
    pub organization_scopes: Vec<NamedOrganizationScope>,
    pub resource_scopes: Vec<ScopesOfResource>,
    pub organization_resource_scopes: Vec<ScopesOfResource>,
    pub user_scopes: Vec<String>,
}

/// A resource, and scopes of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ScopesOfResource {
    pub resource: NamedResource,
    pub scopes: Vec<NamedScope>,
}

/// A resource.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NamedResource {
    pub id: ResourceId,
    pub name: String,
    pub indicator: String,
}

/// An organization scope.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NamedOrganizationScope {
    pub id: OrganizationScopeId,
    pub name: String,
    pub description: Option<String>,
}

/// A scope.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NamedScope {
    pub id: ScopeId,
    pub name: String,
    pub description: Option<String>,
}

/// Organizations in which a user lets an application act.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationIds": ["o1r9g4a7n2z5"] }))]
pub struct ConsentOrganizationIds {
    /// At most 1000.
    pub organization_ids: IdList<OrganizationId, 0>,
}

/// The organizations in which a user lets an application act.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "organizations": [] }))]
pub struct ConsentOrganizations {
    pub organizations: Vec<OrganizationView>,
}
