//! `/api/custom-phrases`: the operator's own texts for pages, by language.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchId};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::custom_phrases::CustomPhrasesView;
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::management::{ConfigsRead, ConfigsWrite};
use claimsmith_pages::texts::{self, tree};
use claimsmith_services::app::App;
use claimsmith_storage::Json as Stored;
use claimsmith_storage::sign_in::phrases::{self, CustomPhrases};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::{Map, Value, json};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(self::list_custom_phrases)).routes(routes!(
        self::show_custom_phrases,
        self::replace_custom_phrases,
        self::delete_custom_phrases
    ))
}

/// The language in a path.
fn language(tag: String) -> Result<LanguageTag, ApiError> {
    LanguageTag::try_from(tag)
        .map_err(|problem| ApiError::invalid_input("params", format!("Error in key path \"languageTag\": {problem}")))
}

/// Lists the texts in the operator's own words, by language.
#[utoipa::path(
    get, path = "/api/custom-phrases", tag = "Custom phrases",
    responses(
        (status = 200, description = "The texts", body = Vec<CustomPhrasesView>),
        AccessRefused,
    ),
)]
pub(super) async fn list_custom_phrases(
    management: Management<ConfigsRead>,
) -> Result<Json<Vec<CustomPhrasesView>>, ApiError> {
    let all = phrases::list(&mut management.read().await?).await?;
    Ok(Json(all.into_iter().map(CustomPhrases::into_view).collect()))
}

/// Shows the texts of a language in the operator's own words.
#[utoipa::path(
    get, path = "/api/custom-phrases/{languageTag}", tag = "Custom phrases",
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
    Ok(Json(found.into_view()))
}

/// Maximum number of languages with custom phrases: clients that load texts are offered all of them.
const MAX_LANGUAGES: usize = 200;

/// Replaces the texts of a language in the operator's own words: a part of the tree that `/api/.well-known/phrases`
/// answers.
///
/// What is left out or empty is said as before.
#[utoipa::path(
    put, path = "/api/custom-phrases/{languageTag}", tag = "Custom phrases",
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
    Ok((StatusCode::CREATED, Json(phrases.into_view())))
}

/// Deletes the texts of a language in the operator's own words; the server's own stand there again.
#[utoipa::path(
    delete, path = "/api/custom-phrases/{languageTag}", tag = "Custom phrases",
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

impl IntoView<CustomPhrasesView> for CustomPhrases {
    fn into_view(self) -> CustomPhrasesView {
        CustomPhrasesView {
            tenant_id: Tenant,
            id: self.language_tag.clone(),
            language_tag: self.language_tag,
            translation: self.translation.0,
        }
    }
}
