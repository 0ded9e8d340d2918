//! How old the passwords of users are. The columns are in the row of the user, and are written with the password.

use super::{COLUMNS, User};
use crate::{Result, Tx};
use claimsmith_domain::id::UserId;

/// How old a password is.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct PasswordAge {
    /// When it was last changed, Unix milliseconds; `None` if that was before this was stored.
    pub password_updated_at: Option<i64>,
    /// Whether an operator expired it.
    pub is_password_expired: bool,
    /// When the user was created, Unix milliseconds.
    pub created_at: i64,
}

/// How old the password of a user is. `None` if there is no such user.
pub async fn find(tx: &mut Tx, id: &UserId) -> Result<Option<PasswordAge>> {
    let sql = "SELECT password_updated_at, is_password_expired, created_at FROM users WHERE id = $1";
    tx.sql(sql).bind(id).optional().await
}

/// Expires the password of a user, or withdraws that. Returns the user, or `None` if there is none.
pub async fn set_expired(tx: &mut Tx, id: &UserId, is_expired: bool, now: i64) -> Result<Option<User>> {
    let sql = format!(
        "UPDATE users SET is_password_expired = $1, updated_at = $2, revision = revision + 1 \
         WHERE id = $3 RETURNING {COLUMNS}"
    );
    tx.assembled(sql).bind(is_expired).bind(now).bind(id).optional().await
}
