//! Finds the user of an entered identifier.

use super::current::CurrentInteraction;
use crate::accounts::wanted;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::username::written_as;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_storage::sessions::known_browsers;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, Tx};

/// The user of an identifier, and whether they have signed in in this browser before.
pub(super) async fn find(
    current: &CurrentInteraction,
    identifier: &Identifier,
) -> storage::Result<(Option<User>, bool)> {
    let mut tx = current.app.db.read().await?;
    let user = holder(&mut tx, identifier).await?;
    let is_known_here = is_known_here(current, &mut tx, user.as_ref()).await?;
    Ok((user, is_known_here))
}

/// The user who proves an entered identifier by a password.
pub(super) struct FoundByPassword {
    /// The identifier that the user has.
    pub identifier: Identifier,
    /// The user.
    pub user: Option<User>,
    /// Whether the user has signed in in this browser before.
    pub is_known_here: bool,
}

/// Like `find`, for a password. A username may be written like an email address or a phone number, see
/// `holder_by_name`. Nobody is found by an identifier that the settings do not accept with a password.
pub(super) async fn find_by_password(
    current: &CurrentInteraction,
    settings: &SignInExperience,
    entered: Identifier,
) -> storage::Result<FoundByPassword> {
    let mut tx = current.app.db.read().await?;
    let (identifier, user) = holder_by_name(&mut tx, entered).await?;
    let user = user.filter(|_| settings.sign_in.takes_password_of(identifier.kind));
    let is_known_here = is_known_here(current, &mut tx, user.as_ref()).await?;
    Ok(FoundByPassword { identifier, user, is_known_here })
}

/// The user of an entered identifier, and the identifier that the user has. A username that is written like an email
/// address or a phone number is found in either field, unless a user has that address or number.
pub(super) async fn holder_by_name(tx: &mut Tx, entered: Identifier) -> storage::Result<(Identifier, Option<User>)> {
    let written_as = written_as(&entered.value);
    let is_address = written_as != IdentifierType::Username;
    if !is_address || entered.kind != IdentifierType::Username && entered.kind != written_as {
        let user = holder(tx, &entered).await?;
        return Ok((entered, user));
    }
    for kind in [written_as, IdentifierType::Username] {
        let identifier = Identifier { kind, value: entered.value.clone() };
        if let Some(user) = holder(tx, &identifier).await? {
            return Ok((identifier, Some(user)));
        }
    }
    Ok((entered, None))
}

async fn holder(tx: &mut Tx, identifier: &Identifier) -> storage::Result<Option<User>> {
    match wanted(identifier) {
        Some(wanted) => users::find_identified(tx, &wanted).await,
        None => Ok(None),
    }
}

async fn is_known_here(current: &CurrentInteraction, tx: &mut Tx, user: Option<&User>) -> storage::Result<bool> {
    match (user, &current.browser.known_hash) {
        (Some(user), Some(hash)) => known_browsers::is_known(tx, hash, &user.id, current.app.clock.now_ms()).await,
        _ => Ok(false),
    }
}
