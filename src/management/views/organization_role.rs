//! How organization roles are shown, alone and with their holders.

use claimsmith_domain::documents::role::RoleType;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::organizations::held_roles::HeldRole;
use claimsmith_storage::organizations::roles::OrganizationRole;
use serde::Serialize;

/// A role that a member of an organization can have.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor", "description": "Edits what is published",
    "type": "User"
}))]
pub(crate) struct OrganizationRoleView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Unique.
    name: String,
    description: Option<String>,
    /// Who may have it.
    r#type: RoleType,
}

impl From<OrganizationRole> for OrganizationRoleView {
    fn from(role: OrganizationRole) -> Self {
        Self {
            tenant_id: TENANT,
            id: role.id.into(),
            name: role.name,
            description: role.description,
            r#type: role.kind,
        }
    }
}

/// An organization role beside who has it.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct HeldRoleView {
    id: String,
    name: String,
}

impl HeldRoleView {
    /// The roles of one holder.
    pub(crate) fn of<H: PartialEq>(holder_id: &H, roles: &[HeldRole<H>]) -> Vec<Self> {
        let own = roles.iter().filter(|role| role.holder_id == *holder_id);
        own.map(|role| Self { id: role.id.to_string(), name: role.name.clone() }).collect()
    }
}
