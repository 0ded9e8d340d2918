//! `DELETE /api/custom-profile-fields/{name}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::sign_in_experience::ProfileFields;
use claimsmith_domain::management::ConfigsWrite;
use claimsmith_storage::sign_in::custom_profile_fields;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes a field of a profile, also from the lists of the settings. What people entered stays.
#[utoipa::path(
    delete, path = "/api/custom-profile-fields/{name}", tag = "Custom profile fields",
    summary = "Delete a custom profile field",
    params(("name" = String, Path, description = "The name of the field")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such field", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_custom_profile_field(
    management: Management<ConfigsWrite>,
    Id(name): Id,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    let mut sign_in = EXPERIENCE.lock(&mut tx).await?;
    let mut account = ACCOUNT_CENTER.lock(&mut tx).await?;
    if !custom_profile_fields::delete(&mut tx, &name).await? {
        return Err(ApiError::nothing_to_delete("custom profile field", &name));
    }
    if forget(sign_in.sign_up_profile_fields.as_mut(), &name) {
        EXPERIENCE.put(&mut tx, &sign_in).await?;
    }
    if forget(account.profile_fields.as_mut(), &name) {
        ACCOUNT_CENTER.put(&mut tx, &account).await?;
    }
    tx.audit(AuditKey::ManagementCustomProfileFieldDelete, json!({ "name": name })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a name from a list; returns whether it was in it.
fn forget(list: Option<&mut ProfileFields>, name: &str) -> bool {
    let Some(list) = list else { return false };
    let before = list.len();
    list.retain(|field| field.name.as_str() != name);
    list.len() < before
}
