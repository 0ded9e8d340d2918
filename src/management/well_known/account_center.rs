//! `GET /api/.well-known/account-center` and `/.well-known/webauthn`: the settings of users' own accounts, for custom
//! pages.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use claimsmith_services::app::App;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;
use claimsmith_web::error::ApiError;
use serde_json::{Value, json};

/// Shows the settings of people's own accounts: those of `/api/account-center`.
#[utoipa::path(
    get, path = "/api/.well-known/account-center", tag = "Well-known",
    summary = "Show the settings of people's own accounts",
    responses(
        (status = 200, description = "The settings", body = Object, example = json!({
            "tenantId": "default", "id": "default", "enabled": true, "fields": { "name": "Edit" },
            "webauthnRelatedOrigins": [], "deleteAccountUrl": null, "customCss": null, "profileFields": null
        })),
        (status = 304, description = "They are as `If-None-Match` says"),
    ),
)]
pub(super) async fn show_public_account_center(State(app): State<App>) -> Result<Response, ApiError> {
    let settings = ACCOUNT_CENTER.find(&mut app.db.read().await?).await?;
    let mut body = json!({ "tenantId": TENANT, "id": "default" });
    if let (Some(members), Value::Object(settings)) = (body.as_object_mut(), serde_json::to_value(settings)?) {
        members.extend(settings);
    }
    Ok(Json(body).into_response())
}

/// Shows the origins that may use the passkeys of this server (`WebAuthn` section 5.11, related origin requests).
pub(super) async fn show_related_origins(State(app): State<App>) -> Result<Response, ApiError> {
    let settings = ACCOUNT_CENTER.find(&mut app.db.read().await?).await?;
    Ok(Json(json!({ "origins": settings.webauthn_related_origins })).into_response())
}
