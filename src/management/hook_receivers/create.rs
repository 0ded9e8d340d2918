//! `POST /api/hook-receivers`.

use super::HookReceiverView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::HookReceiverId;
use claimsmith_domain::management::HooksWrite;
use claimsmith_json::present;
use claimsmith_services::webhooks::receivers::TOKEN_CHARS;
use claimsmith_storage::hooks::receivers::{self, HookReceiver};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// Lifetime of a receiver: a day, in milliseconds.
const LIFETIME_MS: i64 = 86_400_000;
/// Maximum number of receivers: they are for testing.
const MAX_RECEIVERS: i64 = 10;
/// The default status of the response.
const DEFAULT_STATUS: i64 = 200;

/// A new receiver.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "status": 503 }))]
pub(super) struct CreateHookReceiver {
    /// What it answers, 200 when not given. Another one than 2xx shows how deliveries are retried.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = i64, required = false, minimum = 200, maximum = 599)]
    status: Option<i64>,
}

/// Makes a receiver, which is there for a day and keeps the newest 50 requests.
#[utoipa::path(
    post, path = "/api/hook-receivers", tag = "Hooks", summary = "Create a receiver to try hooks out",
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
        status: super::check(body.status.unwrap_or(DEFAULT_STATUS))?,
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
    Ok((StatusCode::CREATED, Json(HookReceiverView::of(&management, receiver))))
}
