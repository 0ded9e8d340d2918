//! Users' settings for second factors and passkeys. They are in the row of the user, but lists do not read them.

use crate::{Json, Result, Tx};
use claimsmith_domain::documents::user_settings::UserSettings;
use claimsmith_domain::id::UserId;

#[derive(crate::Row)]
struct Row {
    settings: Json<UserSettings>,
}

/// The settings of a user. `None` if there is no such user.
pub async fn find(tx: &mut Tx, user_id: &UserId) -> Result<Option<UserSettings>> {
    let row: Option<Row> = tx.sql("SELECT settings FROM users WHERE id = $1").bind(user_id).optional().await?;
    Ok(row.map(|row| row.settings.0))
}

/// Writes the settings of a user.
pub async fn put(tx: &mut Tx, user_id: &UserId, settings: &UserSettings, now: i64) -> Result<()> {
    tx.sql("UPDATE users SET settings = $1, updated_at = $2, revision = revision + 1 WHERE id = $3")
        .bind(Json(settings.clone()))
        .bind(now)
        .bind(user_id)
        .execute()
        .await?;
    Ok(())
}
