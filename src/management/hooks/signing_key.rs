//! `PATCH /api/hooks/{id}/signing-key`.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_api::hooks::HookView;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::HookId;
use claimsmith_domain::management::{HooksWrite, Recent};
use claimsmith_services::webhooks::signing_key::{self, HookSigningKey};
use claimsmith_storage::hooks;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::{Caller, Management};
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// Maximum time that a replaced key keeps signing.
const MAX_KEY_OVERLAP: Duration = Duration::from_hours(30 * 24);

/// A new signing key for the hook with this id, encrypted.
pub(super) fn new_signing_key(management: &Caller, id: &HookId) -> Result<String, ApiError> {
    Ok(HookSigningKey::generate()?.encrypt(&management.app.cipher, id)?)
}

/// Gives a hook a new signing key.
///
/// The one before signs beside it for a while, a day unless configured otherwise, so that a receiver can change over;
/// to end that at once, renew it with an overlap of 0.
#[utoipa::path(
    patch, path = "/api/hooks/{id}/signing-key", tag = "Hooks",
    params(("id" = String, Path, description = "The hook"), RenewQuery),
    responses(
        (status = 200, description = "The hook, with its new signing key", body = HookView),
        (status = 400, description = "No such overlap", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn rotate_signing_key(
    management: Management<Recent<HooksWrite>>,
    Id(id): Id<HookId>,
    Filters(query): Filters<RenewQuery>,
) -> Result<Json<HookView>, ApiError> {
    let overlap =
        query.overlap.map_or(management.app.config.webhooks.key_overlap, |seconds| Duration::from_secs(seconds.into()));
    if overlap > MAX_KEY_OVERLAP {
        return Err(ApiError::invalid_input("query", "Error in key path \"overlap\": expected at most 30 days"));
    }
    let sealed = new_signing_key(&management, &id)?;
    let now = management.now();
    let until = now + i64::try_from(overlap.as_millis()).unwrap_or(i64::MAX);
    let mut tx = management.begin().await?;
    let mut hook = super::find_to_change(&mut tx, &id).await?;
    if overlap.is_zero() {
        hook.previous_keys.clear();
    }
    signing_key::renew(&mut hook, sealed, until, now);
    hooks::update(&mut tx, &hook).await?;
    tx.audit(AuditKey::ManagementHookRotateSigningKey, json!({ "hookId": id })).await?;
    tx.commit().await?;
    Ok(Json(super::view(&management, hook)?))
}

/// How a key is renewed.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RenewQuery {
    /// Seconds that the key before signs beside the new one, at most 30 days; 0 ends all keys before it at once.
    #[param(maximum = 2_592_000)]
    overlap: Option<u32>,
}
