//! `POST /api/experience/verification/verification-code` and `…/verify`: codes by email and text message.

use super::verification::Verified;
use axum::Json;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::verification_codes::{send, verify};
use claimsmith_json::object;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use claimsmith_web::submitted_code::{Recipient, SubmittedCode};
use serde::Deserialize;

/// The recipient and the purpose of a code.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewCodeBody {
    #[serde(deserialize_with = "object")]
    identifier: Recipient,
    #[schema(value_type = String)]
    interaction_event: InteractionEvent,
}

/// Sends a code.
pub(super) async fn send_code(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<NewCodeBody>,
) -> Result<Json<Verified>, ApiError> {
    let verification_id = send::send(&mut current, body.identifier.into(), body.interaction_event).await?;
    Ok(Json(Verified { verification_id }))
}

/// Verifies a code.
pub(super) async fn verify_code(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<SubmittedCode>,
) -> Result<Json<Verified>, ApiError> {
    let (id, code) = (body.verification_id.as_str(), body.code.as_str());
    let verification_id = verify::verify(&mut current, &body.identifier.into(), id, code).await?;
    Ok(Json(Verified { verification_id }))
}
