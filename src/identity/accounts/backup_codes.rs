//! Backup codes: stored as hashes with the time of use of each, encrypted together as the secret of the factor.

use super::mfa::{self, FactorSecretError};
use claimsmith_domain::id::FactorId;
use claimsmith_runtime::json::{self, STORED};
use claimsmith_services::encryption::Cipher;
use claimsmith_storage::users::mfa::MfaFactor;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The backup codes of a user.
pub struct BackupCodes {
    factor_id: FactorId,
    codes: Vec<Code>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Code {
    digest: String,
    /// Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    used_at: Option<i64>,
}

/// The stored form. Versions without second factors stored the codes in plain text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Digest(Code),
    Plain(String),
}

impl BackupCodes {
    /// Creates the backup codes of the factor with this id.
    pub(super) fn new(factor_id: FactorId, codes: &[String]) -> Self {
        let codes = codes.iter().map(|code| Code { digest: digest(&factor_id, code), used_at: None }).collect();
        Self { factor_id, codes }
    }

    /// Reads the backup codes of a factor.
    pub fn read(cipher: &Cipher, factor: &MfaFactor) -> Result<Self, FactorSecretError> {
        let stored: Vec<Stored> = json::read(&mfa::decrypt(cipher, &factor.id, &factor.sealed)?, STORED)?;
        let read = |stored| match stored {
            Stored::Digest(code) => code,
            Stored::Plain(code) => Code { digest: digest(&factor.id, &code), used_at: None },
        };
        Ok(Self { factor_id: factor.id.clone(), codes: stored.into_iter().map(read).collect() })
    }

    /// The number of unused codes.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.codes.iter().filter(|code| code.used_at.is_none()).count()
    }

    /// Uses a code at the time `now` (Unix milliseconds). `false` if it is unknown or already used.
    pub(crate) fn take(&mut self, code: &str, now: i64) -> bool {
        // Generated codes have only lowercase letters; imported codes may have uppercase letters.
        let wanted = [digest(&self.factor_id, code), digest(&self.factor_id, &code.to_ascii_lowercase())];
        let mut left = self.codes.iter_mut().filter(|known| known.used_at.is_none());
        match left.find(|known| wanted.contains(&known.digest)) {
            Some(known) => {
                known.used_at = Some(now);
                true
            }
            None => false,
        }
    }

    /// The encrypted form for storage.
    pub(crate) fn encrypt(&self, cipher: &Cipher) -> Result<String, FactorSecretError> {
        Ok(mfa::encrypt(cipher, &self.factor_id, &serde_json::to_string(&self.codes)?)?)
    }
}

/// Hashes a code together with the id of its factor, so that equal codes of two users differ.
fn digest(factor_id: &FactorId, code: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(format!("backup-code:{factor_id}:{code}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_domain::documents::mfa::FactorType;

    fn factor(sealed: String) -> MfaFactor {
        let (id, user_id) = ("f".into(), "u".into());
        MfaFactor { id, user_id, kind: FactorType::BackupCode, sealed, used_step: None, created_at: 0, name: None }
    }

    #[test]
    fn each_code_works_once() -> Result<(), Box<dyn std::error::Error>> {
        let cipher = Cipher::new([&[1; 32]])?;
        let mut codes = BackupCodes::new("f".into(), &["abc1".to_owned(), "Def2".to_owned()]);
        assert_eq!((codes.take("other", 1), codes.take("ABC1", 1), codes.take("abc1", 1)), (false, true, false));
        let sealed = codes.encrypt(&cipher)?;
        let open = mfa::decrypt(&cipher, &"f".into(), &sealed)?;
        assert!(!open.contains("abc1") && !open.contains("Def2"), "{open}");
        let mut codes = BackupCodes::read(&cipher, &factor(sealed))?;
        assert_eq!((codes.remaining(), codes.take("abc1", 1), codes.take("Def2", 1)), (1, false, true));
        assert_eq!(codes.remaining(), 0);
        Ok(())
    }

    #[test]
    fn codes_of_older_versions_still_work() -> Result<(), Box<dyn std::error::Error>> {
        let cipher = Cipher::new([&[1; 32]])?;
        let old = mfa::encrypt(&cipher, &"f".into(), r#"["abc1","abc2"]"#)?;
        let mut codes = BackupCodes::read(&cipher, &factor(old))?;
        assert_eq!((codes.take("abc2", 1), codes.take("abc2", 1), codes.remaining()), (true, false, 1));
        Ok(())
    }
}
