//! Columns with encrypted secrets and keyed hashes, for rotating the encryption key: read in pages, and replaced one by
//! one, only if unchanged since. `src/identity/rekey/columns.rs` lists the columns.

use crate::{Dialect, Result, Tx};

/// Number of rows per page.
pub const ROWS_PER_PAGE: usize = 500;

/// A column with ciphertexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncryptedColumn {
    /// The table.
    pub table: &'static str,
    /// SQL expression for the key of a row, as text.
    pub key: &'static str,
    /// The column.
    pub column: &'static str,
    /// Whether it contains a JSON document with ciphertexts.
    pub is_document: bool,
}

/// The value of a row in such a column.
#[derive(Clone, Debug, crate::Row)]
pub struct EncryptedValue {
    /// The key of the row; two parts are separated by a slash.
    pub id: String,
    /// The ciphertext, or the text of the document.
    pub value: String,
}

/// A page of values after a key, ordered by key.
pub async fn page(tx: &mut Tx, of: &EncryptedColumn, after: &str) -> Result<Vec<EncryptedValue>> {
    let EncryptedColumn { table, key, column, .. } = of;
    let sql = format!(
        "SELECT {key} AS id, CAST({column} AS TEXT) AS value FROM {table} WHERE {column} IS NOT NULL AND {key} > $1 \
         ORDER BY {key} LIMIT {ROWS_PER_PAGE}"
    );
    tx.assembled(sql).bind(after).all().await
}

/// Replaces a value. `false` if it has changed or the row was deleted; then nothing is written.
pub async fn swap(tx: &mut Tx, of: &EncryptedColumn, old: &EncryptedValue, new: &str) -> Result<bool> {
    let EncryptedColumn { table, key, column, is_document } = of;
    let new_value = match tx.dialect() {
        Dialect::Postgres if *is_document => "CAST($1 AS JSONB)",
        _ => "$1",
    };
    let sql = format!("UPDATE {table} SET {column} = {new_value} WHERE {key} = $2 AND CAST({column} AS TEXT) = $3");
    Ok(tx.assembled(sql).bind(new).bind(&old.id).bind(&old.value).execute().await? > 0)
}

/// Values that still need a previous key.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Waiting {
    /// Their number.
    pub count: i64,
    /// When the last of them expires, Unix milliseconds.
    pub until: Option<i64>,
}

/// The unexpired verification codes whose keyed hash does not have the prefix of the current key.
pub async fn waiting_codes(tx: &mut Tx, current: &str, now: i64) -> Result<Waiting> {
    tx.sql(
        "SELECT COUNT(*) AS count, MAX(expires_at) AS until FROM verification_codes \
         WHERE expires_at > $1 AND SUBSTR(digest, 1, LENGTH(CAST($2 AS TEXT))) <> $2",
    )
    .bind(now)
    .bind(current)
    .one()
    .await
}

/// The pending invitations whose token an earlier version derived from a keyed hash.
pub async fn waiting_invitations(tx: &mut Tx, now: i64) -> Result<Waiting> {
    tx.sql(
        "SELECT COUNT(*) AS count, MAX(expires_at) AS until FROM organization_invitations \
         WHERE expires_at > $1 AND status = 'Pending' AND sealed_token IS NULL",
    )
    .bind(now)
    .one()
    .await
}
