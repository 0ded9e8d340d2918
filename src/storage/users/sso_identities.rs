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
    /// Whose it is.
    pub user_id: UserId,
    /// The connector.
    pub sso_connector_id: SsoConnectorId,
    /// The issuer that the connector had.
    pub issuer: String,
    /// The id there.
    pub identity_id: String,
    /// What is known of them there.
    pub detail: Json<Value>,
    /// Whether the user linked it themselves, after they had proved who they are here.
    pub linked_by_owner: bool,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// Links an account. `false` when it is somebody else's, or the user has another one there.
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

/// Takes the account at a connector from a user. `false` when they have none.
pub async fn unlink(tx: &mut Tx, user_id: &UserId, connector_id: &SsoConnectorId) -> Result<bool> {
    let sql = "DELETE FROM sso_identities WHERE user_id = $1 AND sso_connector_id = $2";
    Ok(tx.sql(sql).bind(user_id).bind(connector_id).execute().await? > 0)
}

/// Whose account it is.
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

/// Writes what is known of somebody there now.
pub async fn update_detail(tx: &mut Tx, id: &str, detail: &Json<Value>, now: i64) -> Result<()> {
    tx.sql("UPDATE sso_identities SET detail = COALESCE($1, detail), updated_at = $2 WHERE id = $3")
        .bind(detail)
        .bind(now)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// The accounts of a user, the oldest first.
pub async fn of_user(tx: &mut Tx, user_id: &UserId) -> Result<Vec<SsoIdentity>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM sso_identities WHERE user_id = $1 ORDER BY created_at, id"))
        .bind(user_id)
        .all()
        .await
}
