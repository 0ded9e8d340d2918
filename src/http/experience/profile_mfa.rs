//! `POST /api/experience/profile/mfa` and below: the user's decisions about second factors.

use axum::http::StatusCode;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::factors::MfaFactor;
use claimsmith_domain::documents::text::Text;
use claimsmith_identity::interaction::factors::bind as steps;
use claimsmith_identity::interaction::passkeys::register;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::trusted_device;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::Deserialize;

/// A factor that was set up.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Factor {
    r#type: MfaFactor,
    verification_id: Text<1, 128>,
}

/// Stages a factor.
pub(super) async fn bind(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Factor>,
) -> Result<StatusCode, ApiError> {
    let kind = FactorType::ALL.into_iter().find(|kind| kind.setting() == body.r#type);
    let kind = kind.ok_or(InteractionRefusal::FactorDisabled)?;
    match kind {
        FactorType::WebAuthn => register::bind(&mut current, body.verification_id.as_str()).await?,
        _ => steps::bind(&mut current, kind, body.verification_id.as_str()).await?,
    }
    Ok(StatusCode::NO_CONTENT)
}

/// A registered passkey.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Passkey {
    verification_id: Text<1, 128>,
}

/// Stages a passkey for sign-in.
pub(super) async fn bind_passkey(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Passkey>,
) -> Result<StatusCode, ApiError> {
    register::bind(&mut current, body.verification_id.as_str()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Records that the user declines a passkey for sign-in.
pub(super) async fn skip_passkey(InProgress(mut current): InProgress) -> Result<StatusCode, ApiError> {
    register::skip(&mut current).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Records that the user wants a second factor.
pub(super) async fn enable(InProgress(mut current): InProgress) -> Result<StatusCode, ApiError> {
    steps::enable(&mut current).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Records that the user postpones a second factor.
pub(super) async fn skip(InProgress(mut current): InProgress) -> Result<StatusCode, ApiError> {
    steps::skip(&mut current).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Records that the user declines a further second factor.
pub(super) async fn skip_suggestion(InProgress(mut current): InProgress) -> Result<StatusCode, ApiError> {
    steps::skip_suggestion(&mut current).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Records that the user trusts the browser.
pub(super) async fn trust_device(InProgress(mut current): InProgress) -> Result<StatusCode, ApiError> {
    trusted_device::trust(&mut current).await?;
    Ok(StatusCode::NO_CONTENT)
}
