//! `POST /api/experience/verification/one-time-token/verify`.

use super::verification::Verified;
use axum::Json;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_identity::interaction::one_time_token;
use claimsmith_json::object;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::Deserialize;

/// The token of a link, and the recipient that it was issued for.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct Token {
    #[serde(deserialize_with = "object")]
    identifier: Address,
    token: Text<1, 128>,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct Address {
    #[serde(rename = "type")]
    _kind: AddressType,
    value: Text<1, 256>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
enum AddressType {
    Email,
}

/// Uses a token.
pub(super) async fn verify_token(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Token>,
) -> Result<Json<Verified>, ApiError> {
    let identifier = Identifier { kind: IdentifierType::Email, value: body.identifier.value.into() };
    let verification_id = one_time_token::verify(&mut current, identifier, body.token.as_str()).await?;
    Ok(Json(Verified { verification_id }))
}
