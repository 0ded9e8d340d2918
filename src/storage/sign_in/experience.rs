//! The settings of sign-in, of which there is one row.

use crate::documents::sign_in_experience::SignInExperience;
use crate::storage::{Json, Result, Tx};

#[derive(sqlx_macros::FromRow)]
struct SignInExperienceRow {
    settings: Json<SignInExperience>,
}

/// The settings.
pub async fn find(tx: &mut Tx) -> Result<SignInExperience> {
    let row: Option<SignInExperienceRow> =
        tx.sql("SELECT settings FROM sign_in_experiences WHERE id = 'default'").optional().await?;
    Ok(row.map(|row| row.settings.0).unwrap_or_default())
}

/// The same, for whoever is about to change them or what they rest on: one after the other.
pub async fn lock(tx: &mut Tx) -> Result<SignInExperience> {
    // Both databases lock a row that is written.
    let sql = "UPDATE sign_in_experiences SET id = id WHERE id = 'default' RETURNING settings";
    let row: Option<SignInExperienceRow> = tx.sql(sql).optional().await?;
    Ok(row.map(|row| row.settings.0).unwrap_or_default())
}

/// Writes the settings.
pub async fn put(tx: &mut Tx, settings: &SignInExperience) -> Result<()> {
    tx.sql(
        "INSERT INTO sign_in_experiences (id, settings) VALUES ('default', $1) \
         ON CONFLICT (id) DO UPDATE SET settings = excluded.settings",
    )
    .bind(Json(settings.clone()))
    .execute()
    .await?;
    Ok(())
}
