//! Rekeying: encrypts every stored secret again under the current encryption key (`claimsmith keys rekey`), while
//! servers run. A value is replaced only if it is unchanged since it was read, so that no concurrent change is lost;
//! changed values are read again. What cannot be encrypted again is reported, with the time until which the previous
//! keys are needed (`docs/encryption.md`).

pub(crate) mod columns;

use claimsmith_runtime::json::{self, STORED};
use claimsmith_services::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_storage::encrypted::{self, EncryptedValue, Waiting};
use claimsmith_storage::{self as storage, Db};
use columns::{SecretColumn, SecretLocation, secret_location};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// Maximum passes over a column, if each finds values under another key. Nodes that do not know the current key yet
/// write such values.
const MAX_PASSES: usize = 20;
/// Maximum values replaced per transaction: few, so that other writers are not delayed.
const VALUES_PER_TRANSACTION: usize = 20;
/// Maximum attempts of a failed transaction, for instance because another one has the lock.
const MAX_ATTEMPTS: u32 = 6;

/// The result of rekeying.
#[derive(Debug, Default)]
pub struct Rekeyed {
    /// The number of re-encrypted values, by table and column.
    pub counts: Vec<(String, usize)>,
    /// Values that cannot be decrypted: `table column row: why`.
    pub unreadable: Vec<String>,
    /// Columns that still contained values under another key in the last pass.
    pub unfinished: Vec<String>,
    /// Data that needs the previous keys for a while longer, by kind.
    pub waiting: Vec<(&'static str, Waiting)>,
}

impl Rekeyed {
    /// The total number of re-encrypted values.
    #[must_use]
    pub fn count(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// Re-encrypts every stored secret that is not encrypted under the current key. `now` is Unix milliseconds.
pub async fn rekey(db: &Db, cipher: &Cipher, now: i64) -> storage::Result<Rekeyed> {
    let mut rekeyed = Rekeyed::default();
    for purpose in Purpose::ALL {
        let SecretLocation::Encrypted(columns) = secret_location(*purpose) else { continue };
        for column in columns {
            rekey_column(db, cipher, (*purpose, column), &mut rekeyed).await?;
        }
    }
    let mut tx = db.read().await?;
    let codes = encrypted::waiting_codes(&mut tx, &cipher.current_prefix(), now).await?;
    let invitations = encrypted::waiting_invitations(&mut tx, now).await?;
    rekeyed.waiting = [("verification codes", codes), ("invitations that an earlier version sent", invitations)].into();
    rekeyed.waiting.retain(|(_, waiting)| waiting.count > 0);
    Ok(rekeyed)
}

/// The columns that depend on the encryption key, by table: those with ciphertexts, and those with keyed hashes.
#[must_use]
pub fn protected_columns() -> BTreeSet<(&'static str, &'static str)> {
    let of = |purpose: &Purpose| match secret_location(*purpose) {
        SecretLocation::Encrypted(columns) => columns.iter().map(|one| (one.stored.table, one.stored.column)).collect(),
        SecretLocation::Digested { table, column } => vec![(table, column)],
        SecretLocation::Outside(_) | SecretLocation::Derived => Vec::new(),
    };
    Purpose::ALL.iter().flat_map(of).collect()
}

/// The longest time that data outside of the database depends on a previous key, in milliseconds.
#[must_use]
pub fn longest_outside_ms() -> i64 {
    let of = |purpose: &Purpose| match secret_location(*purpose) {
        SecretLocation::Outside(lifetime) => lifetime,
        _ => 0,
    };
    Purpose::ALL.iter().map(of).max().unwrap_or_default()
}

/// The result of one pass over a column.
#[derive(Default)]
struct Pass {
    replaced: usize,
    /// Values changed by another writer since they were read.
    changed_meanwhile: usize,
    unreadable: Vec<String>,
}

async fn rekey_column(
    db: &Db,
    cipher: &Cipher,
    of: (Purpose, &SecretColumn),
    rekeyed: &mut Rekeyed,
) -> storage::Result<()> {
    let name = format!("{}.{}", of.1.stored.table, of.1.stored.column);
    let mut count = 0;
    for pass in 1.. {
        let Pass { replaced, changed_meanwhile, unreadable } = look_at(db, cipher, of).await?;
        count += replaced;
        let is_clean = replaced + changed_meanwhile == 0;
        if is_clean || pass == MAX_PASSES {
            rekeyed.unreadable.extend(unreadable);
            if !is_clean {
                rekeyed.unfinished.push(name.clone());
            }
            break;
        }
    }
    rekeyed.counts.push((name, count));
    Ok(())
}

async fn look_at(db: &Db, cipher: &Cipher, (purpose, column): (Purpose, &SecretColumn)) -> storage::Result<Pass> {
    let (mut pass, mut after) = (Pass::default(), String::new());
    loop {
        let values = encrypted::page(&mut db.read().await?, &column.stored, &after).await?;
        let Some(last) = values.last() else { return Ok(pass) };
        after.clone_from(&last.id);
        let mut changes = Vec::new();
        for value in values {
            match renewed(cipher, (purpose, column), &value) {
                Ok(None) => {}
                Ok(Some(new)) => changes.push((value, new)),
                Err(error) => {
                    let (table, column) = (column.stored.table, column.stored.column);
                    pass.unreadable.push(format!("{table} {column} {}: {error}", value.id));
                }
            }
        }
        for changes in changes.chunks(VALUES_PER_TRANSACTION) {
            let replaced = replace(db, column, changes).await?;
            pass.replaced += replaced;
            pass.changed_meanwhile += changes.len() - replaced;
        }
    }
}

/// Re-encrypts a value under the current key; `None` if it already is.
fn renewed(
    cipher: &Cipher,
    (purpose, column): (Purpose, &SecretColumn),
    stored: &EncryptedValue,
) -> Result<Option<String>, EncryptionError> {
    let Some(inside) = column.inside else { return cipher.reencrypt(purpose, &stored.id, &stored.value) };
    let document: Value = json::read(stored.value.as_bytes(), STORED).map_err(|_| EncryptionError::Damaged)?;
    let mut text = stored.value.clone();
    for found in inside(&stored.id, &document) {
        if let Some(sealed) = cipher.reencrypt(purpose, &found.row, &found.sealed)? {
            // Replaced in the text, so that the rest of the document stays the same byte for byte.
            text = text.replace(&found.sealed, &sealed);
        }
    }
    Ok((text != stored.value).then_some(text))
}

/// Replaces values that are unchanged since they were read; returns their number.
async fn replace(db: &Db, column: &SecretColumn, changes: &[(EncryptedValue, String)]) -> storage::Result<usize> {
    for attempt in 1.. {
        match try_replace(db, column, changes).await {
            Err(_) if attempt < MAX_ATTEMPTS => tokio::time::sleep(Duration::from_millis(50) * attempt).await,
            result => return result,
        }
    }
    Ok(0)
}

async fn try_replace(db: &Db, column: &SecretColumn, changes: &[(EncryptedValue, String)]) -> storage::Result<usize> {
    let (mut tx, mut replaced) = (db.begin().await?, 0);
    for (old, new) in changes {
        replaced += usize::from(encrypted::swap(&mut tx, &column.stored, old, new).await?);
    }
    tx.commit().await?;
    Ok(replaced)
}
