//! Limits of guessing: failures are counted per hour for each identifier and each IP address, and per minute in total.
//! An attempt counts before its hash is computed, and is taken back if it succeeds. When the total limit is reached,
//! known browsers and IP addresses without failures may continue, so that attacks from elsewhere lock no user out.

use super::refusal::InteractionRefusal;
use claimsmith_domain::client_address;
use claimsmith_domain::clock::Beginning;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::protection::SentinelPolicy;
use claimsmith_domain::documents::username::written_as;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::lockout::{Failures, Limit};
use claimsmith_services::app::App;
use claimsmith_services::passwords::HashTicket;
use claimsmith_services::tokens;
use claimsmith_storage::sessions::attempts;
use claimsmith_storage::{self as storage, Tx, users};
use std::net::IpAddr;

/// Default limit of failures per identifier.
const DEFAULT_FAILURES: u32 = 10;
/// Default duration of a lockout, in minutes.
const DEFAULT_LOCKOUT_MINUTES: u32 = 60;
const HOUR_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;
/// Maximum lockout of an identifier, unless the settings configure a longer one.
const MAX_LOCKOUT_MS: i64 = 24 * HOUR_MS;
/// Failures of all identifiers from one IP address. The lockout does not grow, since many users may share the address.
const ADDRESS_LIMIT: Limit =
    Limit { failures: 100, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: HOUR_MS };
/// Codes sent on request of one IP address, which many users may share.
const SENDS_LIMIT: Limit =
    Limit { failures: 300, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: HOUR_MS };
/// The key of the total count of failures.
const ALL: &str = "all";
/// Retry delay for an IP address that exceeds this node's rate limit, in milliseconds.
const PAUSE_MS: i64 = 1000;

/// A counted attempt that may proceed.
pub(crate) struct SignInAttempt {
    /// The networks of the IP address, with the limit of each.
    networks: Vec<(String, Limit)>,
    identifier: Option<String>,
    /// The limit of the identifier.
    limit: Limit,
    /// If its failure locks the identifier: the duration of the lockout in milliseconds.
    locks_for: Option<i64>,
    client: Option<IpAddr>,
    begun: Beginning,
}

/// The secret that a user can guess at their own account page.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GuessedSecret {
    /// The password.
    Password,
    /// A code that was sent.
    Code,
}

impl GuessedSecret {
    fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Code => "code",
        }
    }
}

/// Counts an attempt. `identifier` is `None` if the browser is known for the user, so that failures elsewhere do not
/// lock them out of it.
pub(crate) async fn count(
    app: &App,
    policy: &SentinelPolicy,
    identifier: Option<&Identifier>,
    address: Option<IpAddr>,
) -> Result<SignInAttempt, InteractionRefusal> {
    count_under(app, policy, identifier.map(hash), identifier.is_some(), address).await
}

/// Counts an attempt of a user at their own account, separately from sign-in, so that guessing at one does not lock the
/// other. Browsers in which the user has signed in before (`is_known`) are counted separately, and so are passwords and
/// codes: a code sent to one's own address does not allow more guesses of the password.
pub(crate) async fn count_owner(
    app: &App,
    policy: &SentinelPolicy,
    (guessed, user_id): (GuessedSecret, &UserId),
    is_known: bool,
    address: Option<IpAddr>,
) -> Result<SignInAttempt, InteractionRefusal> {
    count_under(app, policy, Some(owner_hash(guessed, user_id, is_known)), false, address).await
}

/// The hash under which failures of a user at their own account are counted, see [`count_owner`].
pub(super) fn owner_hash(guessed: GuessedSecret, user_id: &UserId, is_known: bool) -> String {
    let (kind, place) = (guessed.name(), if is_known { "known" } else { "" });
    tokens::hash(&format!("account:{kind}:{user_id}:{place}"))
}

