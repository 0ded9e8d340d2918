//! Families of refresh tokens: all tokens from the same code. A family has a key, stored encrypted, from which the
//! successors of its tokens are derived (`docs/decisions/refresh-tokens.md`). Its row is created at the first rotation.

use crate::sql::filter::Placeholders;
use crate::{Result, Stmt, Tx};
use claimsmith_domain::id::GrantId;

/// A family as stored.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct RefreshFamily {
    /// The `family_id` of its tokens.
    pub id: String,
    /// The grant of its tokens.
    pub grant_id: GrantId,
    /// The encrypted key.
    pub encrypted_key: String,
    /// Unix milliseconds.
    pub created_at: i64,
}

const COLUMNS: &str = "id, grant_id, encrypted_key, created_at";

/// Condition on families: without tokens.
pub(crate) const WITHOUT_TOKENS: &str =
    "NOT EXISTS (SELECT 1 FROM refresh_tokens token WHERE token.family_id = refresh_families.id)";

/// The SQL that writes the keys of `count` families. A family already has a key if that could not be decrypted.
pub(crate) fn insert_sql(values: &mut Placeholders, count: usize) -> String {
    let insert = values.insert("refresh_families", (COLUMNS, 4), count);
    format!("{insert} ON CONFLICT (id) DO UPDATE SET encrypted_key = excluded.encrypted_key")
}

/// Binds one family of this SQL.
pub(crate) fn bind<'t>(statement: Stmt<'t>, family: &RefreshFamily) -> Stmt<'t> {
    statement.bind(&family.id).bind(&family.grant_id).bind(&family.encrypted_key).bind(family.created_at)
}

/// The family with this id.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<RefreshFamily>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM refresh_families WHERE id = $1")).bind(id).optional().await
}
