//! Connectors to other services. Their configuration is encrypted, since it contains secrets.

pub mod sso_connectors;

use crate::{Json, Result, Tx};
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::id::ConnectorId;
use serde_json::Value;

const COLUMNS: &str =
    "id, connector_id, type AS kind, target, metadata, config, sync_profile, enable_token_storage, created_at";

/// A connector as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct Connector {
    /// Its id.
    pub id: ConnectorId,
    /// The id of its factory, such as `smtp`.
    pub connector_id: String,
    /// Its type.
    pub kind: ConnectorType,
    /// The key of users' identities.
    pub target: String,
    /// The operator's own name, logo and target.
    pub metadata: Json<Value>,
    /// The configuration, encrypted for the row, base64.
    pub config: String,
    /// Whether the user's profile is updated at each sign-in.
    pub sync_profile: bool,
    /// Whether tokens of the other service are stored.
    pub enable_token_storage: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// Adds a connector. [`crate::Error::Conflict`] if its type allows only one and there is one already.
pub async fn insert(tx: &mut Tx, connector: &Connector) -> Result<()> {
    tx.sql(
        "INSERT INTO connectors (id, connector_id, type, target, metadata, config, sync_profile, \
         enable_token_storage, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&connector.id)
    .bind(&connector.connector_id)
    .bind(connector.kind)
    .bind(&connector.target)
    .bind(&connector.metadata)
    .bind(&connector.config)
    .bind(connector.sync_profile)
    .bind(connector.enable_token_storage)
    .bind(connector.created_at)
    .execute()
    .await?;
    Ok(())
}

/// One connector.
pub async fn find(tx: &mut Tx, id: &ConnectorId) -> Result<Option<Connector>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM connectors WHERE id = $1")).bind(id).optional().await
}

/// The connector of a type that allows only one, such as `Email`.
pub async fn find_of_type(tx: &mut Tx, kind: ConnectorType) -> Result<Option<Connector>> {
    let sql = format!("SELECT {COLUMNS} FROM connectors WHERE type = $1 ORDER BY created_at, id LIMIT 1");
    tx.assembled(sql).bind(kind).optional().await
}

/// All connectors, or those with this target, oldest first.
pub async fn list(tx: &mut Tx, target: Option<&str>) -> Result<Vec<Connector>> {
    match target {
        Some(target) => {
            let sql = format!("SELECT {COLUMNS} FROM connectors WHERE target = $1 ORDER BY created_at, id");
            tx.assembled(sql).bind(target).all().await
        }
        None => tx.assembled(format!("SELECT {COLUMNS} FROM connectors ORDER BY created_at, id")).all().await,
    }
}

/// Updates metadata, configuration and both settings of a connector. `false` if there is none.
pub async fn update(tx: &mut Tx, connector: &Connector) -> Result<bool> {
    let updated = tx
        .sql(
            "UPDATE connectors SET metadata = COALESCE($1, metadata), config = $2, sync_profile = $3, \
             enable_token_storage = $4 WHERE id = $5",
        )
        .bind(&connector.metadata)
        .bind(&connector.config)
        .bind(connector.sync_profile)
        .bind(connector.enable_token_storage)
        .bind(&connector.id)
        .execute()
        .await?;
    Ok(updated > 0)
}

/// Deletes a connector. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &ConnectorId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM connectors WHERE id = $1").bind(id).execute().await? > 0)
}

/// Deletes the connectors of a type, and returns their number.
pub async fn delete_of_type(tx: &mut Tx, kind: ConnectorType) -> Result<u64> {
    tx.sql("DELETE FROM connectors WHERE type = $1").bind(kind).execute().await
}

#[derive(crate::Row)]
struct Count {
    number: i64,
}

/// Whether there is a connector of a type, such as `Email`.
pub async fn has(tx: &mut Tx, kind: ConnectorType) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS number FROM connectors WHERE type = $1";
    Ok(tx.sql(sql).bind(kind).one::<Count>().await?.number > 0)
}