/// Counts an attempt at a second factor of a user. Browsers in which the user has signed in before (`is_known`) are
/// counted separately: an attacker with the password cannot lock the user out of them.
pub(crate) async fn count_factor(
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

/// The hash under which failures of a second factor of a user are counted: one for all known browsers, whose cookies
/// change with each sign-in, and one for all other browsers.
pub(super) fn factor_hash(kind: FactorType, user_id: &UserId, is_known: bool) -> String {
    tokens::hash(&format!("factor:{}:{user_id}:{}", kind.as_str(), if is_known { "known" } else { "" }))
}

/// Counts a requested code for the IP address: too many requests are refused, regardless of the recipients.
pub(crate) async fn count_send(app: &App, address: Option<IpAddr>) -> Result<(), InteractionRefusal> {
    let counted = of_networks("sends:", address, SENDS_LIMIT);
    match count_each(app, counted.iter().map(|(hash, limit)| (hash.as_str(), *limit))).await {
        Err(InteractionRefusal::Blocked(_)) => Err(InteractionRefusal::MessagesLimited),
        other => other.map(drop),
    }
}

/// Counts an attempt under a hash and under the IP address. `is_limited_in_all`: whether the total limit applies.
async fn count_under(
    app: &App,
    policy: &SentinelPolicy,
    identifier: Option<String>,
    is_limited_in_all: bool,
    address: Option<IpAddr>,
) -> Result<SignInAttempt, InteractionRefusal> {
    let limit = limit_of(policy);
    let (begun, now) = (app.clock.begin(), app.clock.now_ms());
    if !app.sign_in_attempts.admits(address, now) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS));
    }
    let (client, networks) = (address, of_networks("address:", address, ADDRESS_LIMIT));
    if is_limited_in_all {
        let max = app.config.sessions.max_failed_sign_ins_per_minute;
        check_all(app, ALL, max, (&networks, ADDRESS_LIMIT)).await?;
    }
    // The IP address first: once it is blocked, its attempts no longer count against any identifier.
    let counted =
        networks.iter().map(|(hash, limit)| (hash, *limit)).chain(identifier.iter().map(|hash| (hash, limit)));
    let last = count_each(app, counted.map(|(hash, limit)| (hash.as_str(), limit))).await?;
    let reached = last.filter(|last| identifier.is_some() && last.failures == limit.failures);
    let locks_for = reached.map(|last| last.expires_at - app.clock.now_ms());
    Ok(SignInAttempt { networks, identifier, limit, locks_for, client, begun })
}

/// The limit of an identifier, and of a second factor.
pub(super) fn limit_of(policy: &SentinelPolicy) -> Limit {
    let number = |given: Option<u32>, default| i64::from(given.unwrap_or(default));
    let minutes = number(policy.lockout_duration.map(u32::from), DEFAULT_LOCKOUT_MINUTES);
    let failures = number(policy.max_attempts.map(u32::from), DEFAULT_FAILURES);
    let lockout_ms = minutes * MINUTE_MS;
    Limit { failures, window_ms: HOUR_MS, lockout_ms, longest_lockout_ms: MAX_LOCKOUT_MS }
}

/// The counters of an IP address: each network that contains it, with its limit. `what` is the prefix of the counters.
pub(super) fn of_networks(what: &str, address: Option<IpAddr>, limit: Limit) -> Vec<(String, Limit)> {
    let networks = address.into_iter().flat_map(client_address::networks);
    networks.map(|one| (tokens::hash(&format!("{what}{one}")), limit.times(one.shares().into()))).collect()
}

/// Refuses an attempt while the total of failures (under the hash `all`) is at its limit, unless each of its networks
/// has fewer failures than shares of clients. `one` is the limit of one client.
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

/// Counts an attempt under each of these hashes in order, until a limit is exceeded. Returns the counters of the last
/// one.
pub(super) async fn count_each<'h>(
    app: &App,
    counted: impl Iterator<Item = (&'h str, Limit)>,
) -> Result<Option<Failures>, InteractionRefusal> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let mut last = None;
    for (hash, limit) in counted {
        let counted = attempts::count(&mut tx, hash, limit, now).await?;
        if counted.failures > limit.failures {
            tx.commit().await?;
            return Err(InteractionRefusal::Blocked(counted.expires_at - now));
        }
        last = Some(counted);
    }
    tx.commit().await?;
    Ok(last)
}

