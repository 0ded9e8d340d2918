//! Settings of this database: when it was set up, and whether it has demo data.

use super::{Result, Tx};
use claimsmith_domain::id::{ApplicationId, UserId};

/// The key of the configuration of ID tokens, JSON.
pub const ID_TOKENS: &str = "config.id_token";

const DEMO_CLIENT: &str = "demo.client";
const DEMO_BACKEND: &str = "demo.backend";
const DEMO_CUSTOMER: &str = "demo.customer";
const DEMO_RESOURCE: &str = "demo.resource";

#[derive(crate::Row)]
struct Setting {
    value: String,
}

/// The value of a setting.
pub async fn get(tx: &mut Tx, key: &str) -> Result<Option<String>> {
    let row: Option<Setting> = tx.sql("SELECT value FROM settings WHERE key = $1").bind(key).optional().await?;
    Ok(row.map(|row| row.value))
}

/// Adds or replaces a setting.
pub async fn put(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    tx.sql("INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(key)
        .bind(value)
        .execute()
        .await?;
    Ok(())
}

/// Removes a setting, if there is one.
pub async fn remove(tx: &mut Tx, key: &str) -> Result<()> {
    tx.sql("DELETE FROM settings WHERE key = $1").bind(key).execute().await?;
    Ok(())
}

/// The demo data that the demo application uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demo {
    /// The client id of the demo application.
    pub client_id: ApplicationId,
    /// The machine-to-machine application in the role of the integrator's backend.
    pub backend_id: ApplicationId,
    /// The user to be impersonated.
    pub customer_id: UserId,
    /// The resource indicator of the demo's API.
    pub resource: String,
}

/// The data of the demo application, if there is one.
pub async fn demo(tx: &mut Tx) -> Result<Option<Demo>> {
    let mut values = Vec::new();
    for key in [DEMO_CLIENT, DEMO_BACKEND, DEMO_CUSTOMER, DEMO_RESOURCE] {
        let Some(value) = get(tx, key).await? else { return Ok(None) };
        values.push(value);
    }
    let Ok([client, backend, customer, resource]) = <[String; 4]>::try_from(values) else { return Ok(None) };
    Ok(Some(Demo { client_id: client.into(), backend_id: backend.into(), customer_id: customer.into(), resource }))
}

/// Stores the data of the demo application.
pub async fn put_demo(tx: &mut Tx, demo: &Demo) -> Result<()> {
    put(tx, DEMO_CLIENT, &demo.client_id).await?;
    put(tx, DEMO_BACKEND, &demo.backend_id).await?;
    put(tx, DEMO_CUSTOMER, &demo.customer_id).await?;
    put(tx, DEMO_RESOURCE, &demo.resource).await
}
