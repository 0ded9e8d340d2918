//! `GET /api/my-account/export` and `DELETE /api/my-account`: export of all data, and deletion of the account.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::user_scope::SESSIONS;
use claimsmith_identity::own_account::{deletion, export as own_export};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use serde_json::Value;

/// All scopes of the Account API: required to export and to delete everything.
const SCOPES: [&str; 7] = ["profile", "email", "phone", "address", "custom_data", "identities", SESSIONS];

/// Exports all stored data of the user.
pub(super) async fn export(account: OwnChange) -> Result<Json<Value>, ApiError> {
    for scope in SCOPES {
        account.demand(scope)?;
    }
    Ok(Json(own_export::export(&account.owner).await?))
}

/// Deletes the account.
pub(super) async fn delete(account: OwnChange) -> Result<StatusCode, ApiError> {
    for scope in SCOPES {
        account.demand(scope)?;
    }
    deletion::delete(&account.owner).await?;
    Ok(StatusCode::NO_CONTENT)
}
