//! `POST /api/experience/preflight/captcha`: a proof-of-work puzzle, where this server is the captcha provider.

use axum::Json;
use claimsmith_identity::interaction::captcha;
use claimsmith_services::captcha::proof_of_work::Puzzle;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use serde::Serialize;

/// A puzzle: find a number so that the SHA-256 hash of the last part of `challenge`, followed by the number, begins
/// with `difficulty` zero bits. The answer is `challenge`, a full stop and the number.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewPuzzle {
    challenge: String,
    difficulty: u32,
    /// Unix milliseconds.
    expires_at: i64,
}

/// Generates a puzzle for the interaction.
pub(super) async fn ask(InProgress(current): InProgress) -> Result<Json<NewPuzzle>, ApiError> {
    let Puzzle { text, bits, expires_at } = captcha::puzzle(&current).await?;
    Ok(Json(NewPuzzle { challenge: text, difficulty: bits, expires_at }))
}
