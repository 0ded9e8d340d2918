//! The signing keys of a new server: one for the algorithm of access tokens, and an RS256 key for ID tokens
//! (`docs/decisions/signing-keys.md`). Missing ones are added to databases of older versions.

use super::{Error, algorithm};
use claimsmith_config::Config;
use claimsmith_services::encryption::Cipher;
use claimsmith_services::tokens::{Algorithm, keys};
use claimsmith_storage::signing_keys::{self, SigningKey};
use claimsmith_storage::{Db, Tx};

/// Generates the keys that the database lacks; they are used for signing at once. Before the transaction that adds
/// them, since generating an RSA key is slow.
pub(super) async fn make_missing(
    db: &Db,
    cipher: &Cipher,
    config: &Config,
    now: i64,
) -> Result<Vec<(Algorithm, SigningKey)>, Error> {
    let mut needed = vec![algorithm(config)];
    if !needed.contains(&Algorithm::RS256) {
        needed.push(Algorithm::RS256);
    }
    let mut tx = db.read().await?;
    let mut made = Vec::new();
    for algorithm in needed {
        if !keys::has_line(&mut tx, algorithm, now).await? {
            made.push((algorithm, keys::make(algorithm, cipher, now, now)?));
        }
    }
    Ok(made)
}

/// Adds the keys that no other node has added in the meantime; returns their ids.
pub(super) async fn add_missing(
    tx: &mut Tx,
    made: Vec<(Algorithm, SigningKey)>,
    now: i64,
) -> Result<Vec<String>, Error> {
    let mut added = Vec::new();
    for (algorithm, key) in made {
        if !keys::has_line(tx, algorithm, now).await? {
            signing_keys::insert(tx, &key).await?;
            added.push(key.kid);
        }
    }
    Ok(added)
}
