//! Limits of guessing passwords: failures of an hour are counted for each identifier and for each address. An attempt
//! counts before its digest is computed, and is taken back when it succeeds.

use super::refusal::Refusal;
use crate::app::App;
use crate::domain::client_address;
use crate::domain::fold::fold;
use crate::domain::interaction::{Identifier, IdentifierType};
use crate::domain::phone::international;
use crate::domain::sign_in_experience::protection::SentinelPolicy;
use crate::storage::sessions::attempts::{self, Counted, Limit};
use crate::storage::{self, Tx};
use crate::tokens;
use std::net::IpAddr;

/// Failures of an identifier where nobody said how many.
const DEFAULT_FAILURES: u32 = 10;
/// Minutes of a lock-out where nobody said how many.
const DEFAULT_LOCKOUT_MINUTES: u32 = 60;
/// Failures of all identifiers from one address within an hour.
const ADDRESS_LIMIT: Limit = Limit { failures: 100, lockout_ms: 3_600_000 };

/// An attempt that was counted and may go on.
pub(super) struct Attempt {
    address: Option<String>,
    identifier: Option<String>,
    is_last: bool,
}

/// Counts an attempt. `identifier` is left out for whoever is known in this browser: nobody else's failures lock them
/// out of it.
pub(super) async fn count(
    app: &App,
    policy: &SentinelPolicy,
    identifier: Option<&Identifier>,
    address: Option<IpAddr>,
) -> Result<Attempt, Refusal> {
    let number = |given: Option<u32>, default| i64::from(given.unwrap_or(default));
    let minutes = number(policy.lockout_duration.map(u32::from), DEFAULT_LOCKOUT_MINUTES);
    let failures = number(policy.max_attempts.map(u32::from), DEFAULT_FAILURES);
    let limit = Limit { failures, lockout_ms: minutes * 60_000 };
    let address = address.map(|address| tokens::hash(&format!("address:{}", client_address::share(address))));
    let identifier = identifier.map(hash);
    // The address first: once it is blocked, nothing from there counts against anybody.
    let counted = [(&address, ADDRESS_LIMIT), (&identifier, limit)];
    let counted = counted.into_iter().filter_map(|(hash, limit)| Some((hash.as_deref()?, limit)));
    let failures = count_each(app, counted).await?;
    let is_last = identifier.is_some() && failures == Some(limit.failures);
    Ok(Attempt { address, identifier, is_last })
}

/// Counts an attempt under each of these hashes, in their order, until a limit is passed. Answers the failures of the
/// last one.
pub(super) async fn count_each<'h>(
    app: &App,
    counted: impl Iterator<Item = (&'h str, Limit)>,
) -> Result<Option<i64>, Refusal> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let mut last = None;
    for (hash, limit) in counted {
        let Counted { failures, expires_at } = attempts::count(&mut tx, hash, limit, now).await?;
        if failures > limit.failures {
            tx.commit().await?;
            return Err(Refusal::Blocked(expires_at - now));
        }
        last = Some(failures);
    }
    tx.commit().await?;
    Ok(last)
}

impl Attempt {
    /// Whether its failure locks the identifier.
    pub(super) fn locks(&self) -> bool {
        self.is_last
    }

    /// It succeeded: the identifier's failures are forgotten.
    pub(super) async fn succeeded(&self, tx: &mut Tx) -> storage::Result<()> {
        if let Some(hash) = &self.address {
            attempts::take_back(tx, hash).await?;
        }
        if let Some(hash) = &self.identifier {
            attempts::clear(tx, hash).await?;
        }
        Ok(())
    }

    /// Nothing was tried.
    pub(super) async fn take_back(&self, app: &App) -> storage::Result<()> {
        let mut tx = app.db.begin().await?;
        for hash in [&self.address, &self.identifier].into_iter().flatten() {
            attempts::take_back(&mut tx, hash).await?;
        }
        tx.commit().await
    }
}

/// What is counted of an identifier, however it is written.
fn hash(identifier: &Identifier) -> String {
    let value = match identifier.kind {
        IdentifierType::Phone => international(&identifier.value).unwrap_or_else(|| identifier.value.clone()),
        IdentifierType::Username | IdentifierType::Email => fold(&identifier.value),
    };
    tokens::hash(&format!("{}:{value}", identifier.kind.name()))
}
