//! Finds the user of an entered identifier.

use super::current::CurrentInteraction;
use crate::accounts::wanted;
use claimsmith_domain::identifier::Identifier;
use claimsmith_storage as storage;
use claimsmith_storage::sessions::known_browsers;
use claimsmith_storage::users::{self, User};

/// The user of an identifier, and whether they have signed in in this browser before.
pub(super) async fn find(
    current: &CurrentInteraction,
    identifier: &Identifier,
) -> storage::Result<(Option<User>, bool)> {
    let mut tx = current.app.db.read().await?;
    let user = match wanted(identifier) {
        Some(wanted) => users::find_identified(&mut tx, &wanted).await?,
        None => None,
    };
    let is_known_here = match (&user, &current.browser.known_hash) {
        (Some(user), Some(hash)) => {
            known_browsers::is_known(&mut tx, hash, &user.id, current.app.clock.now_ms()).await?
        }
        _ => false,
    };
    Ok((user, is_known_here))
}
