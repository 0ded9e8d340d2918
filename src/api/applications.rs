//! Bodies of `/api/applications`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::documents::sign_in_experience::CustomCss;
use claimsmith_domain::documents::sign_in_experience::application::ApplicationSignInExperience;
use claimsmith_domain::documents::sign_in_experience::links::Link;
use claimsmith_domain::documents::text::{Text, present_unless_empty};
use claimsmith_domain::id::ApplicationId;
use claimsmith_json::{object, present, present_object};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// An application, without its secrets.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
pub struct ApplicationView {
    /// Always `default`.
    pub tenant_id: Tenant,
    /// The `client_id`.
    pub id: ApplicationId,
    pub name: String,
    pub description: Option<String>,
    pub r#type: ApplicationType,
    pub oidc_client_metadata: OidcClientMetadata,
    pub custom_client_metadata: CustomClientMetadata,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    pub protected_app_metadata: Option<Value>,
    /// The integrator's own data.
    #[schema(value_type = Object)]
    pub custom_data: Value,
    /// Whether it is a third-party application.
    pub is_third_party: bool,
    /// Whether only users whom a rule of its access control names may sign in to it.
    pub app_level_access_control_enabled: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// An application, and whether it is an administrator's.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
    "createdAt": 1_760_000_000_000_i64, "isAdmin": false
}))]
pub struct ApplicationDetails {
    #[serde(flatten)]
    pub application: ApplicationView,
    /// Whether it holds all of the Management API.
    pub is_admin: bool,
}

/// A new application with its first secret.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "tenantId": "default", "id": "m0k2x7c5t9r4b8n1q6w3z", "name": "Shop", "description": "Where customers buy",
    "type": "Traditional",
    "oidcClientMetadata": {
        "redirectUris": ["https://shop.example.com/callback"],
        "postLogoutRedirectUris": ["https://shop.example.com/"]
    },
    "customClientMetadata": { "allowTokenExchange": true }, "protectedAppMetadata": null,
    "customData": { "plan": "gold" }, "isThirdParty": false, "appLevelAccessControlEnabled": false,
    "createdAt": 1_760_000_000_000_i64, "secret": "4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ"
}))]
pub struct CreatedApplication {
    #[serde(flatten)]
    pub application: ApplicationView,
    /// The value of the secret named `Default secret`, which `Traditional` and `MachineToMachine` applications get, unless
    /// `private_key_jwt` is their method.
    /// It is shown here and nowhere else: the server keeps its SHA-256 alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// A new application.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Shop", "type": "Traditional", "description": "Where customers buy",
    "oidcClientMetadata": {
        "redirectUris": ["https://shop.example.com/callback"],
        "postLogoutRedirectUris": ["https://shop.example.com/"]
    },
    "customClientMetadata": { "allowTokenExchange": true }, "customData": { "plan": "gold" }
}))]
pub struct CreateApplication {
    pub name: Text<1, 256>,
    /// Cannot be changed later.
    pub r#type: ApplicationType,
    /// For people.
    #[serde(default)]
    pub description: Option<Text<0, 256>>,
    #[serde(default, deserialize_with = "object")]
    pub oidc_client_metadata: OidcClientMetadata,
    #[serde(default, deserialize_with = "object")]
    pub custom_client_metadata: CustomClientMetadata,
    /// The integrator's own data.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub custom_data: Map<String, Value>,
    /// Whether it is a third-party application. Cannot be changed later.
    #[serde(default)]
    pub is_third_party: bool,
}

/// What is to change; what is left out stays. `type` and `isThirdParty` cannot change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Shop", "description": null, "customClientMetadata": { "allowTokenExchange": true }
}))]
pub struct UpdateApplication {
    #[serde(default)]
    pub name: Given<Text<1, 256>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub description: Option<Option<Text<0, 256>>>,
    /// What is left out of it stays; null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = OidcClientMetadata, required = false)]
    pub oidc_client_metadata: Option<OidcClientMetadata>,
    /// What is left out of it stays; null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = CustomClientMetadata, required = false)]
    pub custom_client_metadata: Option<CustomClientMetadata>,
    /// Replaced as a whole.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    pub custom_data: Option<Map<String, Value>>,
    /// Whether only users whom a rule of its access control names may sign in to it.
    #[serde(default)]
    pub app_level_access_control_enabled: Given<bool>,
    /// Whether a machine-to-machine application is to hold all of the Management API.
    #[serde(default)]
    pub is_admin: Given<bool>,
}

impl Patch for UpdateApplication {
    const MERGED: &'static Merged = &patch::APPLICATION;
}

/// A secret of an application.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "applicationId": "m0k2x7c5t9r4b8n1q6w3z", "name": "2026", "value": "********",
    "createdAt": 1_760_000_000_000_i64, "expiresAt": 4_102_444_800_000_i64
}))]
pub struct SecretView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub application_id: ApplicationId,
    pub name: String,
    /// The value in full in the answer to its creation; `********` everywhere else, since only its SHA-256 is kept.
    pub value: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; null never expires.
    pub expires_at: Option<i64>,
}

/// A new secret.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "2026", "expiresAt": 4_102_444_800_000_i64 }))]
pub struct CreateSecret {
    /// Unique per application.
    pub name: Text<1, 128>,
    /// Unix milliseconds, in the future; null or nothing never expires.
    #[serde(default)]
    pub expires_at: Option<i64>,
}

/// What is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "2026" }))]
pub struct UpdateSecret {
    /// Unique per application.
    #[serde(default)]
    pub name: Given<Text<1, 128>>,
    /// Unix milliseconds, in the future; null never expires.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i64>)]
    pub expires_at: Option<Option<i64>>,
}

/// How the sign-in pages look for one application.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "applicationId": "m4x9k2p7q1v8t3w6z5b0n", "displayName": "Acme Shop",
    "color": { "primaryColor": "#0055aa" }, "branding": {}, "customCss": null,
    "termsOfUseUrl": "https://shop.example.com/terms", "privacyPolicyUrl": null
}))]
pub struct ApplicationSignInExperienceView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub application_id: ApplicationId,
    #[serde(flatten)]
    pub settings: ApplicationSignInExperience,
}

/// What is to change; what is left out stays, also of colours and pictures. Null takes away.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "displayName": "Acme Shop", "color": { "primaryColor": "#0055aa" } }))]
pub struct PutApplicationSignInExperience {
    /// What people know the application as; null, or an empty text, takes it away.
    #[serde(default, deserialize_with = "present_unless_empty")]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub display_name: Option<Option<Text<0, 256>>>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Color, required = false)]
    pub color: Option<Color>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Branding, required = false)]
    pub branding: Option<Branding>,
    /// Null, or an empty text, takes it away.
    #[serde(default, deserialize_with = "present_unless_empty")]
    #[schema(value_type = Option<String>, max_length = 65536)]
    pub custom_css: Option<Option<CustomCss>>,
    /// An http or https URL; null, or an empty text, takes it away.
    #[serde(default, deserialize_with = "present_unless_empty")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub terms_of_use_url: Option<Option<Link>>,
    /// An http or https URL; null, or an empty text, takes it away.
    #[serde(default, deserialize_with = "present_unless_empty")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub privacy_policy_url: Option<Option<Link>>,
}

impl Patch for PutApplicationSignInExperience {
    const MERGED: &'static Merged = &patch::APPLICATION_LOOK;
}
