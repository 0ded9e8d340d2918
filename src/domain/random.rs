//! Random identifiers and secrets from the cryptographic source of aws-lc; tests can use a seed instead.

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const LOWER: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const MIXED: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The system's random source failed; nothing can be issued.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the system's random source failed")]
pub struct RandomError;

/// The source of random bytes for everything that is issued. Clones share the source.
#[derive(Clone, Debug)]
pub struct Random(RandomSource);

#[derive(Clone, Debug)]
enum RandomSource {
    System,
    /// The seed, and the number of blocks used.
    Seeded(Arc<(String, AtomicU64)>),
}

impl Random {
    /// The cryptographic source of the system.
    #[must_use]
    pub const fn system() -> Self {
        Self(RandomSource::System)
    }

    /// Deterministic bytes from a seed, so that a test knows every token in advance. Only for tests.
    #[must_use]
    pub fn seeded(seed: &str) -> Self {
        Self(RandomSource::Seeded(Arc::new((seed.to_owned(), AtomicU64::new(0)))))
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> Result<[u8; N], RandomError> {
        let mut bytes = [0; N];
        match &self.0 {
            RandomSource::System => SystemRandom::new().fill(&mut bytes).map_err(|_| RandomError)?,
            RandomSource::Seeded(seeded) => {
                for chunk in bytes.chunks_mut(32) {
                    let block = seeded.1.fetch_add(1, Ordering::SeqCst);
                    let digest = Sha256::digest(format!("{}:{block}", seeded.0));
                    chunk.copy_from_slice(&digest[..chunk.len()]);
                }
            }
        }
        Ok(bytes)
    }

    /// An identifier of `length` characters of `[0-9a-z]` (5.17 bits each).
    pub fn id(&self, length: usize) -> Result<String, RandomError> {
        self.text(LOWER, length)
    }

    /// An identifier of 21 characters of `[0-9a-z]` that sorts by time: 8 for the milliseconds since 1970, 13 random
    /// ones (67 bits). Rows that are added together are close together in the index, so that many of them change few
    /// pages.
    pub fn id_at(&self, now_ms: i64) -> Result<String, RandomError> {
        let mut rest = now_ms.unsigned_abs();
        let mut digits = [b'0'; 8];
        for digit in digits.iter_mut().rev() {
            *digit = LOWER[usize::try_from(rest % 36).unwrap_or_default()];
            rest /= 36;
        }
        Ok(digits.map(char::from).iter().collect::<String>() + &self.id(13)?)
    }

    /// A secret of `length` characters of `[0-9A-Za-z]` (5.95 bits each).
    pub fn secret(&self, length: usize) -> Result<String, RandomError> {
        self.text(MIXED, length)
    }

    /// A text of `length` characters of an alphabet of at most 256 ASCII characters, all equally likely.
    pub fn text(&self, alphabet: &[u8], length: usize) -> Result<String, RandomError> {
        // Bytes above the largest multiple of the alphabet's length are discarded, so that every character is equally
        // likely.
        let fair = 256 - 256 % alphabet.len();
        let mut text = String::with_capacity(length);
        while text.len() < length {
            for byte in self.bytes::<64>()?.into_iter().map(usize::from).filter(|byte| *byte < fair) {
                if text.len() == length {
                    break;
                }
                text.push(char::from(alphabet[byte % alphabet.len()]));
            }
        }
        Ok(text)
    }
}

/// [`Random::bytes`] from the system source.
pub fn bytes<const N: usize>() -> Result<[u8; N], RandomError> {
    Random::system().bytes()
}

/// [`Random::id`] from the system source.
pub fn id(length: usize) -> Result<String, RandomError> {
    Random::system().id(length)
}

/// [`Random::id_at`] from the system source.
pub fn id_at(now_ms: i64) -> Result<String, RandomError> {
    Random::system().id_at(now_ms)
}

/// [`Random::secret`] from the system source.
pub fn secret(length: usize) -> Result<String, RandomError> {
    Random::system().secret(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_identifiers_sort_behind_earlier_ones() -> Result<(), RandomError> {
        let times = [0, 35, 36, 1_700_000_000_000, 1_700_000_000_001, 2_800_000_000_000];
        let ids = times.into_iter().map(id_at).collect::<Result<Vec<_>, _>>()?;
        assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 21), "{ids:?}");
        assert_ne!(id_at(0)?, id_at(0)?);
        Ok(())
    }

    #[test]
    fn identifiers_keep_to_their_alphabet_and_do_not_repeat() -> Result<(), RandomError> {
        let (first, second) = (id(21)?, id(21)?);
        assert_eq!(first.len(), 21);
        assert!(first.bytes().all(|byte| LOWER.contains(&byte)));
        assert_ne!(first, second);
        assert!(secret(32)?.bytes().all(|byte| MIXED.contains(&byte)));
        Ok(())
    }

    #[test]
    fn a_seed_gives_the_same_bytes_again() -> Result<(), RandomError> {
        let (one, same, other) = (Random::seeded("a"), Random::seeded("a"), Random::seeded("b"));
        let first: [u8; 70] = one.bytes()?;
        assert_eq!(first, same.bytes()?);
        assert_ne!(first, other.bytes()?);
        assert_ne!(first, one.bytes()?);
        same.bytes::<70>()?;
        assert_eq!(one.clone().id(21)?, same.id(21)?);
        Ok(())
    }
}
