//! Rekeying: every stored secret is encrypted again under the current encryption key (`claimsmith keys rekey`), beside
//! servers that run. A value is replaced only if it is still the one that was read, so that no change of anybody is
//! undone; what was changed meanwhile is looked at again. What cannot be encrypted again is reported, with the time until
//! which the previous keys must stay (`docs/encryption.md`).

pub(crate) mod columns;

use claimsmith_runtime::json::{self, STORED};
use claimsmith_services::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_storage::encrypted::{self, EncryptedValue, Waiting};
use claimsmith_storage::{self as storage, Db};
use columns::{Kept, SecretColumn, kept};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// How often a column is looked at, if something in it is under another key each time. A node that does not know the
/// current key yet writes such values.
const MAX_PASSES: usize = 20;
/// How many values are replaced in one transaction: few, so that nobody waits for it.
const VALUES_PER_TRANSACTION: usize = 20;
/// How often a transaction is begun again that failed, for instance since another one has the lock.
const MAX_ATTEMPTS: u32 = 6;

/// What came of it.
#[derive(Debug, Default)]
pub struct Rekeyed {
    /// How many values were encrypted again, by table and column.
    pub counts: Vec<(String, usize)>,
    /// Those that cannot be decrypted: `table column row: why`.
    pub unreadable: Vec<String>,
    /// Columns in which values were under another key to the last.
    pub unfinished: Vec<String>,
    /// What needs the previous keys for a while longer: what it is, and how much of it there is.
    pub waiting: Vec<(&'static str, Waiting)>,
}

impl Rekeyed {
    /// How many values were encrypted again.
    #[must_use]
    pub fn count(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// Encrypts every stored secret again that is not encrypted under the current key. `now` is Unix milliseconds.
pub async fn rekey(db: &Db, cipher: &Cipher, now: i64) -> storage::Result<Rekeyed> {
    let mut rekeyed = Rekeyed::default();
    for purpose in Purpose::ALL {
        let Kept::Encrypted(columns) = kept(*purpose) else { continue };
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

/// The columns that depend on the encryption key, by table: those that are encrypted again, and those with digests.
#[must_use]
pub fn protected_columns() -> BTreeSet<(&'static str, &'static str)> {
    let of = |purpose: &Purpose| match kept(*purpose) {
        Kept::Encrypted(columns) => columns.iter().map(|one| (one.stored.table, one.stored.column)).collect(),
        Kept::Digested { table, column } => vec![(table, column)],
        Kept::Outside(_) | Kept::Derived => Vec::new(),
    };
    Purpose::ALL.iter().flat_map(of).collect()
}

/// The longest that something outside of the database depends on a previous key, in milliseconds.
#[must_use]
pub fn longest_outside_ms() -> i64 {
    let of = |purpose: &Purpose| match kept(*purpose) {
        Kept::Outside(lifetime) => lifetime,
        _ => 0,
    };
    Purpose::ALL.iter().map(of).max().unwrap_or_default()
}

/// One look at a column.
#[derive(Default)]
struct Pass {
    replaced: usize,
    /// Changed by somebody else since they were read.
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

/// The value under the current key; `None` where it is.
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
            // In the text, so that the rest of the document stays as it is, digit for digit.
            text = text.replace(&found.sealed, &sealed);
        }
    }
    Ok((text != stored.value).then_some(text))
}

/// Replaces values; answers how many were still those that were read.
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
