//! Families of refresh tokens: all tokens that come from the same code. A family has a key, stored encrypted, from which
//! the successors of its tokens are derived (`docs/decisions/refresh-tokens.md`). It gets its row with the first rotation.

use crate::domain::id::GrantId;
use crate::storage::sql::filter::Placeholders;
use crate::storage::{Result, Stmt, Tx};

/// A family as stored.
#[derive(Clone, Debug, PartialEq, Eq, crate::storage::Row)]
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

/// Condition on families: no token is left.
pub(in crate::storage) const WITHOUT_TOKENS: &str =
    "NOT EXISTS (SELECT 1 FROM refresh_tokens token WHERE token.family_id = refresh_families.id)";

/// The text that writes the keys of `count` families. A family has a key already if that could not be decrypted.
pub(in crate::storage) fn insert_sql(values: &mut Placeholders, count: usize) -> String {
    format!(
        "INSERT INTO refresh_families ({COLUMNS}) VALUES {} \
         ON CONFLICT (id) DO UPDATE SET encrypted_key = excluded.encrypted_key",
        values.rows(4, count)
    )
}

/// Binds one family of such a text.
pub(in crate::storage) fn bind<'t>(statement: Stmt<'t>, family: &RefreshFamily) -> Stmt<'t> {
    statement.bind(&family.id).bind(&family.grant_id).bind(&family.encrypted_key).bind(family.created_at)
}

/// The family of that id.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<RefreshFamily>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM refresh_families WHERE id = $1")).bind(id).optional().await
}
