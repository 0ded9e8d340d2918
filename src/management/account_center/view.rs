//! How the settings of users' own accounts are shown.

use claimsmith_domain::documents::account_center::AccountCenter;
use claimsmith_services::tokens::context::TENANT;
use serde::Serialize;

/// The settings of people's own accounts.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "default", "enabled": true,
    "fields": { "name": "Edit", "avatar": "Edit", "password": "Edit", "email": "ReadOnly" },
    "webauthnRelatedOrigins": [], "deleteAccountUrl": null, "customCss": null, "profileFields": null,
    "pageEnabled": true, "deletionEnabled": false
}))]
pub(super) struct AccountCenterView {
    /// Always `default`.
    tenant_id: &'static str,
    /// Always `default`.
    id: &'static str,
    #[serde(flatten)]
    settings: AccountCenter,
}

impl From<AccountCenter> for AccountCenterView {
    fn from(settings: AccountCenter) -> Self {
        Self { tenant_id: TENANT, id: "default", settings }
    }
}
