//! The settings of people's own accounts, of which there is one row.

use crate::documents::account_center::AccountCenter;
use crate::storage::{Json, Result, Tx};

#[derive(sqlx_macros::FromRow)]
struct AccountCenterRow {
    settings: Json<AccountCenter>,
}

/// The settings.
pub async fn find(tx: &mut Tx) -> Result<AccountCenter> {
    let row: Option<AccountCenterRow> =
        tx.sql("SELECT settings FROM account_centers WHERE id = 'default'").optional().await?;
    Ok(row.map(|row| row.settings.0).unwrap_or_default())
}

/// The same, for whoever is about to change them: one after the other.
pub async fn lock(tx: &mut Tx) -> Result<AccountCenter> {
    // Both databases lock a row that is written.
    let sql = "UPDATE account_centers SET id = id WHERE id = 'default' RETURNING settings";
    let row: Option<AccountCenterRow> = tx.sql(sql).optional().await?;
    Ok(row.map(|row| row.settings.0).unwrap_or_default())
}

/// Writes the settings.
pub async fn put(tx: &mut Tx, settings: &AccountCenter) -> Result<()> {
    tx.sql(
        "INSERT INTO account_centers (id, settings) VALUES ('default', $1) \
         ON CONFLICT (id) DO UPDATE SET settings = excluded.settings",
    )
    .bind(Json(settings.clone()))
    .execute()
    .await?;
    Ok(())
}
