//! `GET /api/my-account/export` and `DELETE /api/my-account`: all of one's data, and the end of the account.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::user_scope::SESSIONS;
use claimsmith_identity::own_account::{deletion, export as own_export};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use serde_json::Value;

/// The scopes of all that there is: what is shown, and what is gone.
const SCOPES: [&str; 7] = ["profile", "email", "phone", "address", "custom_data", "identities", SESSIONS];

/// Shows everything that is kept of the person.
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
