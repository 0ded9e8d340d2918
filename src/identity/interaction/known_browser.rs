//! Browsers in which somebody has signed in before: nobody else's failed attempts lock them out there.

use super::session::Error;
use claimsmith_domain::id::UserId;
use claimsmith_domain::random::Random;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::known_browsers;

/// How long a browser is remembered after the last sign-in: 180 days, in milliseconds.
pub const LIFETIME_MS: i64 = 180 * 24 * 3_600_000;

/// Remembers the browser; answers its new cookie. One that was planted before is known no more.
pub(super) async fn remember(
    work: &mut UnitOfWork,
    random: &Random,
    known_hash: Option<&str>,
    user_id: &UserId,
) -> Result<String, Error> {
    let (cookie, expires_at) = (random.secret(43)?, work.now() + LIFETIME_MS);
    let hash = tokens::hash(&cookie);
    if let Some(old) = known_hash {
        known_browsers::rename(work, old, &hash).await?;
    }
    known_browsers::remember(work, &hash, user_id, expires_at).await?;
    Ok(cookie)
}
