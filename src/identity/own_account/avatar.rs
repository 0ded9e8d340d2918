//! The user's own picture: the API uploads it to be chosen afterwards, the page chooses it at once.

use super::owner::Owner;
use super::refusal::OwnAccountRefusal;
use super::settings::check_edited;
use crate::accounts::{Uploader, begin_update, keep_avatar};
use crate::interaction::rows::{self, RowCaller};
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::avatar::address;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_services::pictures::Picture;
use serde_json::json;

/// Stores a picture; returns its URL, which is still to be chosen.
pub async fn upload(owner: &Owner, picture: Picture) -> Result<String, OwnAccountRefusal> {
    let outcome = keep(owner, picture).await;
    owner.note(AuditKey::of_account(AuditOperation::UserUploadAvatar), outcome)
}

async fn keep(owner: &Owner, picture: Picture) -> Result<String, OwnAccountRefusal> {
    let caller = RowCaller { user_id: Some(&owner.user_id), client_id: owner.application_id() };
    rows::take(&owner.app, RowKind::Pictures, &owner.origin, caller, picture.bytes.len())?;
    let (mut work, _) = owner.begin().await?;
    check_edited(&mut work, &[Field::Avatar]).await?;
    let id = keep_avatar(&mut work, Uploader::User(&owner.user_id), picture).await?;
    let key = work.key(AuditOperation::UserUploadAvatar);
    work.audit(key, json!({ "userId": owner.user_id })).await?;
    work.commit().await?;
    Ok(address(owner.app.config.server.base_url.as_str(), &id))
}

/// Stores a picture, and chooses it.
pub async fn set(owner: &Owner, picture: Picture) -> Result<(), OwnAccountRefusal> {
    let outcome = write(owner, picture).await;
    owner.note(AuditKey::of_account(AuditOperation::UserUpdate), outcome)
}

async fn write(owner: &Owner, picture: Picture) -> Result<(), OwnAccountRefusal> {
    let (mut work, _) = owner.begin().await?;
    check_edited(&mut work, &[Field::Avatar]).await?;
    let id = keep_avatar(&mut work, Uploader::User(&owner.user_id), picture).await?;
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    update.user.avatar = Some(address(owner.app.config.server.base_url.as_str(), &id));
    update.save(AuditOperation::UserUpdate, json!({ "keys": [Field::Avatar] }), 200).await?;
    Ok(work.commit().await?)
}
