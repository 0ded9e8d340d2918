//! How organization roles are shown, alone and with their holders.

use super::IntoView;
use claimsmith_api::organization_roles::{HeldRoleView, OrganizationRoleView};
use claimsmith_api::tenant::Tenant;
use claimsmith_storage::organizations::held_roles::HeldRole;
use claimsmith_storage::organizations::roles::OrganizationRole;

impl IntoView<OrganizationRoleView> for OrganizationRole {
    fn into_view(self) -> OrganizationRoleView {
        OrganizationRoleView {
            tenant_id: Tenant,
            id: self.id,
            name: self.name,
            description: self.description,
            r#type: self.kind,
        }
    }
}

/// The roles of one holder.
pub(crate) fn held_roles<H: PartialEq>(holder_id: &H, roles: &[HeldRole<H>]) -> Vec<HeldRoleView> {
    let own = roles.iter().filter(|role| role.holder_id == *holder_id);
    own.map(|role| HeldRoleView { id: role.id.clone(), name: role.name.clone() }).collect()
}
