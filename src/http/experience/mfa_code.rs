//! `POST /api/experience/verification/mfa-verification-code` and `…/verify`: codes as a second factor.

use super::verification::Verified;
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::documents::text::Text;
use claimsmith_identity::interaction::factors::codes;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::Deserialize;

/// The channel for a code to the user.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = NewFactorCodeBody)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewCodeBody {
    #[schema(value_type = String)]
    identifier_type: Channel,
}

/// A code that the user received.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Typed {
    #[schema(value_type = String)]
    identifier_type: Channel,
    verification_id: Text<1, 128>,
    code: Text<1, 64>,
}

/// Sends a code.
pub(super) async fn send_code(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<NewCodeBody>,
) -> Result<Json<Verified>, ApiError> {
    match codes::send(&mut current, body.identifier_type).await {
        Ok(verification_id) => Ok(Json(Verified { verification_id })),
        // 400 only here, as in the reference API; elsewhere it is 404.
        Err(refusal @ InteractionRefusal::NotIdentified) => {
            Err(ApiError::new(ApiCode::SessionIdentifierNotFoundForCode, refusal.message()))
        }
        Err(refusal) => Err(refusal.into()),
    }
}

/// Verifies a code.
pub(super) async fn verify_code(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Typed>,
) -> Result<Json<Verified>, ApiError> {
    let (id, code) = (body.verification_id.as_str(), body.code.as_str());
    let verification_id = codes::verify(&mut current, body.identifier_type, id, code).await?;
    Ok(Json(Verified { verification_id }))
}
