//! `/api/users/{userId}/custom-data` and `/api/users/{userId}/profile`: their keys are merged, one level deep.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_api::users::{MergeCustomData, MergeProfile};
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts;
use claimsmith_storage::Document as _;
use claimsmith_storage::users::User;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::{Map, Value, json};

/// Shows the custom data of a user.
#[utoipa::path(
    get, path = "/api/users/{userId}/custom-data", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The custom data", body = Object,
            example = json!({ "plan": "gold" })),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_custom_data(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(super::find(&mut management.read().await?, &id).await?.custom_data.0))
}

/// Merges custom data into that of a user.
#[utoipa::path(
    patch, path = "/api/users/{userId}/custom-data", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = MergeCustomData,
    responses(
        (status = 200, description = "The custom data as it is now", body = Object,
            example = json!({ "plan": "gold" })),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn merge_custom_data(
    management: Management<UsersWrite>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<MergeCustomData>,
) -> Result<Json<Value>, ApiError> {
    merge(&management, &id, |user| &mut user.custom_data.0, body.custom_data).await
}

/// Merges a profile into that of a user.
#[utoipa::path(
    patch, path = "/api/users/{userId}/profile", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = MergeProfile,
    responses(
        (status = 200, description = "The profile as it is now", body = Object,
            example = json!({ "givenName": "Ada", "familyName": "Lovelace", "locale": "en-GB" })),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn merge_profile(
    management: Management<UsersWrite>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<MergeProfile>,
) -> Result<Json<Value>, ApiError> {
    merge(&management, &id, |user| &mut user.profile.0, body.profile.into()).await
}

async fn merge(
    management: &Caller,
    id: &UserId,
    part: fn(&mut User) -> &mut Value,
    keys: Map<String, Value>,
) -> Result<Json<Value>, ApiError> {
    let mut tx = management.begin().await?;
    let mut update = accounts::begin_update(&mut tx, id).await?;
    privilege_guard::check_user(management, update.work(), id).await?;
    let stored = part(&mut update.user);
    if stored.is_unreadable() {
        return Err(ApiError::unreadable("document"));
    }
    let names: Vec<String> = keys.keys().cloned().collect();
    let mut merged = stored.as_object().cloned().unwrap_or_default();
    merged.extend(keys);
    let merged = Value::Object(merged);
    stored.clone_from(&merged);
    update.save_part(AuditOperation::UserUpdate, json!({ "keys": names }), &merged).await?;
    tx.commit().await?;
    Ok(Json(merged))
}
