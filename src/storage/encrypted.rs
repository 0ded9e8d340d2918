//! Columns with encrypted secrets and keyed digests, for a rotation of the encryption key: read in pages, and replaced one
//! value at a time, only if it is still the one that was read. What each column holds is in `src/identity/rekey/columns.rs`.

use crate::{Dialect, Result, Tx};

/// How many rows are read together.
pub const ROWS_PER_PAGE: usize = 500;

/// A column with ciphertexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncryptedColumn {
    /// The table.
    pub table: &'static str,
    /// What names a row, as a text.
    pub key: &'static str,
    /// The column.
    pub column: &'static str,
    /// Whether it holds a JSON document with ciphertexts in it.
    pub is_document: bool,
}

/// What a row has in such a column.
#[derive(Clone, Debug, crate::Row)]
pub struct EncryptedValue {
    /// The row: its key, or both parts of it with a slash between them.
    pub id: String,
    /// The ciphertext, or the text of the document.
    pub value: String,
}

/// The values after a row, by row.
pub async fn page(tx: &mut Tx, of: &EncryptedColumn, after: &str) -> Result<Vec<EncryptedValue>> {
    let EncryptedColumn { table, key, column, .. } = of;
    let sql = format!(
        "SELECT {key} AS id, CAST({column} AS TEXT) AS value FROM {table} WHERE {column} IS NOT NULL AND {key} > $1 \
         ORDER BY {key} LIMIT {ROWS_PER_PAGE}"
    );
    tx.assembled(sql).bind(after).all().await
}

/// Replaces a value. `false` when it is another one by now, or the row is gone: whatever was written meanwhile stays.
pub async fn swap(tx: &mut Tx, of: &EncryptedColumn, old: &EncryptedValue, new: &str) -> Result<bool> {
    let EncryptedColumn { table, key, column, is_document } = of;
    let new_value = match tx.dialect() {
        Dialect::Postgres if *is_document => "CAST($1 AS JSONB)",
        _ => "$1",
    };
    let sql = format!("UPDATE {table} SET {column} = {new_value} WHERE {key} = $2 AND CAST({column} AS TEXT) = $3");
    Ok(tx.assembled(sql).bind(new).bind(&old.id).bind(&old.value).execute().await? > 0)
}

/// What still needs a previous key.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Waiting {
    /// How many.
    pub count: i64,
    /// When the last of them expires, Unix milliseconds.
    pub until: Option<i64>,
}

/// The verification codes that have not expired and whose digest does not begin like those of the current key.
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

/// The pending invitations whose link has a token that an earlier version made of a keyed digest.
pub async fn waiting_invitations(tx: &mut Tx, now: i64) -> Result<Waiting> {
    tx.sql(
        "SELECT COUNT(*) AS count, MAX(expires_at) AS until FROM organization_invitations \
         WHERE expires_at > $1 AND status = 'Pending' AND sealed_token IS NULL",
    )
    .bind(now)
    .one()
    .await
}
