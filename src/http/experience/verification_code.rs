//! `POST /api/experience/verification/verification-code` and `…/verify`: codes by email and text message.

use super::verification::Verified;
use crate::domain::interaction::{Identifier, IdentifierType, InteractionEvent};
use crate::domain::object::object;
use crate::domain::text::Text;
use crate::http::error::ApiError;
use crate::http::extract::interaction::InProgress;
use crate::http::extract::json::DeclaredJson;
use crate::interaction::verification_codes::{send, verify};
use axum::Json;
use serde::Deserialize;

/// Where a code is to go, and what for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wanted {
    #[serde(deserialize_with = "object")]
    identifier: Reached,
    interaction_event: InteractionEvent,
}

/// An address or a number.
#[derive(Deserialize)]
struct Reached {
    #[serde(rename = "type")]
    kind: ReachedType,
    value: Text<1, 256>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ReachedType {
    Email,
    Phone,
}

/// A code that came.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Typed {
    #[serde(deserialize_with = "object")]
    identifier: Reached,
    verification_id: Text<1, 128>,
    code: Text<1, 64>,
}

impl From<Reached> for Identifier {
    fn from(Reached { kind, value }: Reached) -> Self {
        let kind = match kind {
            ReachedType::Email => IdentifierType::Email,
            ReachedType::Phone => IdentifierType::Phone,
        };
        Self { kind, value: value.into() }
    }
}

/// Sends a code.
pub(super) async fn send_code(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Wanted>,
) -> Result<Json<Verified>, ApiError> {
    let verification_id = send::send(&mut current, body.identifier.into(), body.interaction_event).await?;
    Ok(Json(Verified { verification_id }))
}

/// Verifies a code.
pub(super) async fn verify_code(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Typed>,
) -> Result<Json<Verified>, ApiError> {
    let (id, code) = (body.verification_id.as_str(), body.code.as_str());
    let verification_id = verify::verify(&mut current, &body.identifier.into(), id, code).await?;
    Ok(Json(Verified { verification_id }))
}
