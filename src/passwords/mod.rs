//! Digests of people's passwords: Argon2id, off the async threads, never more at once than there are processors.

mod cost;
mod verify;

pub use verify::Verified;

use crate::domain::user::PasswordAlgorithm;
use crate::random::{self, RandomError};
use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::sync::{AcquireError, Semaphore};
use tokio::task::JoinError;
use zeroize::Zeroizing;

/// Bytes of the salt, as RFC 9106 recommends.
const SALT: usize = 16;

/// A digest could not be made; nothing of the password is in it.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// No salt.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// Out of memory.
    #[error("the password could not be digested")]
    Digest(#[source] argon2::password_hash::Error),
    /// The work was cancelled or panicked.
    #[error("the password was not digested")]
    Cancelled(#[from] JoinError),
    /// The server is stopping.
    #[error("no more passwords are digested")]
    Closed(#[from] AcquireError),
}

/// Makes digests.
pub struct Passwords {
    permits: Arc<Semaphore>,
    /// How long a digest should take.
    target: Duration,
    /// What takes that long here, measured before the first digest.
    cost: Arc<OnceLock<Params>>,
}

impl Passwords {
    /// Digests that take about this long on this machine, and never less work than OWASP's minimum.
    #[must_use]
    pub fn new(target: Duration) -> Self {
        let permits = available_parallelism().map_or(1, usize::from);
        Self { permits: Arc::new(Semaphore::new(permits)), target, cost: Arc::default() }
    }

    /// The Argon2id digest of a password, as PHC text: 19 MiB, one lane, two passes or more. Takes as long as was asked
    /// for, the first one several times as long, so never with a transaction open.
    pub async fn digest(&self, password: String) -> Result<String, PasswordError> {
        let password = Zeroizing::new(password);
        let permit = self.permits.clone().acquire_owned().await?;
        let salt = random::bytes::<SALT>()?;
        let (target, cost) = (self.target, Arc::clone(&self.cost));
        tokio::task::spawn_blocking(move || {
            // Moved in here: the work goes on when the request that asked for it is gone, and so must its permit.
            let _permit = permit;
            let params = cost.get_or_init(|| cost::calibrated(target)).clone();
            let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
            let digest = argon2.hash_password_with_salt(password.as_bytes(), &salt);
            digest.map(|digest| digest.to_string()).map_err(PasswordError::Digest)
        })
        .await?
    }

    /// Whether a digest is of this password. Takes as long as [`Self::digest`].
    pub async fn verify(
        &self,
        password: &str,
        digest: &str,
        algorithm: PasswordAlgorithm,
    ) -> Result<Verified, PasswordError> {
        let (password, digest) = (Zeroizing::new(password.to_owned()), Zeroizing::new(digest.to_owned()));
        let permit = self.permits.clone().acquire_owned().await?;
        let verified = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            verify::verify(&password, &digest, algorithm)
        });
        Ok(verified.await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::PasswordVerifier;
    use argon2::password_hash::phc::PasswordHash;

    #[tokio::test]
    async fn a_digest_is_of_its_password_alone_and_salted() -> Result<(), Box<dyn std::error::Error>> {
        let passwords = Passwords::new(Duration::ZERO);
        let (first, second) = (passwords.digest("p4ss".to_owned()).await?, passwords.digest("p4ss".to_owned()).await?);
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second);
        let digest = PasswordHash::new(&first)?;
        assert!(Argon2::default().verify_password(b"p4ss", &digest).is_ok());
        assert!(Argon2::default().verify_password(b"P4ss", &digest).is_err());
        Ok(())
    }

    #[tokio::test]
    async fn a_digest_of_more_work_is_verified_and_not_outdated() -> Result<(), Box<dyn std::error::Error>> {
        let passwords = Passwords::new(Duration::from_millis(200));
        let digest = passwords.digest("p4ss".to_owned()).await?;
        let passes = Params::try_from(&PasswordHash::new(&digest)?)?.t_cost();
        assert!((2..=cost::MOST_PASSES).contains(&passes), "{digest}");
        for (password, expected) in [("p4ss", Verified::Yes), ("P4ss", Verified::No)] {
            assert_eq!(passwords.verify(password, &digest, PasswordAlgorithm::Argon2id).await?, expected);
        }
        Ok(())
    }
}
