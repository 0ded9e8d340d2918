//! `/api/hook-receivers`: built-in receivers for testing webhooks.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::hook_receivers::{ChangeHookReceiver, CreateHookReceiver, HookReceiverView, ReceivedView};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::id::HookReceiverId;
use claimsmith_domain::management::{HooksRead, HooksWrite};
use claimsmith_services::app::App;
use claimsmith_services::webhooks::receivers::TOKEN_CHARS;
use claimsmith_storage::hooks::receivers::{self, HookReceiver, ReceivedRequest};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_hook_receiver, self::list_hook_receivers))
        .routes(routes!(self::change_hook_receiver, self::delete_hook_receiver))
        .routes(routes!(self::list_hook_receiver_requests))
}

fn view(caller: &Caller, receiver: HookReceiver) -> HookReceiverView {
    HookReceiverView {
        url: caller.app.delivery.receivers.url(&receiver.token),
        id: receiver.id,
        status: receiver.status,
        created_at: receiver.created_at,
        expires_at: receiver.expires_at,
    }
}

/// Refuses a status that a receiver cannot answer. 410 would disable the hook permanently.
fn check(status: i64) -> Result<i64, ApiError> {
    if (200..600).contains(&status) && status != 410 {
        return Ok(status);
    }
    Err(ApiError::invalid_input("body", "Error in key path \"status\": expected 200 to 599, and not 410"))
}

fn unknown(id: &HookReceiverId) -> ApiError {
    ApiError::not_found("hook receiver", id)
}

/// Lists the receivers that are there, newest first.
#[utoipa::path(
    get, path = "/api/hook-receivers", tag = "Hooks",
    responses((status = 200, description = "The receivers", body = Vec<HookReceiverView>), AccessRefused),
)]
pub(super) async fn list_hook_receivers(
    management: Management<HooksRead>,
) -> Result<Json<Vec<HookReceiverView>>, ApiError> {
    let found = receivers::list(&mut management.read().await?, management.now()).await?;
    Ok(Json(found.into_iter().map(|receiver| view(&management, receiver)).collect()))
}

/// Lifetime of a receiver: a day, in milliseconds.
const LIFETIME_MS: i64 = 86_400_000;
/// Maximum number of receivers: they are for testing.
const MAX_RECEIVERS: i64 = 10;
/// The default status of the response.
const DEFAULT_STATUS: i64 = 200;

/// Makes a receiver, which is there for a day and keeps the newest 50 requests.
#[utoipa::path(
    post, path = "/api/hook-receivers", tag = "Hooks",
    request_body = CreateHookReceiver,
    responses(
        (status = 201, description = "The receiver", body = HookReceiverView),
        BodyRefused, AccessRefused,
        (status = 422, description = "There are ten already", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_hook_receiver(
    management: Management<HooksWrite>,
    JsonBody(body): JsonBody<CreateHookReceiver>,
) -> Result<(StatusCode, Json<HookReceiverView>), ApiError> {
    let now = management.now();
    let receiver = HookReceiver {
        id: HookReceiverId::from(management.app.random.id(21)?),
        token: management.app.random.secret(TOKEN_CHARS)?,
        status: check(body.status.unwrap_or(DEFAULT_STATUS))?,
        created_at: now,
        expires_at: now + LIFETIME_MS,
    };
    let mut tx = management.begin().await?;
    if receivers::count(&mut tx, now).await? >= MAX_RECEIVERS {
        let message = format!("There are {MAX_RECEIVERS} receivers already: delete one first.");
        return Err(ApiError::new(ApiCode::HookReceiverTooMany, message));
    }
    receivers::insert(&mut tx, &receiver).await?;
    tx.audit(AuditKey::ManagementHookReceiverCreate, json!({ "hookReceiverId": receiver.id })).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view(&management, receiver))))
}

/// Changes what a receiver answers from now on.
#[utoipa::path(
    patch, path = "/api/hook-receivers/{id}", tag = "Hooks",
    params(("id" = String, Path, description = "The receiver")),
    request_body = ChangeHookReceiver,
    responses(
        (status = 200, description = "The receiver", body = HookReceiverView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such receiver", body = ApiErrorBody),
    ),
)]
pub(super) async fn change_hook_receiver(
    management: Management<HooksWrite>,
    Id(id): Id<HookReceiverId>,
    JsonBody(body): JsonBody<ChangeHookReceiver>,
) -> Result<Json<HookReceiverView>, ApiError> {
    let status = check(body.status)?;
    let mut tx = management.begin().await?;
    let found = receivers::find(&mut tx, &id, management.now()).await?.ok_or_else(|| unknown(&id))?;
    receivers::set_status(&mut tx, &id, status).await?;
    tx.audit(AuditKey::ManagementHookReceiverUpdate, json!({ "hookReceiverId": id, "status": status })).await?;
    tx.commit().await?;
    Ok(Json(view(&management, HookReceiver { status, ..found })))
}

/// Deletes a receiver with its requests.
#[utoipa::path(
    delete, path = "/api/hook-receivers/{id}", tag = "Hooks",
    params(("id" = String, Path, description = "The receiver")),
    responses(
        (status = 204, description = "It is gone"),
        AccessRefused,
        (status = 404, description = "No such receiver", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_hook_receiver(
    management: Management<HooksWrite>,
    Id(id): Id<HookReceiverId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !receivers::delete(&mut tx, &id).await? {
        return Err(unknown(&id));
    }
    tx.audit(AuditKey::ManagementHookReceiverDelete, json!({ "hookReceiverId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Headers of deliveries without secrets; others may have a secret that an operator set.
const HARMLESS: [&str; 10] = [
    "accept",
    "accept-encoding",
    "content-length",
    "content-type",
    "host",
    "logto-signature-sha-256",
    "user-agent",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
];

/// The headers, with `********` for values that may be secret.
fn without_secrets(mut headers: Vec<(String, String)>) -> Vec<(String, String)> {
    for (_, value) in headers.iter_mut().filter(|(name, _)| !HARMLESS.contains(&name.as_str())) {
        HIDDEN.clone_into(value);
    }
    headers
}

/// `may_write`: whether the caller may change hooks, and therefore see their headers.
fn received(request: ReceivedRequest, may_write: bool) -> ReceivedView {
    // One unreadable row must not hide the others.
    let headers = serde_json::from_value(request.headers.0).unwrap_or_default();
    ReceivedView {
        id: request.id,
        received_at: request.received_at,
        headers: if may_write { headers } else { without_secrets(headers) },
        body: request.body,
        status: request.status,
        hook_id: request.hook_id,
        is_signature_valid: request.is_signature_valid,
    }
}

/// Lists the newest 50 requests that came to a receiver, newest first.
#[utoipa::path(
    get, path = "/api/hook-receivers/{id}/requests", tag = "Hooks",
    params(("id" = String, Path, description = "The receiver")),
    responses(
        (status = 200, description = "The requests", body = Vec<ReceivedView>),
        AccessRefused,
        (status = 404, description = "No such receiver", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_hook_receiver_requests(
    management: Management<HooksRead>,
    Id(id): Id<HookReceiverId>,
) -> Result<Json<Vec<ReceivedView>>, ApiError> {
    let mut tx = management.read().await?;
    receivers::find(&mut tx, &id, management.now()).await?.ok_or_else(|| unknown(&id))?;
    let may_write = management.holds::<HooksWrite>();
    let found = receivers::requests(&mut tx, &id).await?.into_iter();
    Ok(Json(found.map(|request| received(request, may_write)).collect()))
}
