//! `POST /api/verifications/social` and `…/verify`: an account at a social connector.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_identity::interaction::federated::parameters::{Callback, SignInParameters};
use claimsmith_identity::own_account::linking::{self, BegunLink};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use claimsmith_web::extract::json::JsonBody;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The connector that the user is sent to, and the redirect URI.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewAttempt {
    connector_id: Text<1, 128>,
    state: Text<0, 512>,
    redirect_uri: Text<0, 2048>,
    /// Scopes of the connector's server beside those that the connector asks for.
    #[serde(default)]
    scope: Option<Text<0, 512>>,
}

/// The response of the connector, as the browser received it.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Brought {
    verification_record_id: Text<1, 128>,
    /// The query parameters of the redirect URI.
    #[schema(value_type = Object)]
    connector_data: Map<String, Value>,
}

/// Begins a sign-in at a connector.
pub(super) async fn begin(
    account: OwnChange,
    JsonBody(body): JsonBody<NewAttempt>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    if !body.scope.as_ref().is_none_or(|scope| scope.as_str().bytes().all(is_of_scope)) {
        return Err(ApiError::invalid_input(
            "body",
            "Error in key path \"scope\": expected scopes separated by spaces",
        ));
    }
    let parameters = SignInParameters {
        connector_id: body.connector_id.as_str(),
        state: body.state.as_str(),
        redirect_uri: body.redirect_uri.as_str(),
        hint: None,
        scope: body.scope.as_ref().map(Text::as_str),
    };
    let BegunLink { record, authorization_uri } =
        linking::begin(&account.owner, ConnectorKind::Social, &parameters).await?;
    let answer = json!({
        "verificationRecordId": record.id, "authorizationUri": authorization_uri,
        "expiresAt": iso8601(record.expires_at),
    });
    Ok((StatusCode::CREATED, Json(answer)))
}

/// RFC 6749 section 3.3.
fn is_of_scope(byte: u8) -> bool {
    matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')
}

/// Verifies the response of the connector.
pub(super) async fn verify(account: OwnChange, JsonBody(body): JsonBody<Brought>) -> Result<Json<Value>, ApiError> {
    let text = |name: &str| body.connector_data.get(name).and_then(Value::as_str).map(str::to_owned);
    let callback = Callback { state: text("state"), code: text("code"), error: text("error"), issuer: text("iss") };
    let id = body.verification_record_id.as_str();
    linking::verify(&account.owner, ConnectorKind::Social, id, &callback).await?;
    Ok(Json(json!({ "verificationRecordId": id })))
}
