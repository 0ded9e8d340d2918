//! The encryption key: configured, or for the embedded database generated and stored in the data folder.

use claimsmith_config::folder;
use claimsmith_config::{Config, EncryptionKey};
use claimsmith_domain::base64;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_services::encryption::{Cipher, EncryptionError};
use data_encoding::BASE64;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use zeroize::Zeroizing;

const FILE: &str = "encryption.key";

/// The reason that there is no usable encryption key.
#[derive(Debug, thiserror::Error)]
pub enum EncryptionKeyError {
    /// Nodes that share a database must share the key, so it cannot be generated.
    #[error("CLAIMSMITH_ENCRYPTION_KEY must be set (32 bytes, base64) when the database is PostgreSQL")]
    Missing,
    /// The key file exists but contains no valid key.
    #[error("{0} does not hold 32 bytes in base64")]
    Malformed(String),
    /// The key file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A secret could not be encrypted or decrypted.
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// The cipher for encryption at rest.
pub fn cipher(config: &Config) -> Result<Cipher, EncryptionKeyError> {
    let key = match &config.encryption.key {
        Some(key) => key.clone(),
        None if config.database.url.is_embedded() => from_file(&config.data_dir)?,
        None => return Err(EncryptionKeyError::Missing),
    };
    let keys = std::iter::once(&key).chain(&config.encryption.previous_keys);
    Ok(Cipher::new(keys.map(EncryptionKey::expose))?)
}

/// Whether the data folder has a key file.
#[must_use]
pub fn has_key_file(data_dir: &Path) -> bool {
    data_dir.join(FILE).is_file()
}

/// Reads the key file; creates it (mode 0600) if it does not exist. Of two processes that start at once, one creates
/// it.
fn from_file(data_dir: &Path) -> Result<EncryptionKey, EncryptionKeyError> {
    let path = data_dir.join(FILE);
    let io = |error| EncryptionKeyError::Io { path: path.display().to_string(), error };
    folder::create_private(data_dir).map_err(io)?;
    match fs::read_to_string(&path).map(Zeroizing::new) {
        Ok(text) => parse(&text).ok_or_else(|| EncryptionKeyError::Malformed(path.display().to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let bytes = Zeroizing::new(random::bytes::<32>()?);
            let text = Zeroizing::new(BASE64.encode(bytes.as_slice()));
            // Atomic: linked into place after it is written, and never over an existing file.
            let draft = data_dir.join(format!("{FILE}.{}", random::id(8)?));
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft).map_err(io)?;
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(io)?;
            let linked = fs::hard_link(&draft, &path);
            fs::remove_file(&draft).map_err(io)?;
            match linked {
                Ok(()) => Ok(EncryptionKey::new(*bytes)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => from_file(data_dir),
                Err(error) => Err(io(error)),
            }
        }
        Err(error) => Err(io(error)),
    }
}

fn parse(text: &str) -> Option<EncryptionKey> {
    let bytes = Zeroizing::new(base64::decode(text.trim())?);
    <[u8; 32]>::try_from(bytes.as_slice()).ok().map(EncryptionKey::new)
}
