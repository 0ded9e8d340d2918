//! `PATCH` and `DELETE /api/hook-receivers/{id}`.

use super::{HookReceiverView, unknown};
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::HookReceiverId;
use claimsmith_domain::management::HooksWrite;
use claimsmith_storage::hooks::receivers;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// What a receiver is to answer.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "status": 503 }))]
pub(super) struct ChangeHookReceiver {
    #[schema(minimum = 200, maximum = 599)]
    status: i64,
}

/// Changes what a receiver answers from now on.
#[utoipa::path(
    patch, path = "/api/hook-receivers/{id}", tag = "Hooks", summary = "Change what a receiver answers",
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
    let status = super::check(body.status)?;
    let mut tx = management.begin().await?;
    let found = receivers::find(&mut tx, &id, management.now()).await?.ok_or_else(|| unknown(&id))?;
    receivers::set_status(&mut tx, &id, status).await?;
    tx.audit(AuditKey::ManagementHookReceiverUpdate, json!({ "hookReceiverId": id, "status": status })).await?;
    tx.commit().await?;
    Ok(Json(HookReceiverView::of(&management, receivers::HookReceiver { status, ..found })))
}

/// Deletes a receiver with its requests.
#[utoipa::path(
    delete, path = "/api/hook-receivers/{id}", tag = "Hooks", summary = "Delete a receiver",
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
