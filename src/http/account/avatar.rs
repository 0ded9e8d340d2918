//! `POST /api/my-account/user-assets/avatar`.

use axum::Json;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_identity::own_account::avatar;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use claimsmith_web::extract::picture::PictureFile;
use serde_json::{Value, json};

/// Stores a picture for an hour; returns its URL, which `PATCH /api/my-account` then sets.
pub(super) async fn upload(account: OwnChange, file: PictureFile) -> Result<Json<Value>, ApiError> {
    account.demand("profile")?;
    // Checked before the picture is decoded, which is expensive.
    if !account.settings.fields.edits(Field::Avatar) {
        return Err(OwnAccountRefusal::FieldReadOnly.into());
    }
    let picture = file.decode(&account.owner.app, &account.owner.origin).await?;
    let url = avatar::upload(&account.owner, picture).await?;
    Ok(Json(json!({ "url": url })))
}
