//! Ends lock-outs before their time, for whoever administers users.

use super::attempts::{code_hash, factor_hash, hash};
use crate::accounts::wanted;
use crate::domain::identifier::{Identifier, IdentifierType};
use crate::domain::mfa::FactorType;
use crate::storage::sessions::attempts;
use crate::storage::users;
use crate::storage::{self, Tx};

/// Forgets the failed attempts at whatever this can be: a user name, an address or a number; and those at the second
/// factors of the user who has it.
pub(crate) async fn unlock(tx: &mut Tx, target: &str) -> storage::Result<()> {
    for kind in [IdentifierType::Username, IdentifierType::Email, IdentifierType::Phone] {
        let identifier = Identifier { kind, value: target.to_owned() };
        attempts::clear(tx, &hash(&identifier)).await?;
        attempts::clear(tx, &code_hash(&identifier)).await?;
        let Some(wanted) = wanted(&identifier) else { continue };
        let Some(user) = users::find_identified(tx, &wanted).await? else { continue };
        for factor in FactorType::ALL {
            for is_known in [false, true] {
                attempts::clear(tx, &factor_hash(factor, &user.id, is_known)).await?;
            }
        }
    }
    Ok(())
}
