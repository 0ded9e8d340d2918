//! Passwords of users: which ones may be chosen, and hashing with Argon2id, on a separate thread pool.

mod bounds;
pub mod breached;
mod cost;
mod digest;
mod pool;
mod queue;
mod ticket;
mod verify;

pub use bounds::TooCostly;
pub use claimsmith_domain::password_hash::UnreadableHash;
pub use ticket::HashTicket;

use crate::address_rate_limit::AddressRateLimit;
use argon2::Params;
use breached::BreachedPasswords;
use claimsmith_domain::documents::password_policy::PasswordPolicy;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::password_hash::PasswordHash;
use claimsmith_domain::password_policy::{self, Issue, UserInfo};
use claimsmith_domain::random::{self, RandomError};
use cost::Cost;
use pool::{Pool, PoolFailure};
use std::fmt;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::Duration;
use verify::Verified;
use zeroize::Zeroizing;

/// Bytes of the salt, as RFC 9106 recommends.
const SALT_BYTES: usize = 16;
/// If a wrong password is verified against a hash with less than this share of the work of an own one, an own one is
/// computed as well.
const SHARE_OF_CHEAP_HASHES: i64 = 8;

/// The result of verifying a password.
#[derive(PartialEq, Eq)]
pub enum PasswordMatch {
    /// The password is wrong, or the stored text is not a hash.
    No,
    /// It is correct.
    Yes,
    /// It is correct; with a new hash of it, at the cost of the server's own hashes.
    Renewed(String),
    /// The hash requires so much work that it is not computed.
    Never(TooCostly),
}

/// The reason that a hash is not imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DigestRefusal {
    /// No password can match it.
    #[error(transparent)]
    Unreadable(#[from] UnreadableHash),
    /// Verifying it is too expensive.
    #[error(transparent)]
    TooCostly(#[from] TooCostly),
}

/// Without the hash.
impl fmt::Debug for PasswordMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::No => f.write_str("No"),
            Self::Yes => f.write_str("Yes"),
            Self::Renewed(_) => f.write_str("Renewed"),
            Self::Never(excess) => f.debug_tuple("Never").field(excess).finish(),
        }
    }
}

/// A hash could not be made; the error has nothing of the password in it.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// No salt.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// Out of memory.
    #[error("the password could not be hashed")]
    Digest(#[source] argon2::password_hash::Error),
    /// The work panicked, or the server is stopping.
    #[error("the hashing of the password was interrupted")]
    Lost,
    /// Too many passwords wait, in total or for this client. Nothing was done; a retry may succeed in a moment.
    #[error("too many passwords are waiting to be hashed")]
    Busy,
}

impl From<PoolFailure> for PasswordError {
    fn from(refused: PoolFailure) -> Self {
        match refused {
            PoolFailure::Busy => Self::Busy,
            PoolFailure::Lost => Self::Lost,
        }
    }
}

/// The hash of a random password, which needs only the minimum of work. It does not queue: a server also starts beside
/// processes that leave it little of the machine.
pub async fn digest_at_least_cost(password: String) -> Result<String, PasswordError> {
    let password = Zeroizing::new(password);
    let salt = random::bytes::<SALT_BYTES>()?;
    let made = tokio::task::spawn_blocking(move || make(Params::default(), &password, &salt));
    made.await.map_err(|_| PasswordError::Lost)?
}

/// The work of a hash, as it is stored.
fn work_of(hash: &PasswordHash) -> i64 {
    i64::try_from(hash.work()).unwrap_or(i64::MAX)
}

/// As PHC text.
fn make(params: Params, password: &str, salt: &[u8]) -> Result<String, PasswordError> {
    let digest = digest::make(params, password.as_bytes(), salt).map_err(PasswordError::Digest)?;
    Ok(digest.to_string())
}

