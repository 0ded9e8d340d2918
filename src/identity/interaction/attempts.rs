//! Limits of guessing: failures of an hour are counted for each identifier and for each address, failures of a minute in
//! all. An attempt counts before its digest is computed, and is taken back when it succeeds. When too many fail in all,
//! known browsers and addresses without failures go on: what others do from elsewhere locks nobody out.

use super::refusal::InteractionRefusal;
use claimsmith_domain::client_address;
use claimsmith_domain::clock::Beginning;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::protection::SentinelPolicy;
use claimsmith_domain::id::UserId;
use claimsmith_domain::interaction::Identifier;
use claimsmith_domain::lockout::{Failures, Limit};
use claimsmith_services::app::App;
use claimsmith_services::passwords::HashTicket;
use claimsmith_services::tokens;
use claimsmith_storage::sessions::attempts;
use claimsmith_storage::{self as storage, Tx, users};
use std::net::IpAddr;

/// Failures of an identifier where nobody said how many.
const DEFAULT_FAILURES: u32 = 10;
/// Minutes of a lock-out where nobody said how many.
const DEFAULT_LOCKOUT_MINUTES: u32 = 60;
const HOUR_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;
/// The longest lock-out of an identifier, unless the settings ask for more.
const MAX_LOCKOUT_MS: i64 = 24 * HOUR_MS;
/// Failures of all identifiers from one address. Its lock-outs do not grow: many people may be behind it.
const ADDRESS_LIMIT: Limit =
    Limit { failures: 100, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: HOUR_MS };
/// Codes that are sent for one address. Many people may be behind it.
const SENDS_LIMIT: Limit =
    Limit { failures: 300, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: HOUR_MS };
/// What all failures are counted under.
const ALL: &str = "all";
/// How long somebody waits who tries faster than this node lets an address try.
const PAUSE_MS: i64 = 1000;

/// An attempt that was counted and may go on.
pub(crate) struct SignInAttempt {
    /// The networks of the address, with the limit of each.
    networks: Vec<(String, Limit)>,
    identifier: Option<String>,
    /// Of the identifier.
    limit: Limit,
    is_last: bool,
    client: Option<IpAddr>,
    begun: Beginning,
}

/// What somebody proves at their own account, and may guess.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guessed {
    /// Their password.
    Password,
    /// A code that was sent.
    Code,
}

impl Guessed {
    fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Code => "code",
        }
    }
}

/// Counts an attempt. `identifier` is left out for whoever is known in this browser: nobody else's failures lock them
/// out of it.
pub(crate) async fn count(
    app: &App,
    policy: &SentinelPolicy,
    identifier: Option<&Identifier>,
    address: Option<IpAddr>,
) -> Result<SignInAttempt, InteractionRefusal> {
    count_under(app, policy, identifier.map(hash), identifier.is_some(), address).await
}

/// Counts an attempt of somebody who is at their own account: whoever guesses there does not lock the user out of sign-in,
/// nor the other way round. In browsers in which they have signed in before (`is_known`), failures are counted by
/// themselves. So are passwords and codes: whoever gets a code to an address of their own guesses no more passwords.
pub(crate) async fn count_owner(
    app: &App,
    policy: &SentinelPolicy,
    (guessed, user_id): (Guessed, &UserId),
    is_known: bool,
    address: Option<IpAddr>,
) -> Result<SignInAttempt, InteractionRefusal> {
    let (kind, place) = (guessed.name(), if is_known { "known" } else { "" });
    let counted = tokens::hash(&format!("account:{kind}:{user_id}:{place}"));
    count_under(app, policy, Some(counted), false, address).await
}

/// Counts an attempt at a second factor of a user. In browsers in which they have signed in before (`is_known`),
/// failures are counted by themselves: whoever fails elsewhere with their password does not lock them out of these.
pub(super) async fn count_factor(
    app: &App,
    policy: &SentinelPolicy,
    kind: FactorType,
    user_id: &UserId,
    is_known: bool,
    address: Option<IpAddr>,
) -> Result<SignInAttempt, InteractionRefusal> {
    let counted = factor_hash(kind, user_id, is_known);
    count_under(app, policy, Some(counted), !is_known, address).await
}

