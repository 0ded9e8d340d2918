//! `POST /api/experience/user-assets/avatar`.

use axum::Json;
use claimsmith_identity::interaction::avatar;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::picture::PictureFile;
use serde_json::{Value, json};

/// Stores a picture of a user who registers, for an hour; returns its URL, which their profile then sets.
pub(super) async fn upload(InProgress(mut current): InProgress, file: PictureFile) -> Result<Json<Value>, ApiError> {
    avatar::check_registers(&current)?;
    let picture = file.decode(&current.app, &current.browser.origin).await?;
    let url = avatar::upload(&mut current, picture).await?;
    Ok(Json(json!({ "url": url })))
}