/// Hashes and verifies passwords, and checks which ones may be chosen.
pub struct Passwords {
    pool: Pool,
    /// The target time of a hash.
    target: Duration,
    /// The cost of hashing on this machine, measured before the first hash.
    cost: Arc<OnceLock<Cost>>,
    /// How many hashes were computed, to make or to verify one.
    computed: Arc<AtomicU64>,
    /// How many new passwords an address may have hashed.
    new_digests: AddressRateLimit,
    /// Breached passwords that users may not choose, if the operator has a list.
    breached: Option<BreachedPasswords>,
}

impl Passwords {
    /// Hashes that take about this long on this machine, and never less work than OWASP's minimum.
    #[must_use]
    pub fn new(target: Duration) -> Self {
        // Half of the processors: the other half keeps answering requests.
        let threads = available_parallelism().map_or(1, usize::from).div_ceil(2);
        Self {
            pool: Pool::start(threads),
            target,
            cost: Arc::default(),
            computed: Arc::default(),
            new_digests: AddressRateLimit::new(ticket::NEW_PASSWORDS),
            breached: None,
        }
    }

    /// The same, with passwords that users may not choose.
    #[must_use]
    pub fn with_breached(self, breached: BreachedPasswords) -> Self {
        Self { breached: Some(breached), ..self }
    }

    /// What is wrong with a new password; nothing if it is good. No other server is queried.
    #[must_use]
    pub fn issues(&self, policy: &PasswordPolicy, password: &str, user: Option<&UserInfo>) -> Vec<Issue> {
        let is_breached = |password: &str| self.breached.as_ref().is_some_and(|breached| breached.contains(password));
        password_policy::check(policy, password, user, is_breached)
    }

    /// Admits a new password from this address to hashing, which counts; `Busy` above the rate limit. `now` is in Unix
    /// milliseconds.
    pub fn admit_new(&self, client: Option<IpAddr>, now: i64) -> Result<HashTicket, PasswordError> {
        if self.new_digests.admits(client, now) { Ok(HashTicket::of_new(client)) } else { Err(PasswordError::Busy) }
    }

    /// The Argon2id hash of a password, as PHC text: 19 MiB, one lane, two passes or more. Takes the configured time,
    /// the first one several times as long, so never call it with a transaction open.
    pub async fn digest(&self, ticket: &HashTicket, password: String) -> Result<String, PasswordError> {
        let password = Zeroizing::new(password);
        let salt = random::bytes::<SALT_BYTES>()?;
        let (target, cost, computed) = (self.target, Arc::clone(&self.cost), Arc::clone(&self.computed));
        let digested = self.pool.run(ticket.place(), move || {
            let params = cost.get_or_init(|| Cost::calibrated(target)).own.clone();
            computed.fetch_add(1, Ordering::Relaxed);
            make(params, &password, &salt)
        });
        digested.await?
    }

    /// How many hashes were computed since the start, to make or to verify one.
    #[must_use]
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// Whether a stored hash is of this password. One that requires too much work is not computed. A wrong password
    /// takes one place in the queue and at least the work of an own hash, also if nothing is stored. A correct one for
    /// a hash that is not one of the server's own is rehashed.
    pub async fn verify(
        &self,
        ticket: &HashTicket,
        password: &str,
        stored: Option<(&str, PasswordAlgorithm)>,
    ) -> Result<PasswordMatch, PasswordError> {
        let stored = stored.and_then(|(digest, algorithm)| PasswordHash::parse(digest, algorithm).ok());
        let excess = stored.as_ref().and_then(|hash| bounds::check(hash).err());
        let stored = stored.filter(|_| excess.is_none());
        let password = Zeroizing::new(password.to_owned());
        let salt = random::bytes::<SALT_BYTES>()?;
        let (target, cost, computed) = (self.target, Arc::clone(&self.cost), Arc::clone(&self.computed));
        let verified = self.pool.run(ticket.place(), move || {
            let cost = cost.get_or_init(|| Cost::calibrated(target));
            let make_own = || {
                computed.fetch_add(1, Ordering::Relaxed);
                make(cost.own.clone(), &password, &salt)
            };
            let (found, work) = match &stored {
                Some(hash) => {
                    computed.fetch_add(1, Ordering::Relaxed);
                    (verify::verify(&password, hash, &cost.own), work_of(hash))
                }
                None => (Verified::No, 0),
            };
            match found {
                Verified::Yes => PasswordMatch::Yes,
                // It is correct, whether it can be rehashed or not.
                Verified::Outdated => make_own().map_or(PasswordMatch::Yes, PasswordMatch::Renewed),
                Verified::No => {
                    if work < cost.own_work() / SHARE_OF_CHEAP_HASHES {
                        // Only to spend the time.
                        let _ = make_own();
                    }
                    PasswordMatch::No
                }
            }
        });
        let verified = verified.await?;
        Ok(excess.map_or(verified, PasswordMatch::Never))
    }

