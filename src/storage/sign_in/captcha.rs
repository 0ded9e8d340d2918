//! The captcha provider: one row at most, its configuration encrypted.

use crate::{Result, Tx};

/// The provider.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct CaptchaProvider {
    /// Its configuration, encrypted.
    pub config: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// The provider, if there is one.
pub async fn find(tx: &mut Tx) -> Result<Option<CaptchaProvider>> {
    tx.sql("SELECT config, created_at, updated_at FROM captcha_providers WHERE id = 'default'").optional().await
}

/// Writes the provider.
pub async fn put(tx: &mut Tx, config: &str, now: i64) -> Result<CaptchaProvider> {
    tx.sql(
        "INSERT INTO captcha_providers (id, config, created_at, updated_at) VALUES ('default', $1, $2, $2) \
         ON CONFLICT (id) DO UPDATE SET config = excluded.config, updated_at = excluded.updated_at \
         RETURNING config, created_at, updated_at",
    )
    .bind(config)
    .bind(now)
    .one()
    .await
}

/// Deletes the provider. `false` when there is none.
pub async fn delete(tx: &mut Tx) -> Result<bool> {
    Ok(tx.sql("DELETE FROM captcha_providers WHERE id = 'default'").execute().await? > 0)
}
