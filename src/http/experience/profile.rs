//! `POST /api/experience/profile`.

use crate::domain::text::Text;
use crate::http::error::ApiError;
use crate::http::extract::interaction::InProgress;
use crate::http::extract::json::DeclaredJson;
use crate::interaction::profile;
use axum::http::StatusCode;
use serde::Deserialize;

/// What is given.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(super) enum Given {
    Username { value: Text<0, 1024> },
    Password { value: Text<1, 4096> },
}

/// Stages a user name or a password.
pub(super) async fn add(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Given>,
) -> Result<StatusCode, ApiError> {
    match body {
        Given::Username { value } => profile::add_username(&mut current, value.as_str()).await?,
        Given::Password { value } => profile::add_password(&mut current, value.as_str()).await?,
    }
    Ok(StatusCode::NO_CONTENT)
}