    /// The delay from the arrival of a wrong password to its answer, where `work` is the most that a stored hash
    /// requires (`password_work` of the domain): the time of the slowest hash here, so that it does not reveal which kind an
    /// account has.
    pub async fn deadline(&self, work: i64) -> Result<Duration, PasswordError> {
        Ok(self.cost().await?.deadline(work))
    }

    /// Refuses an imported hash that no password can match, or that is too expensive to verify, in general or on this
    /// machine.
    pub async fn check(
        &self,
        digest: &str,
        algorithm: PasswordAlgorithm,
    ) -> Result<Result<(), DigestRefusal>, PasswordError> {
        let hash = match PasswordHash::parse(digest, algorithm) {
            Ok(hash) => hash,
            Err(unreadable) => return Ok(Err(unreadable.into())),
        };
        if let Err(excess) = bounds::check(&hash) {
            return Ok(Err(excess.into()));
        }
        let checked = self.cost().await?.check(work_of(&hash));
        Ok(checked.map_err(|time| TooCostly::Time(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)).into()))
    }

    /// The cost of hashing. It is measured on a separate thread, if it is not known yet.
    async fn cost(&self) -> Result<Cost, PasswordError> {
        if let Some(cost) = self.cost.get() {
            return Ok(cost.clone());
        }
        let (target, cost) = (self.target, Arc::clone(&self.cost));
        let measured = tokio::task::spawn_blocking(move || cost.get_or_init(|| Cost::calibrated(target)).clone());
        measured.await.map_err(|_| PasswordError::Lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::password_hash::phc;
    use argon2::{Argon2, PasswordVerifier};
    use claimsmith_domain::password_work;
    use std::error::Error;

    fn ticket() -> HashTicket {
        HashTicket::of_attempt(None)
    }

    async fn verify(
        passwords: &Passwords,
        password: &str,
        digest: &str,
        algorithm: PasswordAlgorithm,
    ) -> Result<PasswordMatch, PasswordError> {
        passwords.verify(&ticket(), password, Some((digest, algorithm))).await
    }

    #[tokio::test]
    async fn a_digest_is_of_its_password_alone_and_salted() -> Result<(), Box<dyn Error>> {
        let passwords = Passwords::new(Duration::ZERO);
        let (first, second) = (
            passwords.digest(&ticket(), "p4ss".to_owned()).await?,
            passwords.digest(&ticket(), "p4ss".to_owned()).await?,
        );
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second);
        let digest = phc::PasswordHash::new(&first)?;
        assert!(Argon2::default().verify_password(b"p4ss", &digest).is_ok());
        assert!(Argon2::default().verify_password(b"P4ss", &digest).is_err());
        Ok(())
    }

    #[tokio::test]
    async fn a_digest_at_least_cost_is_of_its_password_alone() -> Result<(), Box<dyn Error>> {
        let digest = digest_at_least_cost("p4ss".to_owned()).await?;
        let passwords = Passwords::new(Duration::ZERO);
        for (password, expected) in [("p4ss", PasswordMatch::Yes), ("P4ss", PasswordMatch::No)] {
            assert_eq!(verify(&passwords, password, &digest, PasswordAlgorithm::Argon2id).await?, expected);
        }
        Ok(())
    }

    #[tokio::test]
    async fn a_digest_of_more_work_is_verified_and_not_outdated() -> Result<(), Box<dyn Error>> {
        let passwords = Passwords::new(Duration::from_millis(200));
        let digest = passwords.digest(&ticket(), "p4ss".to_owned()).await?;
        let passes = Params::try_from(&phc::PasswordHash::new(&digest)?)?.t_cost();
        assert!((2..=cost::MAX_PASSES).contains(&passes), "{digest}");
        for (password, expected) in [("p4ss", PasswordMatch::Yes), ("P4ss", PasswordMatch::No)] {
            assert_eq!(verify(&passwords, password, &digest, PasswordAlgorithm::Argon2id).await?, expected);
        }
        Ok(())
    }

    #[tokio::test]
    async fn a_digest_that_asks_for_too_much_is_never_computed() -> Result<(), Box<dyn Error>> {
        let passwords = Passwords::new(Duration::ZERO);
        let digest = bcrypt::hash("p4ss", 4)?.replacen("$04$", "$31$", 1);
        let verified = verify(&passwords, "p4ss", &digest, PasswordAlgorithm::Bcrypt).await?;
        assert_eq!(verified, PasswordMatch::Never(TooCostly::Bcrypt(31)));
        assert_eq!(passwords.check(&digest, PasswordAlgorithm::Bcrypt).await?, Err(TooCostly::Bcrypt(31).into()));
        Ok(())
    }

    #[tokio::test]
    async fn a_right_password_is_hashed_anew_unless_the_hash_is_one_of_the_servers_own() -> Result<(), Box<dyn Error>> {
        let passwords = Passwords::new(Duration::ZERO);
        let costly = digest::make(Params::new(64 << 10, 3, 1, None)?, b"p4ss", b"0123456789abcdef")?.to_string();
        let imported = [(bcrypt::hash("p4ss", 4)?, PasswordAlgorithm::Bcrypt), (costly, PasswordAlgorithm::Argon2id)];
        for (digest, algorithm) in imported {
            let PasswordMatch::Renewed(renewed) = verify(&passwords, "p4ss", &digest, algorithm).await? else {
                return Err(digest.into());
            };
            let verified = verify(&passwords, "p4ss", &renewed, PasswordAlgorithm::Argon2id).await?;
            assert_eq!(verified, PasswordMatch::Yes, "{renewed}");
            assert_eq!(verify(&passwords, "P4ss", &digest, algorithm).await?, PasswordMatch::No);
        }
        Ok(())
    }

    #[tokio::test]
    async fn the_deadline_covers_what_is_stored_and_what_takes_longer_is_not_taken_in() -> Result<(), Box<dyn Error>> {
        let passwords = Passwords::new(Duration::ZERO);
        assert!(passwords.deadline(0).await? < passwords.deadline(password_work::MAX_WORK).await?);
        let digest = "$2b$14$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K";
        assert_eq!(passwords.check(digest, PasswordAlgorithm::Bcrypt).await?, Ok(()));
        let slow = Passwords::new(Duration::ZERO);
        let cost = Cost { own: Params::default(), time_of_most: Duration::from_secs(2) };
        assert!(slow.cost.set(cost).is_ok());
        assert_eq!(slow.deadline(password_work::MAX_WORK).await?, cost::LATEST_DEADLINE);
        assert_eq!(slow.check(digest, PasswordAlgorithm::Bcrypt).await?, Err(TooCostly::Time(2000).into()));
        assert_eq!(slow.check("5f4dcc3b5aa765d61d8327deb882cf99", PasswordAlgorithm::Md5).await?, Ok(()));
        Ok(())
    }

    #[test]
    fn an_address_has_so_many_new_passwords_hashed_and_others_their_own() {
        let passwords = Passwords::new(Duration::ZERO);
        let at = |last: u8| Some(IpAddr::from([192, 0, 2, last]));
        let admitted = |client, now| (0..1000).filter(|_| passwords.admit_new(client, now).is_ok()).count();
        assert_eq!(
            (admitted(at(1), 0), admitted(at(1), 0), admitted(at(2), 0), admitted(at(1), 1000)),
            (100, 0, 100, 2)
        );
    }
}
