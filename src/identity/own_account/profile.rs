//! Name, picture, username, custom data and profile of one's own account.

use super::owner::Owner;
use super::proof;
use super::refusal::OwnAccountRefusal;
use super::settings::{check_edited, of_sign_in};
use crate::accounts::{begin_update, refuse_last_sign_in_method, sign_in_means};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::sign_in_experience::username_check;
use claimsmith_domain::sign_in_means::SignInMeans;
use claimsmith_storage::Document as _;
use claimsmith_storage::users::User;
use serde_json::{Map, Value, json};

/// The fields to change; `None` leaves a field unchanged.
#[derive(Debug, Default)]
pub struct ProfileChange {
    /// The display name.
    pub name: Option<Option<String>>,
    /// An http or https URL.
    pub avatar: Option<Option<String>>,
    /// Needs a proof of identity, since it is used for sign-in.
    pub username: Option<Option<String>>,
    /// Replaces all custom data.
    pub custom_data: Option<Map<String, Value>>,
}

impl ProfileChange {
    fn fields(&self) -> Vec<Field> {
        let named = [
            (self.name.is_some(), Field::Name),
            (self.avatar.is_some(), Field::Avatar),
            (self.username.is_some(), Field::Username),
            (self.custom_data.is_some(), Field::CustomData),
        ];
        named.into_iter().filter(|(is_named, _)| *is_named).map(|(_, field)| field).collect()
    }
}

/// Changes the account; returns the user.
pub async fn change(owner: &Owner, change: ProfileChange) -> Result<User, OwnAccountRefusal> {
    let outcome = write(owner, change).await;
    owner.note(AuditKey::of_account(AuditOperation::UserUpdate), outcome)
}

async fn write(owner: &Owner, change: ProfileChange) -> Result<User, OwnAccountRefusal> {
    let fields = change.fields();
    let (mut work, before) = owner.begin().await?;
    check_edited(&mut work, &fields).await?;
    if change.username.is_some() {
        proof::check(owner, &mut work).await?;
    }
    let settings = of_sign_in(owner, &mut work).await?;
    if let Some(Some(username)) = &change.username {
        username_check::check(&settings.username_policy, username).map_err(InteractionRefusal::Username)?;
    }
    let held = sign_in_means(&mut work, &before, &settings).await?;
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    let now = update.work().now();
    let user = &mut update.user;
    if let Some(name) = change.name {
        user.name = name;
    }
    if let Some(avatar) = change.avatar {
        user.avatar = avatar;
    }
    if let Some(username) = change.username {
        refuse_last_sign_in_method(held, SignInMeans { username: username.is_some(), ..held }, &settings)?;
        user.username = username;
    }
    if let Some(data) = change.custom_data {
        user.custom_data.0 = Value::Object(data);
    }
    let after = User { updated_at: now, ..user.clone() };
    update.save(AuditOperation::UserUpdate, json!({ "keys": fields }), 200).await?;
    work.commit().await?;
    Ok(after)
}

/// Merges keys into the profile; returns the whole profile.
pub async fn merge(owner: &Owner, keys: Map<String, Value>) -> Result<Value, OwnAccountRefusal> {
    let outcome = write_profile(owner, keys).await;
    owner.note(AuditKey::of_account(AuditOperation::UserUpdateProfile), outcome)
}

async fn write_profile(owner: &Owner, keys: Map<String, Value>) -> Result<Value, OwnAccountRefusal> {
    let (mut work, _) = owner.begin().await?;
    check_edited(&mut work, &[Field::Profile]).await?;
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    let stored = &mut update.user.profile;
    if stored.is_unreadable() {
        return Err(OwnAccountRefusal::Unreadable);
    }
    let names: Vec<String> = keys.keys().cloned().collect();
    let mut merged = stored.as_object().cloned().unwrap_or_default();
    merged.extend(keys);
    let merged = Value::Object(merged);
    stored.0.clone_from(&merged);
    update.save(AuditOperation::UserUpdateProfile, json!({ "keys": names }), 200).await?;
    work.commit().await?;
    Ok(merged)
}
