//! Digests of people's passwords: Argon2id, off the async threads, never more at once than there are processors.

mod verify;

pub use verify::Verified;

use crate::domain::user::PasswordAlgorithm;
use crate::random::{self, RandomError};
use argon2::{Argon2, PasswordHasher};
use std::sync::Arc;
use std::thread::available_parallelism;
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
}

impl Default for Passwords {
    fn default() -> Self {
        Self { permits: Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from))) }
    }
}

impl Passwords {
    /// The Argon2id digest of a password, as PHC text: 19 MiB, two passes, one lane. Takes tens of milliseconds, so
    /// never with a transaction open.
    pub async fn digest(&self, password: String) -> Result<String, PasswordError> {
        let password = Zeroizing::new(password);
        let permit = self.permits.clone().acquire_owned().await?;
        let salt = random::bytes::<SALT>()?;
        tokio::task::spawn_blocking(move || {
            // Moved in here: the work goes on when the request that asked for it is gone, and so must its permit.
            let _permit = permit;
            let digest = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
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
        let passwords = Passwords::default();
        let (first, second) = (passwords.digest("p4ss".to_owned()).await?, passwords.digest("p4ss".to_owned()).await?);
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second);
        let digest = PasswordHash::new(&first)?;
        assert!(Argon2::default().verify_password(b"p4ss", &digest).is_ok());
        assert!(Argon2::default().verify_password(b"P4ss", &digest).is_err());
        Ok(())
    }
}
