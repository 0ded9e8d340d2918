//! Addresses and linked accounts of one's own account. Nobody takes the last way in from themselves.

use super::owner::Owner;
use super::proof;
use super::refusal::Refusal;
use super::settings::check_edited;
use crate::accounts::{Identifier, begin_update, refuse_last_way_in, unlink_identity, ways_in};
use crate::domain::account_center::Field;
use crate::storage::sign_in::experience;
use serde_json::json;

/// Removes the email address or the phone number.
pub(crate) async fn remove(owner: &Owner, which: Identifier) -> Result<(), Refusal> {
    let outcome = take(owner, which).await;
    owner.note("Account.User.RemoveIdentifier", outcome)
}

async fn take(owner: &Owner, which: Identifier) -> Result<(), Refusal> {
    let (field, name) = match which {
        Identifier::Username => (Field::Username, "username"),
        Identifier::Email => (Field::Email, "primaryEmail"),
        Identifier::Phone => (Field::Phone, "primaryPhone"),
    };
    let (mut work, before) = owner.begin().await?;
    check_edited(&mut work, &[field]).await?;
    proof::check(owner, &mut work).await?;
    let settings = experience::find(&mut work).await?;
    let held = ways_in(&mut work, &before, &settings).await?;
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    match which {
        Identifier::Username => update.user.username = None,
        Identifier::Email => update.user.primary_email = None,
        Identifier::Phone => update.user.primary_phone = None,
    }
    let user = update.user.clone();
    refuse_last_way_in(held, ways_in(update.work(), &user, &settings).await?, &settings)?;
    update.save("User.RemoveIdentifier", json!({ "identifier": name }), 204).await?;
    Ok(work.commit().await?)
}

/// Unlinks the account elsewhere.
pub(crate) async fn unlink(owner: &Owner, target: &str) -> Result<(), Refusal> {
    let outcome = take_identity(owner, target).await;
    owner.note("Account.User.UnlinkIdentity", outcome)
}

async fn take_identity(owner: &Owner, target: &str) -> Result<(), Refusal> {
    let (mut work, before) = owner.begin().await?;
    check_edited(&mut work, &[Field::Social]).await?;
    proof::check_if_possible(owner, &mut work, &before).await?;
    let settings = experience::find(&mut work).await?;
    let held = ways_in(&mut work, &before, &settings).await?;
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    unlink_identity(&mut update, target).await?;
    let user = update.user.clone();
    refuse_last_way_in(held, ways_in(update.work(), &user, &settings).await?, &settings)?;
    update.save("User.UnlinkIdentity", json!({ "target": target }), 204).await?;
    Ok(work.commit().await?)
}
