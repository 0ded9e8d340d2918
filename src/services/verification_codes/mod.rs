//! Codes by email and text message, for all callers: created, stored as keyed hashes, and used once. The caller sends
//! them, and counts the failures of a user.

use crate::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_domain::documents::sign_in_experience::protection::VerificationCodePolicy;
use claimsmith_domain::random::{Random, RandomError};
use claimsmith_domain::verification_code::{CODE_LENGTH, CodeRefusal, typed};
use claimsmith_storage::verification::verification_codes::{self, VerificationCode};
use claimsmith_storage::{self as storage, Db, Tx};
use data_encoding::HEXLOWER;
use secrecy::SecretString;
use sha2::{Digest, Sha256};

const DIGITS: &[u8] = b"0123456789";
/// Characters of a decoy in place of a code.
const DECOY_LENGTH: usize = 32;

/// Who asks for a code and what for, as a hash. Another code of the same requester replaces the former.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requester(String);

impl Requester {
    /// These words together.
    #[must_use]
    pub fn new(words: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for word in words {
            // With the length, so that no two lists of words are the same text.
            hash.update(word.len().to_be_bytes());
            hash.update(word.as_bytes());
        }
        Self(HEXLOWER.encode(&hash.finalize()))
    }

    /// A name of it, for messages that carry its code.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// A code that was made.
#[derive(Debug)]
pub struct NewCode {
    /// Of the verification, 21 characters.
    pub id: String,
    /// The digits, which only the recipient is to see.
    pub code: SecretString,
}

/// A code that was typed right, and is not used yet.
#[derive(Clone, Debug)]
pub struct Proved {
    requester: Requester,
    id: String,
}

/// Why there is no code.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// See [`storage::Error`].
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
    /// See [`EncryptionError`].
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
}

/// Makes a code, in place of the former one.
pub async fn make(
    tx: &mut Tx,
    (random, cipher): (&Random, &Cipher),
    requester: &Requester,
    policy: &VerificationCodePolicy,
    now: i64,
) -> Result<NewCode, Error> {
    let (id, code) = (random.id(21)?, random.text(DIGITS, CODE_LENGTH)?);
    keep(tx, cipher, requester, &id, &code, now + policy.lifetime_ms()).await?;
    Ok(NewCode { id, code: code.into() })
}

/// The same without sending a code (decoy): it looks the same to the caller, and no input is correct. Returns the id.
pub async fn make_decoy(
    tx: &mut Tx,
    (random, cipher): (&Random, &Cipher),
    requester: &Requester,
    policy: &VerificationCodePolicy,
    now: i64,
) -> Result<String, Error> {
    let (id, nothing) = (random.id(21)?, random.secret(DECOY_LENGTH)?);
    keep(tx, cipher, requester, &id, &nothing, now + policy.lifetime_ms()).await?;
    Ok(id)
}

async fn keep(
    tx: &mut Tx,
    cipher: &Cipher,
    requester: &Requester,
    id: &str,
    code: &str,
    expires_at: i64,
) -> Result<(), Error> {
    let digest = cipher.digest(Purpose::VerificationCode, id, code)?;
    let row = VerificationCode { requester: requester.0.clone(), id: id.to_owned(), digest, attempts: 0, expires_at };
    Ok(verification_codes::put(tx, &row).await?)
}

/// Whether this is the code. What is typed counts, and is committed as such, before it is compared. `id` is that of the
/// verification, where the caller names one.
pub async fn prove(
    db: &Db,
    cipher: &Cipher,
    requester: &Requester,
    id: Option<&str>,
    text: &str,
    policy: &VerificationCodePolicy,
    now: i64,
) -> storage::Result<Result<Proved, CodeRefusal>> {
    let mut tx = db.begin().await?;
    let counted = verification_codes::count_attempt(&mut tx, &requester.0).await?;
    tx.commit().await?;
    let Some(row) = counted.filter(|row| id.is_none_or(|id| row.id == id)) else {
        return Ok(Err(CodeRefusal::NotFound));
    };
    let refusal = if row.expires_at <= now {
        Some(CodeRefusal::Expired)
    } else if row.attempts > policy.max_attempts() {
        Some(CodeRefusal::TooManyAttempts)
    } else if !is_code(cipher, &row, text) {
        Some(CodeRefusal::Mismatch)
    } else {
        None
    };
    Ok(refusal.map_or(Ok(Proved { requester: requester.clone(), id: row.id }), Err))
}

/// Codes have digits only, so that no input can match a decoy.
fn is_code(cipher: &Cipher, row: &VerificationCode, text: &str) -> bool {
    let code = typed(text);
    let is_shaped = code.len() == CODE_LENGTH && code.bytes().all(|byte| byte.is_ascii_digit());
    is_shaped && cipher.is_digest(Purpose::VerificationCode, &row.id, &code, &row.digest)
}

/// Uses a code that was entered correctly. `false` if a concurrent request used it.
pub async fn consume(tx: &mut Tx, proved: &Proved) -> storage::Result<bool> {
    verification_codes::consume(tx, &proved.requester.0, &proved.id).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asker_is_its_words_one_by_one() {
        assert_eq!(Requester::new(&["a", "b"]), Requester::new(&["a", "b"]));
        for other in [&["ab"][..], &["b", "a"], &["a", "b", ""], &["a"]] {
            assert_ne!(Requester::new(&["a", "b"]), Requester::new(other), "{other:?}");
        }
    }
}
