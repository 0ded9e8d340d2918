//! Enterprise connectors, and the email domains that they own. Their configuration is encrypted, since it contains a
//! secret.

use crate::sql::slice::Count;
use crate::{Json, Links, Result, Slice, Tx};
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::id::SsoConnectorId;
use serde_json::Value;

const COLUMNS: &str = "id, provider_name, connector_name, config, branding, sync_profile, enable_token_storage, \
    signs_in_administrators, created_at";

/// The domains that a connector owns, in lower case.
pub const DOMAINS: Links<SsoConnectorId, String> = Links::new("sso_connector_domains", &["sso_connector_id"], "domain");

/// A connector as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct SsoConnector {
    /// 21 characters.
    pub id: SsoConnectorId,
    /// The provider, such as `OIDC`.
    pub provider_name: String,
    /// Unique, ignoring case.
    pub connector_name: String,
    /// The configuration, encrypted for the row, base64.
    pub config: String,
    /// Name and logos on the pages.
    pub branding: Json<Value>,
    /// Whether the user's profile is updated at each sign-in.
    pub sync_profile: bool,
    /// Whether tokens of the provider are stored.
    pub enable_token_storage: bool,
    /// Whether it signs in administrators, by identities that they linked themselves.
    pub signs_in_administrators: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// Adds a connector. [`crate::Error::Conflict`] if its name is taken.
pub async fn insert(tx: &mut Tx, connector: &SsoConnector) -> Result<()> {
    tx.sql(
        "INSERT INTO sso_connectors (id, provider_name, connector_name, config, branding, sync_profile, \
         enable_token_storage, created_at, name_key, signs_in_administrators) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(&connector.id)
    .bind(&connector.provider_name)
    .bind(&connector.connector_name)
    .bind(&connector.config)
    .bind(&connector.branding)
    .bind(connector.sync_profile)
    .bind(connector.enable_token_storage)
    .bind(connector.created_at)
    .bind(fold(&connector.connector_name))
    .bind(connector.signs_in_administrators)
    .execute()
    .await?;
    Ok(())
}

/// Updates a connector. `false` if there is none, [`crate::Error::Conflict`] if its name is taken.
pub async fn update(tx: &mut Tx, connector: &SsoConnector) -> Result<bool> {
    let updated = tx
        .sql(
            "UPDATE sso_connectors SET connector_name = $1, name_key = $2, config = $3, \
             branding = COALESCE($4, branding), sync_profile = $5, enable_token_storage = $6, \
             signs_in_administrators = $7 WHERE id = $8",
        )
        .bind(&connector.connector_name)
        .bind(fold(&connector.connector_name))
        .bind(&connector.config)
        .bind(&connector.branding)
        .bind(connector.sync_profile)
        .bind(connector.enable_token_storage)
        .bind(connector.signs_in_administrators)
        .bind(&connector.id)
        .execute()
        .await?;
    Ok(updated > 0)
}

/// One connector.
pub async fn find(tx: &mut Tx, id: &SsoConnectorId) -> Result<Option<SsoConnector>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM sso_connectors WHERE id = $1")).bind(id).optional().await
}

/// Connectors, oldest first.
pub async fn list(tx: &mut Tx, slice: Slice) -> Result<Vec<SsoConnector>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM sso_connectors ORDER BY created_at, id LIMIT $1 OFFSET $2"))
        .bind(slice.limit)
        .bind(slice.offset)
        .all()
        .await
}

/// The number of connectors.
pub async fn count(tx: &mut Tx) -> Result<i64> {
    Ok(tx.sql("SELECT COUNT(*) AS count FROM sso_connectors").one::<Count>().await?.count)
}

/// The connectors that own an email domain, oldest first.
pub async fn of_domain(tx: &mut Tx, domain: &str) -> Result<Vec<SsoConnector>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM sso_connectors \
         WHERE id IN (SELECT sso_connector_id FROM sso_connector_domains WHERE domain = $1) ORDER BY created_at, id"
    );
    tx.assembled(sql).bind(fold(domain)).all().await
}

/// Whether any connector signs in administrators.
pub async fn any_signs_in_administrators(tx: &mut Tx) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM sso_connectors WHERE signs_in_administrators = TRUE";
    Ok(tx.sql(sql).one::<Count>().await?.count > 0)
}

/// The connectors that sign in administrators, oldest first.
pub async fn that_sign_in_administrators(tx: &mut Tx, limit: i64) -> Result<Vec<SsoConnector>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM sso_connectors WHERE signs_in_administrators = TRUE ORDER BY created_at, id LIMIT $1"
    );
    tx.assembled(sql).bind(limit).all().await
}

/// Deletes a connector with its identities. `false` if there is none.
pub async fn delete(tx: &mut Tx, id: &SsoConnectorId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM sso_connectors WHERE id = $1").bind(id).execute().await? > 0)
}
