//! `POST /api/verification-codes`.

use super::recipient::{identifier, requester};
use crate::messages::refused;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_domain::management::UsersWrite;
use claimsmith_domain::message::{Contents, Message, Recipient};
use claimsmith_json::present;
use claimsmith_services::messages;
use claimsmith_services::verification_codes;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::json;

/// Where a code goes: one of the two.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "email": "ada@example.com" }))]
pub(super) struct SendCode {
    /// An email address.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    email: Option<Text<1, 128>>,
    /// A phone number with its country code.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    phone: Option<Text<1, 128>>,
}

/// Sends a code to an email address or phone number, whether or not a user has it. It replaces the previous one.
#[utoipa::path(
    post, path = "/api/verification-codes", tag = "Verification codes", summary = "Send a code",
    request_body = SendCode,
    responses(
        (status = 204, description = "The code is on its way"),
        BodyRefused, AccessRefused,
        (status = 429, description = "Too many messages were sent there", body = ApiErrorBody),
        (status = 501, description = "Nothing here sends messages over this", body = ApiErrorBody),
    ),
)]
pub(super) async fn send_verification_code(
    management: Management<UsersWrite>,
    JsonBody(body): JsonBody<SendCode>,
) -> Result<StatusCode, ApiError> {
    let identifier = identifier(body.email, body.phone)?;
    let recipient = match identifier.kind {
        IdentifierType::Phone => Recipient::phone(&identifier.value),
        _ => Recipient::email(&identifier.value),
    };
    let recipient =
        recipient.ok_or_else(|| ApiError::invalid_input("body", "it is not a valid recipient of messages"))?;
    let app = &management.app;
    let settings = EXPERIENCE.find(&mut management.read().await?).await?;
    let (policy, template) = (&settings.verification_code_policy, TemplateType::Generic);
    let admitted = app.messages.admit(recipient, template, management.message_requester()).await.map_err(refused)?;
    let (requester, now) = (requester(&identifier), management.now());
    let mut tx = management.begin().await?;
    let made = verification_codes::make(&mut tx, (&app.random, &*app.cipher), &requester, policy, now).await?;
    // Queued messages with earlier codes are void.
    messages::withdraw(&mut tx, requester.name(), now).await?;
    let message = Message {
        template,
        language: settings.language_info.fallback_language.clone(),
        contents: Contents::code(made.code.expose_secret()),
        expires_at: now + policy.lifetime_ms(),
        about: Some(requester.name().to_owned()),
    };
    app.messages.append(&mut tx, &admitted, &message, now).await.map_err(refused)?;
    tx.audit(AuditKey::ManagementVerificationCodeCreate, json!({ "type": identifier.kind.as_str() })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
