//! Accounts of users at enterprise connectors.

use crate::{Json, Result, Tx};
use claimsmith_domain::id::{SsoConnectorId, UserId};
use serde_json::Value;

const COLUMNS: &str =
    "id, user_id, sso_connector_id, issuer, identity_id, detail, linked_by_owner, created_at, updated_at";

/// An account at an enterprise connector.
#[derive(Clone, Debug, crate::Row)]
pub struct SsoIdentity {
    /// 21 characters.
    pub id: String,
    /// The user.
    pub user_id: UserId,
    /// The connector.
    pub sso_connector_id: SsoConnectorId,
    /// The issuer of the connector when the account was linked.
    pub issuer: String,
    /// The id at the issuer.
    pub identity_id: String,
    /// The account data of the provider.
    pub detail: Json<Value>,
    /// Whether the user linked it themselves, after signing in to this server.
    pub linked_by_owner: bool,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// Links an account. `false` if it belongs to another user, or the user has another account at the connector.
pub async fn link(tx: &mut Tx, identity: &SsoIdentity) -> Result<bool> {
    let sql = format!(
        "INSERT INTO sso_identities ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
         ON CONFLICT DO NOTHING"
    );
    let linked = tx
        .assembled(sql)
        .bind(&identity.id)
        .bind(&identity.user_id)
        .bind(&identity.sso_connector_id)
        .bind(&identity.issuer)
        .bind(&identity.identity_id)
        .bind(&identity.detail)
        .bind(identity.linked_by_owner)
        .bind(identity.created_at)
        .bind(identity.updated_at)
        .execute()
        .await?;
    Ok(linked > 0)
}

/// Unlinks a user's account at a connector. `false` if there is none.
pub async fn unlink(tx: &mut Tx, user_id: &UserId, connector_id: &SsoConnectorId) -> Result<bool> {
    let sql = "DELETE FROM sso_identities WHERE user_id = $1 AND sso_connector_id = $2";
    Ok(tx.sql(sql).bind(user_id).bind(connector_id).execute().await? > 0)
}

/// The user of an account.
pub async fn owner(
    tx: &mut Tx,
    connector_id: &SsoConnectorId,
    issuer: &str,
    identity_id: &str,
) -> Result<Option<SsoIdentity>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM sso_identities WHERE sso_connector_id = $1 AND issuer = $2 AND identity_id = $3"
    );
    tx.assembled(sql).bind(connector_id).bind(issuer).bind(identity_id).optional().await
}

/// Updates the account data of the provider.
pub async fn update_detail(tx: &mut Tx, id: &str, detail: &Json<Value>, now: i64) -> Result<()> {
    tx.sql("UPDATE sso_identities SET detail = COALESCE($1, detail), updated_at = $2 WHERE id = $3")
        .bind(detail)
        .bind(now)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// The accounts of a user, oldest first.
pub async fn of_user(tx: &mut Tx, user_id: &UserId) -> Result<Vec<SsoIdentity>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM sso_identities WHERE user_id = $1 ORDER BY created_at, id"))
        .bind(user_id)
        .all()
        .await
}
