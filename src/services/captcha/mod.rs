//! Captcha: the encrypted configuration of the provider, and verifying an answer: to a proof-of-work puzzle of this
//! server, or at the provider's server.

pub mod proof_of_work;

mod provider_client;

pub use provider_client::ProviderClient;

use crate::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_domain::documents::captcha::CaptchaConfig;
use claimsmith_runtime::json::{self, STORED};
use claimsmith_storage::sign_in::captcha::{self, CaptchaProvider};
use claimsmith_storage::{self as storage, Tx};

/// The row, for encryption.
const ROW: &str = "default";

/// A configuration cannot be used. Says nothing about what is in it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database.
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// It cannot be encrypted or decrypted.
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// It is not a configuration.
    #[error("the stored configuration of the captcha provider cannot be read")]
    Unreadable,
}

/// The configuration as it is stored.
pub fn encrypt(cipher: &Cipher, config: &CaptchaConfig) -> Result<String, Error> {
    let text = serde_json::to_string(config).map_err(|_| Error::Unreadable)?;
    Ok(cipher.encrypt(Purpose::CaptchaProvider, ROW, text.as_bytes())?)
}

/// The configuration of a provider.
pub fn decrypt(cipher: &Cipher, provider: &CaptchaProvider) -> Result<CaptchaConfig, Error> {
    let text = cipher.decrypt(Purpose::CaptchaProvider, ROW, &provider.config)?;
    json::read(text.as_slice(), STORED).map_err(|_| Error::Unreadable)
}

/// The configured provider, if there is one.
pub async fn find(tx: &mut Tx, cipher: &Cipher) -> Result<Option<CaptchaConfig>, Error> {
    match captcha::find(tx).await? {
        Some(provider) => Ok(Some(decrypt(cipher, &provider)?)),
        None => Ok(None),
    }
}
