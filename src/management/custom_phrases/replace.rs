//! `PUT /api/custom-phrases/{languageTag}`.

use super::language;
use super::view::CustomPhrasesView;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchId};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::management::ConfigsWrite;
use claimsmith_pages::texts;
use claimsmith_pages::texts::tree;
use claimsmith_storage::Json as Stored;
use claimsmith_storage::sign_in::phrases;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::{Map, Value, json};

/// Maximum number of languages with custom phrases: clients that load texts are offered all of them.
const MAX_LANGUAGES: usize = 200;

/// Replaces the texts of a language in the operator's own words: a part of the tree that `/api/.well-known/phrases`
/// answers. What is left out or empty is said as before.
#[utoipa::path(
    put, path = "/api/custom-phrases/{languageTag}", tag = "Custom phrases", summary = "Replace custom phrases",
    params(("languageTag" = String, Path, description = "Such as `en` or `pt-BR`")),
    request_body(content = Object, example = json!({ "sign_in": { "title": "Moin!" } })),
    responses(
        (status = 201, description = "The texts", body = CustomPhrasesView),
        BodyRefused, AccessRefused, NoSuchId,
        (status = 422, description = "There is no such text, or a placeholder that nothing stands for",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_custom_phrases(
    management: Management<ConfigsWrite>,
    Id(tag): Id,
    JsonBody(body): JsonBody<Map<String, Value>>,
) -> Result<(StatusCode, Json<CustomPhrasesView>), ApiError> {
    let tag = language(tag)?;
    let translation = tree::without_empty(body);
    let english = LanguageTag::english();
    let whole = texts::built_in(english.as_str()).unwrap_or(&Value::Null);
    tree::check(whole, &translation).map_err(|problem| {
        let message = format!("The texts do not fit to those of the pages: {problem}.");
        ApiError::new(ApiCode::LocalizationInvalidTranslationStructure, message)
    })?;
    let phrases = phrases::CustomPhrases { language_tag: tag.into(), translation: Stored(translation.into()) };
    let mut tx = management.begin().await?;
    // Serialized with other writes of the language, and with the choice of the fallback language.
    EXPERIENCE.lock(&mut tx).await?;
    let languages = phrases::languages(&mut tx).await?;
    if languages.len() >= MAX_LANGUAGES && !languages.contains(&phrases.language_tag) {
        let message = format!("There are custom phrases in {MAX_LANGUAGES} languages already: delete some first.");
        return Err(ApiError::new(ApiCode::LocalizationTooManyLanguages, message));
    }
    phrases::put(&mut tx, &phrases).await?;
    tx.audit(AuditKey::ManagementCustomPhrasesUpdate, json!({ "languageTag": phrases.language_tag })).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(phrases.into())))
}
