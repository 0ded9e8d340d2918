//! `GET /api/.well-known/phrases`: the texts of the pages, in the best matching language.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use claimsmith_pages::phrases;
use claimsmith_services::app::App;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::query::Query;
use serde_json::json;

/// Shows the texts of the pages. `Content-Language` says in which language; it is the first that there is of `lng`, then
/// of `Accept-Language` unless the settings say otherwise, then the fallback. `{{name}}` is a placeholder.
#[utoipa::path(
    get, path = "/api/.well-known/phrases", tag = "Well-known", summary = "Show the texts of the pages",
    params(("lng" = Option<String>, Query, description = "Language tags, the best one first, with spaces between")),
    responses(
        (status = 200, description = "The texts", body = Object,
            example = json!({ "languageTag": "en", "translation": { "sign_in": { "title": "Sign in" } } })),
        (status = 304, description = "They are as `If-None-Match` says"),
        (status = 400, description = "`lng` is too long", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_phrases(
    State(app): State<App>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ApiError> {
    let asked = query.one("lng")?;
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut tx = app.db.read().await?;
    let settings = EXPERIENCE.find(&mut tx).await?;
    let there = phrases::languages(&mut tx).await?;
    let tag = phrases::choose(&there, &settings.language_info, asked, accepted);
    let translation = phrases::in_language(&mut tx, &tag).await?;
    let body = json!({ "languageTag": tag.as_str(), "translation": translation });
    let spoken = HeaderValue::try_from(tag.as_str())?;
    Ok(([(header::CONTENT_LANGUAGE, spoken)], Json(body)).into_response())
}
