//! Linked accounts of a user at connectors.

use super::external::{self, ExternalIdentity};
use super::{AccountRefusal, UserUpdate};
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_storage::users;
use serde_json::Value;

/// Links an account to the user under change. Refuses an account of another user, and a second one at the connector.
pub async fn link_identity(update: &mut UserUpdate<'_>, identity: ExternalIdentity) -> Result<(), AccountRefusal> {
    let mut user = update.user.clone();
    external::link(update.work(), &mut user, identity).await?;
    update.user = user;
    Ok(())
}

/// Links an account to the user under change, replacing an existing one at the connector; returns whether there was
/// one. Refuses an account of another user.
pub async fn replace_identity(
    update: &mut UserUpdate<'_>,
    target: &str,
    account_id: &str,
    identity: Value,
) -> Result<bool, AccountRefusal> {
    let id = update.user.id.clone();
    if !users::identities::link(update.work(), &id, target, account_id).await? {
        return Err(AccountRefusal::IdentityTaken);
    }
    let mut linked = update.user.identities.as_object().cloned().unwrap_or_default();
    let is_replaced = linked.insert(target.to_owned(), identity).is_some();
    update.user.identities.0 = Value::Object(linked);
    Ok(is_replaced)
}

/// Unlinks the account at a target from the user under change.
pub async fn unlink_identity(update: &mut UserUpdate<'_>, target: &str) -> Result<(), AccountRefusal> {
    let mut linked = update.user.identities.as_object().cloned().unwrap_or_default();
    linked.remove(target).ok_or(AccountRefusal::UnknownIdentity)?;
    update.user.identities.0 = Value::Object(linked);
    let id = update.user.id.clone();
    Ok(users::identities::unlink(update.work(), &id, target).await?)
}

/// Unlinks the account at an enterprise connector from the user under change.
pub async fn unlink_company(update: &mut UserUpdate<'_>, connector_id: &SsoConnectorId) -> Result<(), AccountRefusal> {
    let id = update.user.id.clone();
    let is_unlinked = users::sso_identities::unlink(update.work(), &id, connector_id).await?;
    if is_unlinked { Ok(()) } else { Err(AccountRefusal::UnknownIdentity) }
}
