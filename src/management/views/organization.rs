//! How organizations are shown, also with a member's roles.

use super::HeldRoleView;
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::organizations::Organization;
use serde::Serialize;
use serde_json::Value;

/// An organization.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "o6r2g9a4n1z8", "name": "Acme", "description": "A customer",
    "customData": { "plan": "gold" }, "isMfaRequired": false, "color": { "primaryColor": "#0055aa" },
    "branding": { "logoUrl": "https://acme.example.com/logo.png" }, "customCss": null,
    "createdAt": 1_760_000_000_000_i64
}))]
pub(crate) struct OrganizationView {
    /// Always `default`.
    tenant_id: &'static str,
    /// 12 characters.
    id: String,
    name: String,
    description: Option<String>,
    /// The integrator's own data.
    #[schema(value_type = Object)]
    custom_data: Value,
    /// Whether members need a second factor.
    is_mfa_required: bool,
    /// The colours of its sign-in pages.
    color: Color,
    /// The pictures of its sign-in pages.
    branding: Branding,
    /// The style sheet of its sign-in pages.
    custom_css: Option<String>,
    /// Unix milliseconds.
    created_at: i64,
}

/// An organization of a user, with their roles in it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "o6r2g9a4n1z8", "name": "Acme", "description": "A customer",
    "customData": { "plan": "gold" }, "isMfaRequired": false, "color": { "primaryColor": "#0055aa" },
    "branding": { "logoUrl": "https://acme.example.com/logo.png" }, "customCss": null,
    "createdAt": 1_760_000_000_000_i64, "organizationRoles": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor" }]
}))]
pub(crate) struct OrganizationOf {
    #[serde(flatten)]
    pub(crate) organization: OrganizationView,
    pub(crate) organization_roles: Vec<HeldRoleView>,
}

impl From<Organization> for OrganizationView {
    fn from(organization: Organization) -> Self {
        Self {
            tenant_id: TENANT,
            id: organization.id.into(),
            name: organization.name,
            description: organization.description,
            custom_data: organization.custom_data.0,
            is_mfa_required: organization.is_mfa_required,
            color: organization.color.0,
            branding: organization.branding.0,
            custom_css: organization.custom_css,
            created_at: organization.created_at,
        }
    }
}
