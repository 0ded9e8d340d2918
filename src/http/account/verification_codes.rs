//! `POST /api/verifications/verification-code` and `…/verify`: codes to an email address or phone number that the user
//! has or wants to set.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_identity::own_account::codes;
use claimsmith_json::{object, present};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::submitted_code::{Recipient, SubmittedCode};
use serde::Deserialize;
use serde_json::{Value, json};

/// The recipient and the purpose of a code.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewCodeBody {
    #[serde(deserialize_with = "object")]
    identifier: Recipient,
    #[serde(default, deserialize_with = "present")]
    template_type: Option<OwnTemplateType>,
}

/// The purpose of a code to the user's own address.
#[derive(Clone, Copy, Deserialize, utoipa::ToSchema)]
enum OwnTemplateType {
    BindMfa,
    UserPermissionValidation,
}

impl From<OwnTemplateType> for TemplateType {
    fn from(template: OwnTemplateType) -> Self {
        match template {
            OwnTemplateType::BindMfa => Self::BindMfa,
            OwnTemplateType::UserPermissionValidation => Self::UserPermissionValidation,
        }
    }
}

/// Sends a code.
pub(super) async fn send(
    account: OwnChange,
    JsonBody(body): JsonBody<NewCodeBody>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let template = body.template_type.map(TemplateType::from);
    let record = codes::send(&account.owner, body.identifier.into(), template).await?;
    let answer = json!({ "verificationRecordId": record.id, "expiresAt": iso8601(record.expires_at) });
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Verifies a code.
pub(super) async fn verify(
    account: OwnChange,
    JsonBody(body): JsonBody<SubmittedCode>,
) -> Result<Json<Value>, ApiError> {
    let (id, code) = (body.verification_id.as_str(), body.code.as_str());
    codes::verify(&account.owner, &body.identifier.into(), id, code).await?;
    Ok(Json(json!({ "verificationRecordId": id })))
}
