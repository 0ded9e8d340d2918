//! `GET /api/custom-phrases/{languageTag}`.

use super::language;
use super::view::CustomPhrasesView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_storage::sign_in::phrases;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Shows the texts of a language in the operator's own words.
#[utoipa::path(
    get, path = "/api/custom-phrases/{languageTag}", tag = "Custom phrases", summary = "Show custom phrases",
    params(("languageTag" = String, Path, description = "Such as `en` or `pt-BR`")),
    responses(
        (status = 200, description = "The texts", body = CustomPhrasesView),
        (status = 400, description = "This is no language tag", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "There are none in this language", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_custom_phrases(
    management: Management<ConfigsRead>,
    Id(tag): Id,
) -> Result<Json<CustomPhrasesView>, ApiError> {
    let tag = language(tag)?;
    let found = phrases::find(&mut management.read().await?, tag.as_str()).await?;
    let found = found.ok_or_else(|| ApiError::nothing_to_delete("custom phrases of", tag.as_str()))?;
    Ok(Json(found.into()))
}
