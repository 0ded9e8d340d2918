//! `/api/verification-codes`: codes that prove an email address or phone number to integrators, outside of any sign-in.

use crate::describe::routes;
use crate::messages::refused;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::http::StatusCode;
use claimsmith_api::verification_codes::{SendCode, VerifyCode};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::lockout::Limit;
use claimsmith_domain::management::{BySupport, UsersWrite};
use claimsmith_domain::message::{Contents, Message, Recipient};
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_identity::interaction::attempts::code_hash;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_services::app::App;
use claimsmith_services::messages::{self, MessageRefusal};
use claimsmith_services::verification_codes::{self, Requester};
use claimsmith_storage::sessions::attempts;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::{self as storage, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use secrecy::ExposeSecret;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

const HOUR_MS: i64 = 3_600_000;
/// Ten attempts per hour, the default of the sign-in settings. Lockouts last an hour, and longer each time.
const LIMIT: Limit = Limit { failures: 10, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: 24 * HOUR_MS };

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(self::send_verification_code)).routes(routes!(self::verify_verification_code))
}

/// Sends a code to an email address or phone number, whether or not a user has it.
///
/// It replaces the previous one.
#[utoipa::path(
    post, path = "/api/verification-codes", tag = "Verification codes",
    request_body = SendCode,
    responses(
        (status = 204, description = "The code is on its way"),
        BodyRefused, AccessRefused,
        (status = 429, description = "Too many messages were sent there", body = ApiErrorBody),
        (status = 501, description = "Nothing here sends messages over this", body = ApiErrorBody),
    ),
)]
async fn send_verification_code(
    management: Management<BySupport<UsersWrite>>,
    JsonBody(body): JsonBody<SendCode>,
) -> Result<StatusCode, ApiError> {
    refuse_without_connector(&management, &body).await?;
    let identifier = identifier(body.email.0, body.phone.0)?;
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

/// 501 if nothing sends over the channel of the body, before the recipient is looked at.
async fn refuse_without_connector(management: &Caller, body: &SendCode) -> Result<(), ApiError> {
    let channel = match (body.email.is_some(), body.phone.is_some()) {
        (true, false) => MessageChannel::Email,
        (false, true) => MessageChannel::Sms,
        _ => return Ok(()),
    };
    if messages::reaches_from(&mut management.read().await?, channel, None).await? {
        return Ok(());
    }
    Err(refused(MessageRefusal::NoConnector(channel)))
}

/// Verifies a code, which works once.
#[utoipa::path(
    post, path = "/api/verification-codes/verify", tag = "Verification codes",
    request_body = VerifyCode,
    responses(
        (status = 204, description = "It is right"),
        (status = 400, description = "The body is not what the operation takes, the code is wrong, expired or used, or \
            too many were wrong", body = ApiErrorBody),
        (status = 413, description = "The body is too large", body = ApiErrorBody),
        AccessRefused,
    ),
)]
async fn verify_verification_code(
    management: Management<BySupport<UsersWrite>>,
    JsonBody(body): JsonBody<VerifyCode>,
) -> Result<StatusCode, ApiError> {
    let identifier = identifier(body.email.0, body.phone.0)?;
    let app = &management.app;
    let settings = EXPERIENCE.find(&mut management.read().await?).await?;
    let (requester, policy, code) =
        (requester(&identifier), &settings.verification_code_policy, body.verification_code);
    let guess = Guess::count(&management, &identifier).await?;
    let now = management.now();
    let proved = verification_codes::prove(&app.db, &app.cipher, &requester, None, code.as_str(), policy, now).await?;
    let proved = match proved {
        Ok(proved) => proved,
        Err(refusal) => {
            if refusal != CodeRefusal::Mismatch {
                guess.undo_failure(&management).await?;
            }
            return Err(refuse(refusal));
        }
    };
    let mut tx = management.begin().await?;
    guess.succeeded(&mut tx).await?;
    if !verification_codes::consume(&mut tx, &proved).await? {
        drop(tx);
        guess.undo_failure(&management).await?;
        return Err(refuse(CodeRefusal::NotFound));
    }
    // Queued messages with a code are no longer needed.
    messages::withdraw(&mut tx, requester.name(), now).await?;
    tx.audit(AuditKey::ManagementVerificationCodeVerify, json!({ "type": identifier.kind.as_str() })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn refuse(refusal: CodeRefusal) -> ApiError {
    ApiError::new(refusal.code(), refusal.message())
}

/// The email address or phone number of a body, which must have exactly one of them.
fn identifier(email: Option<Text<1, 128>>, phone: Option<Text<1, 128>>) -> Result<Identifier, ApiError> {
    let identifier = match (email, phone) {
        (Some(email), None) => Identifier { kind: IdentifierType::Email, value: email.into() },
        (None, Some(phone)) => Identifier { kind: IdentifierType::Phone, value: phone.into() },
        _ => return Err(ApiError::invalid_input("body", "expected either \"email\" or \"phone\"")),
    };
    let path = identifier.kind.as_str();
    let refused = || {
        ApiError::invalid_input(
            "body",
            format!("Error in key path \"{path}\": it is not a valid recipient of messages"),
        )
    };
    identifier.stored().ok_or_else(refused)
}

/// The requester: the Management API, for this email address or phone number.
fn requester(identifier: &Identifier) -> Requester {
    Requester::new(&["management", identifier.kind.as_str(), &identifier.key()])
}

/// A counted attempt at the codes of one email address or phone number: counted over all codes that were sent there, so
/// that sending another code allows no further attempts.
struct Guess {
    hash: String,
}

impl Guess {
    /// Counts an attempt, before the code is compared.
    async fn count(management: &Caller, identifier: &Identifier) -> Result<Self, ApiError> {
        let (hash, now) = (code_hash(identifier), management.now());
        let mut tx = management.begin().await?;
        let counted = attempts::count(&mut tx, &hash, LIMIT, now).await?;
        tx.commit().await?;
        if counted.exceed(LIMIT) {
            return Err(InteractionRefusal::Blocked(counted.expires_at - now).into());
        }
        Ok(Self { hash })
    }

    /// Records success: earlier attempts are forgotten.
    async fn succeeded(&self, tx: &mut Tx) -> storage::Result<()> {
        attempts::clear(tx, &self.hash).await
    }

    /// Does not count an attempt for which there was no valid code to compare with.
    async fn undo_failure(&self, management: &Caller) -> storage::Result<()> {
        let mut tx = management.begin().await?;
        attempts::undo_failure(&mut tx, &self.hash, LIMIT).await?;
        tx.commit().await
    }
}
