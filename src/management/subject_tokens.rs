//! `/api/subject-tokens`: subject tokens for impersonation (`docs/decisions/subject-tokens.md`).

use crate::describe::routes;
use crate::parameters::PageParameters;
use crate::refusals::AccessRefused;
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::subject_tokens::{CreateSubjectToken, KnownSubjectToken, SubjectTokenView};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{SubjectTokenId, UserId};
use claimsmith_domain::management::{ByMachines, SubjectTokensRead, SubjectTokensWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{self, CheckedUser, NewSubjectToken, SubjectTokenWritten};
use claimsmith_storage::issuing::subject_tokens::{self, Filter, SubjectToken};
use claimsmith_storage::{self as storage, SharedDocument, Tx, revisions, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::Page;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;

/// Maximum bytes of a context, as JSON.
const MAX_CONTEXT_BYTES: usize = 16 * 1024;
/// Random characters after `sub_`: more than 160 bits.
const TOKEN_LENGTH: usize = 32;
/// How often a user is checked before the transaction, until it is done within one.
const MAX_ATTEMPTS: usize = 3;
/// The audit entry of a new token.
pub const CREATED: AuditKey = AuditKey::ManagementSubjectTokenCreate;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_subject_token, self::list_subject_tokens))
        .routes(routes!(self::revoke_subject_token))
}

/// Which tokens are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct SubjectTokensQuery {
    /// Of this user.
    user_id: Option<String>,
    /// `false` for those that were exchanged or have expired, as far as they are still known; else those that are live.
    is_active: Option<bool>,
}

impl IntoView<KnownSubjectToken> for SubjectToken {
    fn into_view(self) -> KnownSubjectToken {
        KnownSubjectToken {
            id: self.id,
            user_id: self.user_id,
            context: Arc::unwrap_or_clone(self.context.value),
            creator_id: self.creator_id,
            created_at: self.created_at,
            expires_at: self.expires_at,
            consumed_at: self.consumed_at,
        }
    }
}

/// Lists subject tokens, newest first: those that are live unless asked otherwise.
#[utoipa::path(
    get, path = "/api/subject-tokens", tag = "Subject tokens",
    params(SubjectTokensQuery, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<KnownSubjectToken>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        (status = 400, description = "No such page, or the query is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
    ),
)]
async fn list_subject_tokens(
    management: Management<SubjectTokensRead>,
    Filters(query): Filters<SubjectTokensQuery>,
    page: Page,
) -> Result<Response, ApiError> {
    let is_live = query.is_active.unwrap_or(true);
    let wanted = Filter { user_id: query.user_id.map(Into::into), is_live, now: management.now() };
    let mut tx = management.read().await?;
    let total = subject_tokens::count(&mut tx, &wanted).await?;
    let tokens = subject_tokens::list(&mut tx, &wanted, page.slice()).await?;
    page.answer(total, tokens.into_iter().map(IntoView::<KnownSubjectToken>::into_view).collect())
}

/// Creates a subject token.
#[utoipa::path(
    post, path = "/api/subject-tokens", tag = "Subject tokens",
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
async fn create_subject_token(
    management: Management<ByMachines<SubjectTokensWrite>>,
    JsonBody(body): JsonBody<CreateSubjectToken>,
) -> Result<(StatusCode, Json<SubjectTokenView>), ApiError> {
    let lifetime = management.app.config.tokens.subject_token_ttl;
    if management.person().is_some() {
        check_reason(&body.context)?;
    }
    let (subject_token, stored) = make(&management.app, management.id(), body.user_id, body.context)?;
    add(&management, stored).await?;
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

/// Stores a new token by the group commit. If what its user was checked by changes again and again, the user is checked
/// in a transaction of its own.
async fn add(management: &Caller, stored: SubjectToken) -> Result<(), ApiError> {
    for _ in 0..MAX_ATTEMPTS {
        let checked = check_impersonated(management, &stored.user_id).await?;
        let log = management.audit_entry(CREATED, details_of(&stored), stored.created_at)?;
        if write(&management.app, NewSubjectToken { token: stored.clone(), log, checked }).await? {
            return Ok(());
        }
    }
    let mut tx = management.begin().await?;
    check_user(management, &mut tx, &stored.user_id).await?;
    if users::find(&mut tx, &stored.user_id).await?.is_none() {
        return Err(ApiError::unknown_relation("user"));
    }
    match subject_tokens::insert(&mut tx, &stored).await {
        // The user was deleted meanwhile, by another node.
        Err(storage::Error::Missing) => return Err(ApiError::unknown_relation("user")),
        result => result?,
    }
    tx.audit(CREATED, details_of(&stored)).await?;
    tx.commit().await?;
    Ok(())
}

/// Checks that the caller may act for a user, before the transaction; returns what the commit compares again. A machine
/// with all of the Management API may act for everybody.
async fn check_impersonated(management: &Caller, user_id: &UserId) -> Result<Option<CheckedUser>, ApiError> {
    if management.person().is_none() && management.demand_administrator().is_ok() {
        return Ok(None);
    }
    let mut tx = management.read().await?;
    // Before what is checked: if that is newer, it is checked again.
    let revision = revisions::current(&mut tx).await?;
    let user = users::find(&mut tx, user_id).await?.ok_or_else(|| ApiError::unknown_relation("user"))?;
    check_user(management, &mut tx, user_id).await?;
    Ok(Some(CheckedUser { revision, user_revision: user.revision }))
}

/// Protects administrators: only machines with all of the Management API may impersonate them.
async fn check_user(management: &Caller, tx: &mut Tx, user_id: &UserId) -> Result<(), ApiError> {
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

/// Stores a new token, with its audit entry, and returns after the commit. `false` if what its user was checked by has
/// changed.
pub async fn write(app: &App, new: NewSubjectToken) -> Result<bool, ApiError> {
    match app.issuer.add_subject_token(new).await? {
        SubjectTokenWritten::Committed => Ok(true),
        SubjectTokenWritten::Stale => Ok(false),
        SubjectTokenWritten::UnknownUser => Err(ApiError::unknown_relation("user")),
    }
}

/// The details of the audit entry of a new token.
#[must_use]
pub fn details_of(stored: &SubjectToken) -> Value {
    json!({ "userId": stored.user_id, "subjectTokenId": stored.id, "context": *stored.context.value })
}

/// Revokes a live subject token: it cannot be exchanged any more.
///
/// What came of an exchange is an impersonation, which is ended under `/api/impersonations`.
#[utoipa::path(
    delete, path = "/api/subject-tokens/{id}", tag = "Subject tokens",
    params(("id" = String, Path, description = "The subject token's id; not the token")),
    responses(
        (status = 204, description = "Revoked"),
        AccessRefused,
        (status = 404, description = "No such subject token, or it is not live", body = ApiErrorBody),
    ),
)]
async fn revoke_subject_token(
    management: Management<SubjectTokensWrite>,
    Id(id): Id<SubjectTokenId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    let revoked = subject_tokens::revoke(&mut tx, &id, management.now()).await?;
    let token = revoked.ok_or_else(|| ApiError::nothing_to_delete("live subject token", &id))?;
    let details = json!({ "userId": token.user_id, "subjectTokenId": id, "context": *token.context.value });
    tx.audit(AuditKey::ManagementSubjectTokenRevoke, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
