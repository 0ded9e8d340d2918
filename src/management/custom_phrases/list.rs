//! `GET /api/custom-phrases`.

use super::view::CustomPhrasesView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_storage::sign_in::phrases;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;

/// Lists the texts in the operator's own words, by language.
#[utoipa::path(
    get, path = "/api/custom-phrases", tag = "Custom phrases", summary = "List custom phrases",
    responses(
        (status = 200, description = "The texts", body = Vec<CustomPhrasesView>),
        AccessRefused,
    ),
)]
pub(super) async fn list_custom_phrases(
    management: Management<ConfigsRead>,
) -> Result<Json<Vec<CustomPhrasesView>>, ApiError> {
    let all = phrases::list(&mut management.read().await?).await?;
    Ok(Json(all.into_iter().map(CustomPhrasesView::from).collect()))
}
