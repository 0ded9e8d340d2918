//! `POST /api/my-account/password`.

use axum::http::StatusCode;
use claimsmith_domain::documents::text::Text;
use claimsmith_identity::own_account::password;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use claimsmith_web::extract::json::JsonBody;
use serde::Deserialize;

/// The new password.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct NewPassword {
    password: Text<1, 4096>,
}

/// Sets the password.
pub(super) async fn set(account: OwnChange, JsonBody(body): JsonBody<NewPassword>) -> Result<StatusCode, ApiError> {
    password::set(&account.owner, body.password.as_str()).await?;
    Ok(StatusCode::NO_CONTENT)
}
