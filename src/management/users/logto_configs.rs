//! `/api/users/{userId}/logto-configs`: a user's settings for second factors and passkeys.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::user_settings::{SettingsChange, UserSettings};
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts::{self, user_fields};
use claimsmith_services::webhooks::Event;
use claimsmith_storage::users;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Shows what a user chose about second factors and passkeys.
#[utoipa::path(
    get, path = "/api/users/{userId}/logto-configs", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The settings", body = UserSettings),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_user_settings(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<UserSettings>, ApiError> {
    let settings = users::settings::find(&mut management.read().await?, &id).await?;
    Ok(Json(settings.ok_or_else(|| ApiError::unknown_user(&id))?))
}

/// Changes what a user chose about second factors and passkeys; what is left out stays.
#[utoipa::path(
    patch, path = "/api/users/{userId}/logto-configs", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = SettingsChange,
    responses(
        (status = 200, description = "The settings", body = UserSettings),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn change_user_settings(
    management: Management<UsersWrite>,
    Id(id): Id<UserId>,
    JsonBody(change): JsonBody<SettingsChange>,
) -> Result<Json<UserSettings>, ApiError> {
    let now = management.now();
    let mut tx = management.begin().await?;
    let mut user = users::find_to_change(&mut tx, &id).await?.ok_or_else(|| ApiError::unknown_user(&id))?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    let settings = accounts::change_settings(&mut tx, &id, |settings| settings.apply(&change)).await?;
    tx.audit(AuditKey::ManagementUserChangeSettings, json!({ "userId": id })).await?;
    user.updated_at = now;
    let event = Event::new(EventType::UserDataUpdated, StatusCode::OK).data(&user_fields(user))?;
    tx.emit_aside(&event).await?;
    tx.commit().await?;
    Ok(Json(settings))
}
