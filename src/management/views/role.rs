//! How roles are shown.

use super::IntoView;
use claimsmith_api::roles::{AssignedRoles, RoleView};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::id::RoleId;
use claimsmith_storage::roles::Role;

impl IntoView<RoleView> for Role {
    fn into_view(self) -> RoleView {
        RoleView {
            tenant_id: Tenant,
            id: self.id,
            name: self.name,
            description: self.description,
            r#type: self.kind,
            is_default: self.is_default,
        }
    }
}

/// What came of giving roles.
pub(crate) fn assigned_roles(role_ids: &IdList<RoleId, 0>, added_role_ids: Vec<RoleId>) -> AssignedRoles {
    AssignedRoles { role_ids: role_ids.as_slice().to_vec(), added_role_ids }
}