/// What is counted of a second factor of a user: once for all browsers that are known, whose cookies change with each
/// sign-in, and once for all others.
pub(super) fn factor_hash(kind: FactorType, user_id: &UserId, is_known: bool) -> String {
    tokens::hash(&format!("factor:{}:{user_id}:{}", kind.as_str(), if is_known { "known" } else { "" }))
}

/// Counts a code that is asked for from an address: whoever asks for many, to however many people, gets no more.
pub(crate) async fn count_send(app: &App, address: Option<IpAddr>) -> Result<(), InteractionRefusal> {
    let counted = of_networks("sends:", address, SENDS_LIMIT);
    match count_each(app, counted.iter().map(|(hash, limit)| (hash.as_str(), *limit))).await {
        Err(InteractionRefusal::Blocked(_)) => Err(InteractionRefusal::MessagesLimited),
        other => other.map(drop),
    }
}

/// Counts an attempt under a hash, and under that of the address. `is_limited_in_all`: whether it waits when too many
/// fail in all.
async fn count_under(
    app: &App,
    policy: &SentinelPolicy,
    identifier: Option<String>,
    is_limited_in_all: bool,
    address: Option<IpAddr>,
) -> Result<SignInAttempt, InteractionRefusal> {
    let number = |given: Option<u32>, default| i64::from(given.unwrap_or(default));
    let minutes = number(policy.lockout_duration.map(u32::from), DEFAULT_LOCKOUT_MINUTES);
    let failures = number(policy.max_attempts.map(u32::from), DEFAULT_FAILURES);
    let lockout_ms = minutes * MINUTE_MS;
    let limit = Limit { failures, window_ms: HOUR_MS, lockout_ms, longest_lockout_ms: MAX_LOCKOUT_MS };
    let (begun, now) = (app.clock.begin(), app.clock.now_ms());
    if !app.sign_in_attempts.admits(address, now) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS));
    }
    let (client, networks) = (address, of_networks("address:", address, ADDRESS_LIMIT));
    if is_limited_in_all {
        let max = app.config.sessions.max_failed_sign_ins_per_minute;
        check_all(app, ALL, max, (&networks, ADDRESS_LIMIT)).await?;
    }
    // The address first: once it is blocked, nothing from there counts against anybody.
    let counted =
        networks.iter().map(|(hash, limit)| (hash, *limit)).chain(identifier.iter().map(|hash| (hash, limit)));
    let failures = count_each(app, counted.map(|(hash, limit)| (hash.as_str(), limit))).await?;
    let is_last = identifier.is_some() && failures == Some(limit.failures);
    Ok(SignInAttempt { networks, identifier, limit, is_last, client, begun })
}

/// What is counted of an address: each network that it is in, with its limit. `what` says what is counted.
pub(super) fn of_networks(what: &str, address: Option<IpAddr>, limit: Limit) -> Vec<(String, Limit)> {
    let networks = address.into_iter().flat_map(client_address::networks);
    networks.map(|one| (tokens::hash(&format!("{what}{one}")), limit.times(one.shares().into()))).collect()
}

/// Refuses an attempt while too many have failed in all (under the hash `all`), unless nothing has failed from its
/// networks: one failure at most for each client's share. `one` is the limit of one client.
pub(super) async fn check_all(
    app: &App,
    all: &str,
    max: i64,
    (networks, one): (&[(String, Limit)], Limit),
) -> Result<(), InteractionRefusal> {
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let failed = attempts::find(&mut tx, all).await?;
    if failed.now(now) < max {
        return Ok(());
    }
    let mut is_clean = !networks.is_empty();
    for (hash, limit) in networks {
        let shares = limit.failures / one.failures;
        is_clean &= attempts::find(&mut tx, hash).await?.now(now) < shares;
    }
    if is_clean { Ok(()) } else { Err(InteractionRefusal::Blocked(failed.expires_at - now)) }
}

