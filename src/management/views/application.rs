//! How applications are shown.

use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::applications::Application;
use serde::Serialize;
use serde_json::Value;

/// An application, without its secrets.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "m0k2x7c5t9r4b8n1q6w3z", "name": "Shop", "description": "Where customers buy",
    "type": "Traditional",
    "oidcClientMetadata": {
        "redirectUris": ["https://shop.example.com/callback"],
        "postLogoutRedirectUris": ["https://shop.example.com/"]
    },
    "customClientMetadata": { "allowTokenExchange": true }, "protectedAppMetadata": null,
    "customData": { "plan": "gold" }, "isThirdParty": false, "appLevelAccessControlEnabled": false,
    "createdAt": 1_760_000_000_000_i64
}))]
pub(crate) struct ApplicationView {
    /// Always `default`.
    tenant_id: &'static str,
    /// The `client_id`.
    id: String,
    name: String,
    description: Option<String>,
    r#type: ApplicationType,
    oidc_client_metadata: OidcClientMetadata,
    custom_client_metadata: CustomClientMetadata,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    protected_app_metadata: Option<Value>,
    /// The integrator's own data.
    #[schema(value_type = Object)]
    custom_data: Value,
    /// Whether it is a third-party application.
    is_third_party: bool,
    /// Always false.
    app_level_access_control_enabled: bool,
    /// Unix milliseconds.
    created_at: i64,
}

impl From<Application> for ApplicationView {
    fn from(application: Application) -> Self {
        Self {
            tenant_id: TENANT,
            id: application.id.into(),
            name: application.name,
            description: application.description,
            r#type: application.kind,
            oidc_client_metadata: application.oidc_client_metadata.0,
            custom_client_metadata: application.custom_client_metadata.0,
            protected_app_metadata: None,
            custom_data: application.custom_data.0,
            is_third_party: application.is_third_party,
            app_level_access_control_enabled: false,
            created_at: application.created_at,
        }
    }
}
