//! Ends lock-outs before their time, for whoever administers users.

use super::attempts::{code_hash, factor_hash, hash};
use crate::accounts::wanted;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_storage::sessions::attempts;
use claimsmith_storage::users;
use claimsmith_storage::{self as storage, Tx};

/// Whatever this can be: a user name, an address or a number.
fn identifiers(target: &str) -> impl Iterator<Item = Identifier> {
    let kinds = [IdentifierType::Username, IdentifierType::Email, IdentifierType::Phone];
    kinds.into_iter().map(|kind| Identifier { kind, value: target.to_owned() })
}

/// The users who have this user name, address or number.
pub async fn holders(tx: &mut Tx, target: &str) -> storage::Result<Vec<UserId>> {
    let mut found = Vec::new();
    for identifier in identifiers(target) {
        let Some(wanted) = wanted(&identifier) else { continue };
        found.extend(users::find_identified(tx, &wanted).await?.map(|user| user.id));
    }
    Ok(found)
}

/// Forgets the failed attempts at a user name, an address or a number, and those at the second factors of its holders.
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
    }
    Ok(())
}
