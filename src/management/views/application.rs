//! How applications are shown.

use super::IntoView;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::tenant::Tenant;
use claimsmith_storage::applications::Application;

impl IntoView<ApplicationView> for Application {
    fn into_view(self) -> ApplicationView {
        ApplicationView {
            tenant_id: Tenant,
            id: self.id,
            name: self.name,
            description: self.description,
            r#type: self.kind,
            oidc_client_metadata: self.oidc_client_metadata.0,
            custom_client_metadata: self.custom_client_metadata.0,
            protected_app_metadata: None,
            custom_data: self.custom_data.0,
            is_third_party: self.is_third_party,
            app_level_access_control_enabled: self.app_level_access_control_enabled,
            created_at: self.created_at,
        }
    }
}
