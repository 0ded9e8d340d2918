//! Failed attempts at the codes of one email address or phone number: counted over all codes that were sent there, so
//! that sending another code allows no further attempts.

use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::lockout::Limit;
use claimsmith_identity::interaction::attempts::code_hash;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_storage::sessions::attempts;
use claimsmith_storage::{self as storage, Tx};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;

const HOUR_MS: i64 = 3_600_000;
/// Ten attempts per hour, the default of the sign-in settings. Lockouts last an hour, and longer each time.
const LIMIT: Limit = Limit { failures: 10, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: 24 * HOUR_MS };

/// A counted attempt.
pub(super) struct Guess {
    hash: String,
}

impl Guess {
    /// Counts an attempt, before the code is compared.
    pub(super) async fn count(management: &Caller, identifier: &Identifier) -> Result<Self, ApiError> {
        let (hash, now) = (code_hash(identifier), management.now());
        let mut tx = management.begin().await?;
        let counted = attempts::count(&mut tx, &hash, LIMIT, now).await?;
        tx.commit().await?;
        if counted.exceed(LIMIT) {
            return Err(InteractionRefusal::Blocked(counted.expires_at - now).into());
        }
        Ok(Self { hash })
    }

    /// Records success: earlier attempts are forgotten.
    pub(super) async fn succeeded(&self, tx: &mut Tx) -> storage::Result<()> {
        attempts::clear(tx, &self.hash).await
    }

    /// Does not count an attempt for which there was no valid code to compare with.
    pub(super) async fn undo_failure(&self, management: &Caller) -> storage::Result<()> {
        let mut tx = management.begin().await?;
        attempts::undo_failure(&mut tx, &self.hash, LIMIT).await?;
        tx.commit().await
    }
}
