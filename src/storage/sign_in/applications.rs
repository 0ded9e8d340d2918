//! How the sign-in pages look for one application.

use crate::{Json, Result, Tx};
use claimsmith_domain::documents::sign_in_experience::application::ApplicationSignInExperience;
use claimsmith_domain::id::ApplicationId;

#[derive(crate::Row)]
struct ApplicationSignInExperienceRow {
    settings: Json<ApplicationSignInExperience>,
}

/// The sign-in page settings of an application, if it has any.
pub async fn find(tx: &mut Tx, application_id: &ApplicationId) -> Result<Option<ApplicationSignInExperience>> {
    let sql = "SELECT settings FROM application_sign_in_experiences WHERE application_id = $1";
    let row: Option<ApplicationSignInExperienceRow> = tx.sql(sql).bind(application_id).optional().await?;
    Ok(row.map(|row| row.settings.0))
}

/// Writes the sign-in page settings of an application.
pub async fn put(tx: &mut Tx, application_id: &ApplicationId, settings: &ApplicationSignInExperience) -> Result<()> {
    tx.sql(
        "INSERT INTO application_sign_in_experiences (application_id, settings) VALUES ($1, $2) \
         ON CONFLICT (application_id) DO UPDATE SET settings = excluded.settings",
    )
    .bind(application_id)
    .bind(Json(settings.clone()))
    .execute()
    .await?;
    Ok(())
}
