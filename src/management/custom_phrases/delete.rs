//! `DELETE /api/custom-phrases/{languageTag}`.

use super::language;
use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::ConfigsWrite;
use claimsmith_storage::sign_in::phrases;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes the texts of a language in the operator's own words; the server's own stand there again.
#[utoipa::path(
    delete, path = "/api/custom-phrases/{languageTag}", tag = "Custom phrases", summary = "Delete custom phrases",
    params(("languageTag" = String, Path, description = "Such as `en` or `pt-BR`")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "This is no language tag", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "There are none in this language", body = ApiErrorBody),
        (status = 409, description = "It is the fallback language", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_custom_phrases(
    management: Management<ConfigsWrite>,
    Id(tag): Id,
) -> Result<StatusCode, ApiError> {
    let tag = language(tag)?;
    let mut tx = management.begin().await?;
    let settings = EXPERIENCE.lock(&mut tx).await?;
    if settings.language_info.fallback_language == tag {
        let message = format!("{:?} is the fallback language: choose another one first.", tag.as_str());
        let error = ApiError::new(ApiCode::LocalizationCannotDeleteDefaultLanguage, message);
        return Err(error.with_data(json!({ "languageTag": tag.as_str() })));
    }
    if !phrases::delete(&mut tx, tag.as_str()).await? {
        return Err(ApiError::nothing_to_delete("custom phrases of", tag.as_str()));
    }
    tx.audit(AuditKey::ManagementCustomPhrasesDelete, json!({ "languageTag": tag.as_str() })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
