//! Linked accounts of users at other providers.

use crate::sql::slice::Count;
use crate::{Result, Tx};
use claimsmith_domain::id::UserId;

/// Links an account, replacing the user's account at the same target. `false` if it belongs to another user.
pub async fn link(tx: &mut Tx, user_id: &UserId, target: &str, external_id: &str) -> Result<bool> {
    unlink(tx, user_id, target).await?;
    let linked = tx
        .sql("INSERT INTO user_identities (target, external_id, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
        .bind(target)
        .bind(external_id)
        .bind(user_id)
        .execute()
        .await?;
    Ok(linked > 0)
}

/// The user of an account.
pub async fn owner(tx: &mut Tx, target: &str, external_id: &str) -> Result<Option<UserId>> {
    let sql = "SELECT user_id FROM user_identities WHERE target = $1 AND external_id = $2";
    let owner: Option<IdentityOwner> = tx.sql(sql).bind(target).bind(external_id).optional().await?;
    Ok(owner.map(|owner| owner.user_id))
}

/// Whether any user has an account at this target.
pub async fn exist(tx: &mut Tx, target: &str) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM (SELECT 1 FROM user_identities WHERE target = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(target).one::<Count>().await?.count > 0)
}

#[derive(crate::Row)]
struct IdentityOwner {
    user_id: UserId,
}

/// Unlinks the user's account at this target.
pub async fn unlink(tx: &mut Tx, user_id: &UserId, target: &str) -> Result<()> {
    tx.sql("DELETE FROM user_identities WHERE user_id = $1 AND target = $2")
        .bind(user_id)
        .bind(target)
        .execute()
        .await?;
    Ok(())
}
