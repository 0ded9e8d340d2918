//! The signing key of a hook: 32 random characters, sealed at rest, and in the open only where deliveries are signed
//! and where the Management API shows it.

use crate::seal::{SealBox, SealError};
use crate::storage::hooks::{self, Hook};
use crate::storage::{Slice, Tx};

const TABLE: &str = "hooks";

/// Why signing keys were not sealed anew.
#[derive(Debug, thiserror::Error)]
pub enum RekeyError {
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] crate::storage::Error),
    /// One did not open.
    #[error(transparent)]
    Seal(#[from] SealError),
}

/// Seals the key of the hook of this id.
pub fn seal(seal: &SealBox, hook_id: &str, key: &str) -> Result<String, SealError> {
    seal.seal(TABLE, hook_id, key.as_bytes())
}

/// The key in the open.
pub fn open(seal: &SealBox, hook: &Hook) -> Result<String, SealError> {
    let key = seal.open(TABLE, &hook.id, &hook.signing_key)?;
    std::str::from_utf8(&key).map(str::to_owned).map_err(|_| SealError::Damaged)
}

/// Seals every key anew under the current encryption key, and answers how many there were.
pub async fn rekey(tx: &mut Tx, sealing: &SealBox) -> Result<usize, RekeyError> {
    let hooks = hooks::list(tx, Slice::ALL).await?;
    let count = hooks.len();
    for hook in hooks {
        let signing_key = seal(sealing, &hook.id, &open(sealing, &hook)?)?;
        hooks::update(tx, &Hook { signing_key, ..hook }).await?;
    }
    Ok(count)
}