/// Counts an attempt under each of these hashes, in their order, until a limit is passed. Answers the failures of the
/// last one.
pub(super) async fn count_each<'h>(
    app: &App,
    counted: impl Iterator<Item = (&'h str, Limit)>,
) -> Result<Option<i64>, InteractionRefusal> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let mut last = None;
    for (hash, limit) in counted {
        let Failures { failures, expires_at, .. } = attempts::count(&mut tx, hash, limit, now).await?;
        if failures > limit.failures {
            tx.commit().await?;
            return Err(InteractionRefusal::Blocked(expires_at - now));
        }
        last = Some(failures);
    }
    tx.commit().await?;
    Ok(last)
}

impl SignInAttempt {
    /// Whether its failure locks the identifier.
    pub(crate) fn locks(&self) -> bool {
        self.is_last
    }

    /// To verify the password of this attempt, which is counted.
    pub(crate) fn ticket(&self) -> HashTicket {
        HashTicket::of_attempt(self.client)
    }

    /// Waits until wrong passwords are answered: at the time of the slowest hash that is stored, whoever was meant. To be
    /// called when everything else is done; neither a connection nor a place for hashing is held meanwhile.
    pub(crate) async fn wait_for_deadline(&self, app: &App) -> Result<(), InteractionRefusal> {
        let work = users::most_password_work(&mut app.db.read().await?).await?;
        let period = app.passwords.deadline(work).await?;
        app.clock.wait_for_period(self.begun, period, tokio::time::sleep).await;
        Ok(())
    }

    /// It failed: it counts in all, too.
    pub(crate) async fn failed(&self, app: &App) -> storage::Result<()> {
        let failures = app.config.sessions.max_failed_sign_ins_per_minute;
        let limit = Limit { failures, window_ms: MINUTE_MS, lockout_ms: MINUTE_MS, longest_lockout_ms: MINUTE_MS };
        let mut tx = app.db.begin().await?;
        attempts::count(&mut tx, ALL, limit, app.clock.now_ms()).await?;
        tx.commit().await
    }

    /// It succeeded: the identifier's failures are forgotten.
    pub(crate) async fn succeeded(&self, tx: &mut Tx) -> storage::Result<()> {
        for (hash, limit) in &self.networks {
            attempts::take_back(tx, hash, *limit).await?;
        }
        if let Some(hash) = &self.identifier {
            attempts::clear(tx, hash).await?;
        }
        Ok(())
    }

    /// What came of keeping that it was right: when another step came between, nothing was tried.
    pub(super) async fn kept<T>(
        &self,
        app: &App,
        outcome: Result<T, InteractionRefusal>,
    ) -> Result<T, InteractionRefusal> {
        if outcome.is_err() {
            self.take_back(app).await?;
        }
        outcome
    }

    /// Nothing was tried.
    pub(crate) async fn take_back(&self, app: &App) -> storage::Result<()> {
        let mut tx = app.db.begin().await?;
        for (hash, limit) in &self.networks {
            attempts::take_back(&mut tx, hash, *limit).await?;
        }
        if let Some(hash) = &self.identifier {
            attempts::take_back(&mut tx, hash, self.limit).await?;
        }
        tx.commit().await
    }
}

/// What is counted of codes that somebody has sent outside of any sign-in, by the Management API.
#[must_use]
pub fn code_hash(identifier: &Identifier) -> String {
    tokens::hash(&format!("management-code:{}:{}", identifier.kind.name(), identifier.key()))
}

/// What is counted of an identifier, however it is written. Passwords and codes are counted together.
pub(super) fn hash(identifier: &Identifier) -> String {
    tokens::hash(&format!("{}:{}", identifier.kind.name(), identifier.key()))
}
