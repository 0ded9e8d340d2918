//! How organizations are shown.

use super::IntoView;
use claimsmith_api::organizations::OrganizationView;
use claimsmith_api::tenant::Tenant;
use claimsmith_storage::organizations::Organization;

impl IntoView<OrganizationView> for Organization {
    fn into_view(self) -> OrganizationView {
        OrganizationView {
            tenant_id: Tenant,
            id: self.id,
            name: self.name,
            description: self.description,
            custom_data: self.custom_data.0,
            is_mfa_required: self.is_mfa_required,
            color: self.color.0,
            branding: self.branding.0,
            custom_css: self.custom_css,
            created_at: self.created_at,
        }
    }
}
