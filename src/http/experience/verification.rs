//! `POST /api/experience/verification/password` and `…/new-password-identity`.

use axum::Json;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_identity::interaction::{new_password_identity, verify_password};
use claimsmith_json::object;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::{Deserialize, Serialize};

/// An identifier and a password.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct Credentials {
    #[serde(deserialize_with = "object")]
    identifier: GivenIdentifier,
    /// At most the length of passwords that can be set.
    password: Text<1, 256>,
}

/// The claimed identifier.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct GivenIdentifier {
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: IdentifierType,
    value: Text<1, 128>,
}

impl From<GivenIdentifier> for Identifier {
    fn from(given: GivenIdentifier) -> Self {
        Self { kind: given.kind, value: given.value.into() }
    }
}

/// Username and password of a new user.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct NewCredentials {
    #[serde(deserialize_with = "object")]
    identifier: NewIdentifier,
    /// The password policy limits its length.
    password: Text<1, 4096>,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct NewIdentifier {
    #[serde(rename = "type")]
    _kind: NewIdentifierType,
    value: Text<0, 1024>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
enum NewIdentifierType {
    Username,
}

/// The created verification.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Verified {
    pub verification_id: String,
}

/// Verifies a password.
pub(super) async fn verify_password(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Credentials>,
) -> Result<Json<Verified>, ApiError> {
    let identifier = body.identifier.into();
    let verification_id = verify_password::verify_password(&mut current, identifier, body.password.as_str()).await?;
    Ok(Json(Verified { verification_id }))
}

/// Stores username and password of a new user.
pub(super) async fn new_password_identity(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<NewCredentials>,
) -> Result<Json<Verified>, ApiError> {
    let username = body.identifier.value.into();
    let verification_id =
        new_password_identity::new_password_identity(&mut current, username, body.password.as_str()).await?;
    Ok(Json(Verified { verification_id }))
}
