//! How roles are shown, and the bodies of assigning roles.

use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::RoleId;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::roles::Role;
use claimsmith_web::extract::id_list::IdList;
use serde::{Deserialize, Serialize, Serializer};

/// A role.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "r1t6y3u8i0p5a2s7d4f9g", "name": "support", "description": "Helps customers",
    "type": "User", "isDefault": false
}))]
pub(crate) struct RoleView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Unique.
    name: String,
    description: String,
    /// Who may hold it.
    r#type: RoleType,
    /// Whether new users get it.
    is_default: bool,
}

impl From<Role> for RoleView {
    fn from(role: Role) -> Self {
        Self {
            tenant_id: TENANT,
            id: role.id.into(),
            name: role.name,
            description: role.description,
            r#type: role.kind,
            is_default: role.is_default,
        }
    }
}

/// Roles to give.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "roleIds": ["r1t6y3u8i0p5a2s7d4f9g"] }))]
pub(crate) struct RoleIds {
    /// At most 1000.
    #[serde(serialize_with = "id_list")]
    #[schema(value_type = Vec<String>, max_items = 1000)]
    pub(crate) role_ids: IdList<RoleId, 0>,
}

/// What came of giving roles.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "roleIds": ["r1t6y3u8i0p5a2s7d4f9g"], "addedRoleIds": ["r1t6y3u8i0p5a2s7d4f9g"] }))]
pub(crate) struct AssignedRoles {
    /// The roles that were asked for.
    #[schema(value_type = Vec<String>)]
    role_ids: Vec<RoleId>,
    /// Those that were not held before.
    #[schema(value_type = Vec<String>)]
    added_role_ids: Vec<RoleId>,
}

impl AssignedRoles {
    pub(crate) fn new(role_ids: &IdList<RoleId, 0>, added_role_ids: Vec<RoleId>) -> Self {
        Self { role_ids: role_ids.as_slice().to_vec(), added_role_ids }
    }
}

fn id_list<I: Serialize, const MIN: usize, S: Serializer>(ids: &IdList<I, MIN>, output: S) -> Result<S::Ok, S::Error> {
    output.collect_seq(ids.as_slice())
}
