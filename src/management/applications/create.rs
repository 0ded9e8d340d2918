//! `POST /api/applications`.

use super::{metadata, secrets};
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::ApplicationView;
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::client_authentication::AuthMethod;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::management::ApplicationsWrite;
use claimsmith_json::object;
use claimsmith_services::tokens;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A new application.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Shop", "type": "Traditional", "description": "Where customers buy",
    "oidcClientMetadata": {
        "redirectUris": ["https://shop.example.com/callback"],
        "postLogoutRedirectUris": ["https://shop.example.com/"]
    },
    "customClientMetadata": { "allowTokenExchange": true }, "customData": { "plan": "gold" }
}))]
pub(super) struct CreateApplication {
    #[schema(value_type = String, min_length = 1, max_length = 256)]
    name: Text<1, 256>,
    /// Cannot be changed later.
    r#type: ApplicationType,
    /// For people.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Text<0, 256>>,
    #[serde(default, deserialize_with = "object")]
    oidc_client_metadata: OidcClientMetadata,
    #[serde(default, deserialize_with = "object")]
    custom_client_metadata: CustomClientMetadata,
    /// The integrator's own data.
    #[serde(default)]
    #[schema(value_type = Object)]
    custom_data: Map<String, Value>,
    /// Whether it is a third-party application. Cannot be changed later.
    #[serde(default)]
    is_third_party: bool,
}

/// A new application with its first secret.
#[derive(Serialize, utoipa::ToSchema)]
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
pub(super) struct CreatedApplication {
    #[serde(flatten)]
    application: ApplicationView,
    /// The value of the secret named `Default secret`, which `Traditional` and `MachineToMachine` applications get, unless
    /// `private_key_jwt` is their method.
    /// It is shown here and nowhere else: the server keeps its SHA-256 alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

/// Creates an application. The answer is the only place that shows its first secret.
#[utoipa::path(
    post, path = "/api/applications", tag = "Applications", summary = "Create an application",
    request_body = CreateApplication,
    responses(
        (status = 200, description = "The application, with its first secret if it can keep one",
            body = CreatedApplication),
        BodyRefused, AccessRefused,
        (status = 422, description = "A third-party application is to exchange tokens", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_application(
    management: Management<ApplicationsWrite>,
    JsonBody(body): JsonBody<CreateApplication>,
) -> Result<Json<CreatedApplication>, ApiError> {
    metadata::check(body.r#type, body.is_third_party, &body.oidc_client_metadata, &body.custom_client_metadata)?;
    let none = (&OidcClientMetadata::default(), &CustomClientMetadata::default());
    let given = (&body.oidc_client_metadata, &body.custom_client_metadata);
    if metadata::changes_ways_in(none, given) || body.r#type.is_confidential() {
        // A confidential application gets a secret.
        management.demand_recent()?;
    }
    if body.is_third_party && body.r#type == ApplicationType::MachineToMachine {
        let code = ApiCode::ApplicationInvalidThirdPartyApplicationType;
        let message = "A machine-to-machine application cannot be a third party's.";
        return Err(ApiError::new(code, message));
    }
    // An application with another registered method could not use a secret.
    let has_secret = body.r#type.is_confidential()
        && body.oidc_client_metadata.token_endpoint_auth_method != Some(AuthMethod::PrivateKeyJwt);
    let application = Application {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        description: body.description.map(Into::into),
        kind: body.r#type,
        oidc_client_metadata: claimsmith_storage::Json(body.oidc_client_metadata),
        custom_client_metadata: claimsmith_storage::Json(body.custom_client_metadata),
        custom_data: claimsmith_storage::Json(Value::Object(body.custom_data)),
        is_third_party: body.is_third_party,
        created_at: management.now(),
    };
    let secret = if has_secret { Some(management.app.random.secret(secrets::SECRET_CHARS)?) } else { None };

    let mut tx = management.begin_revision(Changed::Application(&application.id)).await?;
    applications::insert(&mut tx, &application).await?;
    metadata::begin_line(&management, &mut tx, &application).await?;
    if let Some(value) = &secret {
        let stored = applications::ApplicationSecret {
            application_id: application.id.clone(),
            name: tokens::DEFAULT_SECRET.to_owned(),
            hash: tokens::hash(value),
            created_at: application.created_at,
            expires_at: None,
        };
        applications::insert_secret(&mut tx, &stored).await?;
    }
    let details = json!({ "createdApplicationId": application.id, "type": application.kind });
    tx.audit(AuditKey::ManagementApplicationCreate, details).await?;
    tx.commit().await?;
    Ok(Json(CreatedApplication { application: application.into(), secret }))
}
