//! Ends lockouts early, for administrators of users.

use super::attempts::{GuessedSecret, code_hash, factor_hash, hash, owner_hash};
use crate::accounts::wanted;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_storage::sessions::attempts;
use claimsmith_storage::users;
use claimsmith_storage::{self as storage, Tx};

/// The possible identifiers of a text: a username, an email address or a phone number.
fn identifiers(target: &str) -> impl Iterator<Item = Identifier> {
    let kinds = [IdentifierType::Username, IdentifierType::Email, IdentifierType::Phone];
    kinds.into_iter().map(|kind| Identifier { kind, value: target.to_owned() })
}

/// The users with this username, email address or phone number.
pub async fn holders(tx: &mut Tx, target: &str) -> storage::Result<Vec<UserId>> {
    let mut found = Vec::new();
    for identifier in identifiers(target) {
        let Some(wanted) = wanted(&identifier) else { continue };
        found.extend(users::find_identified(tx, &wanted).await?.map(|user| user.id));
    }
    Ok(found)
}

/// Clears the failed attempts at a username, an email address or a phone number, and those of its holders at their second
/// factors, at their own account and at confirming their identity.
pub async fn unlock(tx: &mut Tx, target: &str, holders: &[UserId]) -> storage::Result<()> {
    for identifier in identifiers(target) {
        attempts::clear(tx, &hash(&identifier)).await?;
        attempts::clear(tx, &code_hash(&identifier)).await?;
    }
    for user_id in holders {
        for factor in FactorType::ALL {
            for is_known in [false, true] {
                attempts::clear(tx, &factor_hash(factor, user_id, is_known)).await?;
            }
        }
        for guessed in [GuessedSecret::Password, GuessedSecret::Code] {
            for is_known in [false, true] {
                attempts::clear(tx, &owner_hash(guessed, user_id, is_known)).await?;
            }
        }
    }
    Ok(())
}
