//! Known browsers, in which a user has signed in before: failed attempts elsewhere do not lock the user out there.

use super::session::Error;
use claimsmith_domain::id::UserId;
use claimsmith_domain::random::Random;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::known_browsers;

/// Lifetime of a known browser after the last sign-in: 180 days, in milliseconds.
pub const LIFETIME_MS: i64 = 180 * 24 * 3_600_000;

/// Remembers the browser; returns its new cookie. The previous cookie, which may have been planted, becomes invalid.
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
