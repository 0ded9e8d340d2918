//! Bodies of `/api/roles`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::{ApplicationId, RoleId, ScopeId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A role.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "r1t6y3u8i0p5a2s7d4f9g", "name": "support", "description": "Helps customers",
    "type": "User", "isDefault": false
}))]
pub struct RoleView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: RoleId,
    /// Unique.
    pub name: String,
    pub description: String,
    /// Who may hold it.
    pub r#type: RoleType,
    /// Whether new users get it.
    pub is_default: bool,
}

/// A role with its use.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "r1t6y3u8i0p5a2s7d4f9g", "name": "support", "description": "Helps customers",
    "type": "User", "isDefault": false, "usersCount": 1,
    "featuredUsers": [{ "id": "q3v8k1znw2pd", "avatar": null, "name": "Ada Lovelace" }], "applicationsCount": 0,
    "featuredApplications": []
}))]
pub struct RoleUsageView {
    #[serde(flatten)]
    pub role: RoleView,
    /// How many users hold it.
    pub users_count: i64,
    /// At most three of them.
    pub featured_users: Vec<FeaturedUserView>,
    /// How many applications hold it.
    pub applications_count: i64,
    /// At most three of them.
    pub featured_applications: Vec<FeaturedApplicationView>,
}

/// A user who holds a role.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FeaturedUserView {
    pub id: UserId,
    pub avatar: Option<String>,
    pub name: Option<String>,
}

/// An application that holds a role.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FeaturedApplicationView {
    pub id: ApplicationId,
    pub name: String,
    pub r#type: ApplicationType,
}

/// A new role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "support", "description": "Helps customers", "type": "User", "scopeIds": ["s4c9o2p7e0k5x1b6n3m8q"]
}))]
pub struct CreateRole {
    /// Unique; names that start with `#internal:` are the server's own.
    pub name: Text<1, 128>,
    pub description: Text<1, 128>,
    /// `User` when not given.
    #[serde(default)]
    pub r#type: RoleType,
    /// Whether new users get it.
    #[serde(default)]
    pub is_default: bool,
    /// Scopes that it carries from the beginning, at most 1000.
    #[serde(default)]
    pub scope_ids: Given<IdList<ScopeId, 0>>,
}

/// What is to change; what is left out stays. `type` cannot change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "support", "description": "Helps customers" }))]
pub struct UpdateRole {
    /// Unique; names that start with `#internal:` are the server's own.
    #[serde(default)]
    pub name: Given<Text<1, 128>>,
    #[serde(default)]
    pub description: Given<Text<1, 128>>,
    /// Whether users who are created from now on get it.
    #[serde(default)]
    pub is_default: Given<bool>,
}

/// Users for a role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"] }))]
pub struct AssignToUsers {
    /// 1 to 1000.
    pub user_ids: IdList<UserId, 1>,
}

/// Machine-to-machine applications for a role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"] }))]
pub struct AssignToApplications {
    /// 1 to 1000.
    pub application_ids: IdList<ApplicationId, 1>,
}

/// Scopes for a role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "scopeIds": ["s4c9o2p7e0k5x1b6n3m8q"] }))]
pub struct AddRoleScopes {
    /// 1 to 1000.
    pub scope_ids: IdList<ScopeId, 1>,
}

/// Roles to give.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "roleIds": ["r1t6y3u8i0p5a2s7d4f9g"] }))]
pub struct RoleIds {
    /// At most 1000.
    pub role_ids: IdList<RoleId, 0>,
}

/// What came of giving roles.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "roleIds": ["r1t6y3u8i0p5a2s7d4f9g"], "addedRoleIds": ["r1t6y3u8i0p5a2s7d4f9g"] }))]
pub struct AssignedRoles {
    /// The roles that were asked for.
    pub role_ids: Vec<RoleId>,
    /// Those that were not held before.
    pub added_role_ids: Vec<RoleId>,
}
