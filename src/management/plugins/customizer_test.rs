//! `POST /api/configs/jwt-customizer/test`: runs a token script once, and answers in the format of the reference API.

use super::refusal::not_compiled;
use crate::refusals::{AccessRefused, BodyRefused, NotCompiled};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::management::PluginsWrite;
use claimsmith_harness::Input;
use claimsmith_runtime::{Language, Manifest, Secrets, Source};
use claimsmith_services::plugins::{Trial, TrialError};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::SourceBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A question to a script.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tokenType": "access-token",
    "script": "const getCustomJwtClaims = async ({ environmentVariables: { REGION } }) => ({ region: REGION });",
    "environmentVariables": { "REGION": "eu" }, "token": { "kind": "AccessToken", "scope": "orders:read" },
    "context": {
        "user": { "id": "q3v8k1znw2pd", "customData": { "plan": "gold" } },
        "interaction": {
            "interactionEvent": "SignIn", "userId": "q3v8k1znw2pd",
            "verificationRecords": [{
                "id": "mwr9bcthv9ceak89kz99b", "type": "Password",
                "identifier": { "type": "username", "value": "casey" }, "verified": true
            }]
        }
    }
}))]
pub(super) struct TestCustomizer {
    /// `access-token` or `client-credentials`.
    token_type: TokenType,
    script: String,
    environment_variables: Option<BTreeMap<String, String>>,
    #[schema(value_type = Object)]
    token: Map<String, Value>,
    /// `user`, `grant`, `application`, `organization`, `interaction`.
    #[schema(value_type = Object)]
    context: Map<String, Value>,
}

#[derive(Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
enum TokenType {
    AccessToken,
    ClientCredentials,
}

/// Asks a script that need not be set, and answers its claims.
#[utoipa::path(
    post, path = "/api/configs/jwt-customizer/test", tag = "Token scripts", summary = "Test a token script",
    request_body = TestCustomizer,
    responses(
        (status = 200, description = "The claims", body = Object,
            example = json!({ "region": "eu" })),
        BodyRefused, AccessRefused,
        (status = 422, description = "The script failed: `data.message`", body = ApiErrorBody),
        NotCompiled,
    ),
)]
pub(super) async fn test_customizer(
    management: Management<PluginsWrite>,
    SourceBody(body): SourceBody<TestCustomizer>,
) -> Result<Json<Map<String, Value>>, ApiError> {
    let name = match body.token_type {
        TokenType::AccessToken => "jwt-access-token",
        TokenType::ClientCredentials => "jwt-client-credentials",
    };
    let input: Input = serde_json::from_value(json!({ "token": body.token, "context": body.context }))
        .map_err(|error| ApiError::invalid_input("body", format!("Error in key path \"context\": {error}")))?;
    let source = Source::new(name, Language::JavaScript, body.script.into_bytes());
    let environment = body.environment_variables.unwrap_or_default();
    let manifest = Manifest { environment, ..Manifest::default() };
    let trial = Trial { source, manifest, secrets: Secrets::default(), input };
    let outcome = match management.app.plugins.try_out(&trial).await {
        Ok(outcome) => outcome,
        Err(TrialError::Compile(error)) => return Err(not_compiled(error)),
        Err(TrialError::Load(error)) => return Err(failed(&error.to_string(), error.outcome())),
        Err(TrialError::Input(error)) => return Err(failed(&error.to_string(), "wrong_world")),
        Err(error) => return Err(error.into()),
    };
    let message = outcome.message.unwrap_or_default();
    match (outcome.claims, outcome.outcome) {
        (Some(claims), _) => Ok(Json(claims)),
        (None, "denied") => Err(ApiError::new(ApiCode::JwtCustomizerGeneralDenied, &message)
            .with_data(json!({ "message": message, "error": { "code": "AccessDenied", "message": message } }))),
        (None, how) => Err(failed(&message, how)),
    }
}

fn failed(message: &str, how: &str) -> ApiError {
    ApiError::new(ApiCode::JwtCustomizerGeneralFailed, message)
        .with_data(json!({ "message": message, "error": { "code": how, "message": message } }))
}