impl SignInAttempt {
    /// Whether its failure locks the identifier.
    pub(crate) fn locks(&self) -> bool {
        self.locks_for.is_some()
    }

    /// The refusal of its failure: the lockout if it starts one, otherwise this one.
    pub(crate) fn refusal(&self, of_failure: InteractionRefusal) -> InteractionRefusal {
        self.locks_for.map_or(of_failure, InteractionRefusal::Blocked)
    }

    /// The ticket to verify the password of this counted attempt.
    pub(crate) fn ticket(&self) -> HashTicket {
        HashTicket::of_attempt(self.client)
    }

    /// Waits for the deadline of wrong passwords: the time of the slowest stored hash, independent of the user. Call it
    /// last; no connection and no hashing slot may be occupied meanwhile.
    pub(crate) async fn wait_for_deadline(&self, app: &App) -> Result<(), InteractionRefusal> {
        let work = users::most_password_work(&mut app.db.read().await?).await?;
        let period = app.passwords.deadline(work).await?;
        app.clock.wait_for_period(self.begun, period, tokio::time::sleep).await;
        Ok(())
    }

    /// The attempt failed: also counts it in the total.
    pub(crate) async fn failed(&self, app: &App) -> storage::Result<()> {
        let failures = app.config.sessions.max_failed_sign_ins_per_minute;
        let limit = Limit { failures, window_ms: MINUTE_MS, lockout_ms: MINUTE_MS, longest_lockout_ms: MINUTE_MS };
        let mut tx = app.db.begin().await?;
        attempts::count(&mut tx, ALL, limit, app.clock.now_ms()).await?;
        tx.commit().await
    }

    /// The attempt succeeded: clears the failures of the identifier.
    pub(crate) async fn succeeded(&self, tx: &mut Tx) -> storage::Result<()> {
        for (hash, limit) in &self.networks {
            attempts::undo_failure(tx, hash, *limit).await?;
        }
        if let Some(hash) = &self.identifier {
            attempts::clear(tx, hash).await?;
        }
        Ok(())
    }

    /// Handles the result of storing a success: if that failed, for example because of a concurrent step, the attempt
    /// does not count.
    pub(super) async fn kept<T>(
        &self,
        app: &App,
        outcome: Result<T, InteractionRefusal>,
    ) -> Result<T, InteractionRefusal> {
        if outcome.is_err() {
            self.undo_failure(app).await?;
        }
        outcome
    }

    /// Takes the attempt back, since nothing was verified.
    pub(crate) async fn undo_failure(&self, app: &App) -> storage::Result<()> {
        let mut tx = app.db.begin().await?;
        for (hash, limit) in &self.networks {
            attempts::undo_failure(&mut tx, hash, *limit).await?;
        }
        if let Some(hash) = &self.identifier {
            attempts::undo_failure(&mut tx, hash, self.limit).await?;
        }
        tx.commit().await
    }
}

/// The hash for codes that the Management API sends outside of any sign-in.
#[must_use]
pub fn code_hash(identifier: &Identifier) -> String {
    tokens::hash(&format!("management-code:{}:{}", identifier.kind.as_str(), identifier.key()))
}

/// The hash of an identifier in any notation. Passwords and codes are counted together, and so are an email address or
/// phone number and the username that is written like it.
pub(super) fn hash(identifier: &Identifier) -> String {
    if identifier.kind == IdentifierType::Username && written_as(&identifier.value) != IdentifierType::Username {
        return hash(&Identifier { kind: written_as(&identifier.value), value: identifier.value.clone() });
    }
    tokens::hash(&format!("{}:{}", identifier.kind.as_str(), identifier.key()))
}
