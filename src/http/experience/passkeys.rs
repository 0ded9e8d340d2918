//! `POST /api/experience/verification/web-authn/…`, `…/sign-in-passkey/…` and the preflight of the sign-in page:
//! passkeys. The options are the argument of `navigator.credentials` in JSON; the payload is its result.

use super::verification::{GivenIdentifier, Verified};
use axum::Json;
use claimsmith_domain::documents::text::Text;
use claimsmith_identity::interaction::passkeys::{PasskeyChallenge, register, second_factor, sign_in};
use claimsmith_json::{object, present};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The options for the registration of a passkey.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Registration {
    verification_id: String,
    #[schema(value_type = Object)]
    registration_options: Value,
}

/// The options for the authentication with a passkey.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Authentication {
    #[serde(skip_serializing_if = "Option::is_none")]
    verification_id: Option<String>,
    #[schema(value_type = Object)]
    authentication_options: Value,
}

/// The response of the browser.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PasskeyResponse {
    verification_id: Text<1, 128>,
    #[schema(value_type = Object)]
    payload: Map<String, Value>,
}

/// The response of the browser. Without a verification id, it responds to the options of the preflight.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignInAnswer {
    #[serde(default, deserialize_with = "present")]
    verification_id: Option<Text<1, 128>>,
    #[schema(value_type = Object)]
    payload: Map<String, Value>,
}

/// The user whose passkeys are requested.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct Whose {
    #[serde(deserialize_with = "object")]
    identifier: GivenIdentifier,
}

impl From<PasskeyChallenge> for Authentication {
    fn from(PasskeyChallenge { verification_id, options }: PasskeyChallenge) -> Self {
        Self { verification_id: Some(verification_id), authentication_options: options }
    }
}

/// Creates the options for a new passkey.
pub(super) async fn register(InProgress(mut current): InProgress) -> Result<Json<Registration>, ApiError> {
    let PasskeyChallenge { verification_id, options } = register::ask(&mut current).await?;
    Ok(Json(Registration { verification_id, registration_options: options }))
}

/// Verifies the response to the registration.
pub(super) async fn verify_registration(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<PasskeyResponse>,
) -> Result<Json<Verified>, ApiError> {
    let verification_id = register::verify(&mut current, body.verification_id.as_str(), body.payload).await?;
    Ok(Json(Verified { verification_id }))
}

/// Creates the options for a passkey as a second factor.
pub(super) async fn authenticate(InProgress(mut current): InProgress) -> Result<Json<Authentication>, ApiError> {
    Ok(Json(second_factor::ask(&mut current).await?.into()))
}

/// Verifies the response to the second factor.
pub(super) async fn verify_authentication(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<PasskeyResponse>,
) -> Result<Json<Verified>, ApiError> {
    let verification_id = second_factor::verify(&mut current, body.verification_id.as_str(), body.payload).await?;
    Ok(Json(Verified { verification_id }))
}

/// Creates the options for any passkey of this server in the browser.
pub(super) async fn preflight(InProgress(mut current): InProgress) -> Result<Json<Authentication>, ApiError> {
    let authentication_options = sign_in::ask_for_any(&mut current).await?;
    Ok(Json(Authentication { verification_id: None, authentication_options }))
}

/// Creates the options for the passkeys of the user with this identifier.
pub(super) async fn ask_to_sign_in(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Whose>,
) -> Result<Json<Authentication>, ApiError> {
    Ok(Json(sign_in::ask(&mut current, &body.identifier.into()).await?.into()))
}

/// Verifies the response to the sign-in.
pub(super) async fn verify_sign_in(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<SignInAnswer>,
) -> Result<Json<Verified>, ApiError> {
    let id = body.verification_id.as_ref().map(Text::as_str);
    let verification_id = sign_in::verify(&mut current, id, body.payload).await?;
    Ok(Json(Verified { verification_id }))
}
