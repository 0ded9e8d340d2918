//! `POST /api/subject-tokens`: a backend requests a subject token for impersonating a user
//! (`docs/decisions/subject-tokens.md`).

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{ByMachines, SubjectTokensWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::issuing::subject_tokens::{self, SubjectToken};
use claimsmith_storage::{self as storage, SharedDocument, Tx, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Maximum bytes of a context, as JSON.
const MAX_CONTEXT_BYTES: usize = 16 * 1024;
/// Random characters after `sub_`: more than 160 bits.
const TOKEN_LENGTH: usize = 32;

/// Who is to be impersonated, and what custom claim logic shall know of it.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userId": "q3v8k1znw2pd", "context": { "ticketId": "T-1" } }))]
pub(super) struct CreateSubjectToken {
    /// The user to be impersonated.
    user_id: String,
    /// Keys of the integrator's choice, at most 16 KiB as JSON; plugins find them in
    /// `context.grant.subjectTokenContext`.
    #[serde(default)]
    #[schema(value_type = Object)]
    context: Map<String, Value>,
}

/// The token: shown once, usable once.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "subjectToken": "sub_4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ", "expiresIn": 600 }))]
pub(super) struct SubjectTokenView {
    /// `sub_` and random characters.
    subject_token: String,
    /// Remaining lifetime in seconds.
    expires_in: i64,
}

/// Creates a subject token.
#[utoipa::path(
    post, path = "/api/subject-tokens", tag = "Subject tokens", summary = "Create a subject token",
    request_body = CreateSubjectToken,
    responses(
        (status = 201, description = "The subject token", body = SubjectTokenView),
        (status = 400, description = "The body is not valid, or the context too large", body = ApiErrorBody),
        (status = 401, description = "No valid access token", body = ApiErrorBody),
        (status = 403, description = "Not a machine-to-machine token, or without the scope; or the user administers this \
            server", body = ApiErrorBody),
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 413, description = "The body is too large", body = ApiErrorBody),
        (status = 422, description = "A person asks, in the console, without `reason` and `ticketId`", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_subject_token(
    management: Management<ByMachines<SubjectTokensWrite>>,
    JsonBody(body): JsonBody<CreateSubjectToken>,
) -> Result<(StatusCode, Json<SubjectTokenView>), ApiError> {
    let lifetime = management.app.config.tokens.subject_token_ttl;
    let user_id = UserId::from(body.user_id);
    if management.person().is_some() {
        check_reason(&body.context)?;
    }
    let (subject_token, stored) = make(&management.app, management.id(), user_id.clone(), body.context)?;
    let mut tx = management.begin().await?;
    check_impersonated(&management, &mut tx, &user_id).await?;
    write(tx, stored).await?;
    let view = SubjectTokenView { subject_token, expires_in: i64::try_from(lifetime.as_secs())? };
    Ok((StatusCode::CREATED, Json(view)))
}

/// Refuses a request of an administrator without a reason and a ticket.
fn check_reason(context: &Map<String, Value>) -> Result<(), ApiError> {
    let says = |key: &str| context.get(key).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
    if says("reason") && says("ticketId") {
        return Ok(());
    }
    let message = "People who impersonate say why: `context` needs the texts `reason` and `ticketId`.";
    Err(ApiError::new(ApiCode::ConsoleReasonRequired, message))
}

/// Protects administrators: only machines with all of the Management API may impersonate them.
async fn check_impersonated(management: &Caller, tx: &mut Tx, user_id: &UserId) -> Result<(), ApiError> {
    if management.person().is_some() && privilege_guard::administers(management, tx, user_id).await? {
        return Err(ApiError::forbidden("Users who administer this server cannot be impersonated."));
    }
    Ok(privilege_guard::check_user(management, tx, user_id).await?)
}

/// Checks the size of a context, and serializes it; `key` is its key in the request.
pub(crate) fn check_context(key: &str, context: Map<String, Value>) -> Result<SharedDocument, ApiError> {
    let context = SharedDocument::from(Value::Object(context));
    if context.text.len() > MAX_CONTEXT_BYTES {
        let details = format!("Error in key path \"{key}\": at most {MAX_CONTEXT_BYTES} bytes as JSON");
        return Err(ApiError::invalid_input("body", details));
    }
    Ok(context)
}

/// A new token, and its row.
pub fn make(
    app: &App,
    creator_id: &str,
    user_id: UserId,
    context: Map<String, Value>,
) -> Result<(String, SubjectToken), ApiError> {
    let context = check_context("context", context)?;
    let now = app.clock.now_ms();
    let lifetime = app.config.tokens.subject_token_ttl;
    let subject_token = format!("sub_{}", app.random.secret(TOKEN_LENGTH)?);
    let stored = SubjectToken {
        id: app.random.id_at(now)?.into(),
        hash: tokens::hash(&subject_token),
        user_id,
        context,
        creator_id: creator_id.to_owned(),
        created_at: now,
        expires_at: now + i64::try_from(lifetime.as_millis())?,
        consumed_at: None,
    };
    Ok((subject_token, stored))
}

/// Stores a new token, with its audit entry.
pub async fn write(mut tx: UnitOfWork, stored: SubjectToken) -> Result<(), ApiError> {
    if users::find(&mut tx, &stored.user_id).await?.is_none() {
        return Err(ApiError::unknown_relation("user"));
    }
    match subject_tokens::insert(&mut tx, &stored).await {
        // The user was deleted meanwhile, by another node.
        Err(storage::Error::Missing) => return Err(ApiError::unknown_relation("user")),
        result => result?,
    }
    let mut details = json!({ "userId": stored.user_id, "subjectTokenId": stored.id });
    details["context"] = Arc::unwrap_or_clone(stored.context.value);
    tx.audit(AuditKey::ManagementSubjectTokenCreate, details).await?;
    tx.commit().await?;
    Ok(())
}
