//! Linked accounts of a user at other providers.

use super::{Refusal, UserUpdate};
use crate::storage::users;
use serde_json::Value;

/// Takes a linked account from the user who is being changed.
pub(crate) async fn unlink_identity(update: &mut UserUpdate<'_>, target: &str) -> Result<(), Refusal> {
    let mut linked = update.user.identities.as_object().cloned().unwrap_or_default();
    linked.remove(target).ok_or(Refusal::UnknownIdentity)?;
    update.user.identities.0 = Value::Object(linked);
    let id = update.user.id.clone();
    Ok(users::identities::unlink(update.work(), &id, target).await?)
}
