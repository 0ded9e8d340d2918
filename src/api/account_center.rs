//! Bodies of `/api/account-center`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::account_center::AccountCenter;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The settings of people's own accounts.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "default", "enabled": true,
    "fields": { "name": "Edit", "avatar": "Edit", "password": "Edit", "email": "ReadOnly" },
    "webauthnRelatedOrigins": [], "deleteAccountUrl": null, "customCss": null, "profileFields": null,
    "pageEnabled": true, "deletionEnabled": false
}))]
pub struct AccountCenterView {
    /// Always `default`.
    pub tenant_id: Tenant,
    /// Always `default`.
    pub id: Tenant,
    #[serde(flatten)]
    pub settings: AccountCenter,
}
