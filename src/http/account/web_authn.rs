//! `POST /api/verifications/web-authn/registration` and `…/verify`: a new passkey.

use axum::Json;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::text::Text;
use claimsmith_identity::own_account::passkeys::{self, RegistrationChallenge};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use claimsmith_web::extract::json::JsonBody;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The response of the browser.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RegistrationResponse {
    verification_record_id: Text<1, 128>,
    #[schema(value_type = Object)]
    payload: Map<String, Value>,
}

/// Creates the options for the registration of a passkey.
pub(super) async fn register(account: OwnChange) -> Result<Json<Value>, ApiError> {
    let RegistrationChallenge { record, options } = passkeys::ask(&account.owner).await?;
    Ok(Json(json!({
        "verificationRecordId": record.id, "registrationOptions": options, "expiresAt": iso8601(record.expires_at),
    })))
}

/// Verifies the response to the registration of a passkey.
pub(super) async fn verify(
    account: OwnChange,
    JsonBody(body): JsonBody<RegistrationResponse>,
) -> Result<Json<Value>, ApiError> {
    let id = body.verification_record_id.as_str();
    passkeys::verify(&account.owner, id, body.payload).await?;
    Ok(Json(json!({ "verificationRecordId": id })))
}
