//! Passwords of people: which ones may be chosen, and hashing with Argon2id, on a thread pool of its own.

mod bounds;
pub(crate) mod breached;
mod cost;
mod digest;
mod pool;
mod verify;

pub(crate) use bounds::{TooCostly, check};
pub(crate) use verify::PasswordMatch;

use crate::documents::password_policy::PasswordPolicy;
use crate::documents::user::PasswordAlgorithm;
use crate::domain::password_policy::{self, Issue, UserInfo};
use crate::random::{self, RandomError};
use argon2::Params;
use breached::BreachedPasswords;
use pool::{Pool, PoolFailure};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::Duration;
use zeroize::Zeroizing;

/// Bytes of the salt, as RFC 9106 recommends.
const SALT_BYTES: usize = 16;

/// A digest could not be made; nothing of the password is in it.
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
    /// Too many passwords wait, of everybody or of this client. Nothing was done; it may work in a moment.
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

/// The digest of a random password, which needs no more than the least work. It waits for no turn: a server also starts
/// beside processes that leave it little of the machine.
pub(crate) async fn digest_at_least_cost(password: String) -> Result<String, PasswordError> {
    let password = Zeroizing::new(password);
    let salt = random::bytes::<SALT_BYTES>()?;
    let made = tokio::task::spawn_blocking(move || make(Params::default(), &password, &salt));
    made.await.map_err(|_| PasswordError::Lost)?
}

/// As PHC text.
fn make(params: Params, password: &str, salt: &[u8]) -> Result<String, PasswordError> {
    let digest = digest::make(params, password.as_bytes(), salt).map_err(PasswordError::Digest)?;
    Ok(digest.to_string())
}

/// Makes digests, and says which passwords may be chosen.
pub struct Passwords {
    pool: Pool,
    /// How long a digest should take.
    target: Duration,
    /// What takes that long here, measured before the first digest.
    cost: Arc<OnceLock<Params>>,
    /// How many digests were computed, to make or to verify one.
    computed: AtomicU64,
    /// What nobody may choose, if the operator has a list.
    breached: Option<BreachedPasswords>,
}

impl Passwords {
    /// Digests that take about this long on this machine, and never less work than OWASP's minimum.
    #[must_use]
    pub fn new(target: Duration) -> Self {
        // Half of the processors: the other half goes on answering.
        let threads = available_parallelism().map_or(1, usize::from).div_ceil(2);
        Self { pool: Pool::start(threads), target, cost: Arc::default(), computed: AtomicU64::new(0), breached: None }
    }

    /// The same, where nobody may choose any of these.
    #[must_use]
    pub(crate) fn with_breached(self, breached: BreachedPasswords) -> Self {
        Self { breached: Some(breached), ..self }
    }

    /// What is wrong with a password that somebody chooses; nothing when it is good. No other server is asked.
    pub(crate) fn issues(&self, policy: &PasswordPolicy, password: &str, user: Option<&UserInfo>) -> Vec<Issue> {
        let is_breached = |password: &str| self.breached.as_ref().is_some_and(|breached| breached.contains(password));
        password_policy::check(policy, password, user, is_breached)
    }

    /// The Argon2id digest of a password, as PHC text: 19 MiB, one lane, two passes or more. Takes as long as was asked
    /// for, the first one several times as long, so never with a transaction open.
    /// `client` is who asks.
    pub async fn digest(&self, password: String, client: Option<IpAddr>) -> Result<String, PasswordError> {
        let password = Zeroizing::new(password);
        let salt = random::bytes::<SALT_BYTES>()?;
        let (target, cost) = (self.target, Arc::clone(&self.cost));
        self.computed.fetch_add(1, Ordering::Relaxed);
        let digested = self.pool.run(client, move || {
            let params = cost.get_or_init(|| cost::calibrated(target)).clone();
            make(params, &password, &salt)
        });
        digested.await?
    }

    /// How many digests were asked for since the start, to make or to verify one.
    #[must_use]
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// Whether a digest is of this password. Takes as long as [`Self::digest`]; one that asks for too much work is not
    /// computed.
    pub async fn verify(
        &self,
        password: &str,
        digest: &str,
        algorithm: PasswordAlgorithm,
        client: Option<IpAddr>,
    ) -> Result<PasswordMatch, PasswordError> {
        if let Err(excess) = check(digest, algorithm) {
            return Ok(PasswordMatch::Never(excess));
        }
        let (password, digest) = (Zeroizing::new(password.to_owned()), Zeroizing::new(digest.to_owned()));
        self.computed.fetch_add(1, Ordering::Relaxed);
        let verified = self.pool.run(client, move || verify::verify(&password, &digest, algorithm));
        Ok(verified.await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::password_hash::phc::PasswordHash;
    use argon2::{Argon2, PasswordVerifier};

    #[tokio::test]
    async fn a_digest_is_of_its_password_alone_and_salted() -> Result<(), Box<dyn std::error::Error>> {
        let passwords = Passwords::new(Duration::ZERO);
        let (first, second) =
            (passwords.digest("p4ss".to_owned(), None).await?, passwords.digest("p4ss".to_owned(), None).await?);
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second);
        let digest = PasswordHash::new(&first)?;
        assert!(Argon2::default().verify_password(b"p4ss", &digest).is_ok());
        assert!(Argon2::default().verify_password(b"P4ss", &digest).is_err());
        Ok(())
    }

    #[tokio::test]
    async fn a_digest_at_least_cost_is_of_its_password_alone() -> Result<(), Box<dyn std::error::Error>> {
        let digest = digest_at_least_cost("p4ss".to_owned()).await?;
        let passwords = Passwords::new(Duration::ZERO);
        for (password, expected) in [("p4ss", PasswordMatch::Yes), ("P4ss", PasswordMatch::No)] {
            assert_eq!(passwords.verify(password, &digest, PasswordAlgorithm::Argon2id, None).await?, expected);
        }
        Ok(())
    }

    #[tokio::test]
    async fn a_digest_of_more_work_is_verified_and_not_outdated() -> Result<(), Box<dyn std::error::Error>> {
        let passwords = Passwords::new(Duration::from_millis(200));
        let digest = passwords.digest("p4ss".to_owned(), None).await?;
        let passes = Params::try_from(&PasswordHash::new(&digest)?)?.t_cost();
        assert!((2..=cost::MAX_PASSES).contains(&passes), "{digest}");
        for (password, expected) in [("p4ss", PasswordMatch::Yes), ("P4ss", PasswordMatch::No)] {
            assert_eq!(passwords.verify(password, &digest, PasswordAlgorithm::Argon2id, None).await?, expected);
        }
        Ok(())
    }

    #[tokio::test]
    async fn a_digest_that_asks_for_too_much_is_never_computed() -> Result<(), Box<dyn std::error::Error>> {
        let passwords = Passwords::new(Duration::ZERO);
        let digest = bcrypt::hash("p4ss", 4)?.replacen("$04$", "$31$", 1);
        let verified = passwords.verify("p4ss", &digest, PasswordAlgorithm::Bcrypt, None).await?;
        assert_eq!(verified, PasswordMatch::Never(TooCostly::Bcrypt(31)));
        Ok(())
    }
}
