//! Settings of this database: when it was set up, and whether it has demo data.

use super::{Result, Tx};

#[derive(sqlx::FromRow)]
struct Setting {
    value: String,
}

/// The value of a setting.
pub async fn get(tx: &mut Tx, key: &str) -> Result<Option<String>> {
    let row: Option<Setting> = tx.sql("SELECT value FROM settings WHERE key = $1").bind(key).optional().await?;
    Ok(row.map(|row| row.value))
}

/// Writes a setting, replacing what was there.
pub async fn put(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    tx.sql("INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(key)
        .bind(value)
        .execute()
        .await?;
    Ok(())
}
