//! `/api/custom-phrases`: the operator's own texts for pages, by language.

mod delete;
mod list;
mod replace;
mod show;
mod view;

use crate::describe::routes;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_services::app::App;
use claimsmith_web::error::ApiError;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::list_custom_phrases)).routes(routes!(
        show::show_custom_phrases,
        replace::replace_custom_phrases,
        delete::delete_custom_phrases
    ))
}

/// The language in a path.
fn language(tag: String) -> Result<LanguageTag, ApiError> {
    LanguageTag::try_from(tag)
        .map_err(|problem| ApiError::invalid_input("params", format!("Error in key path \"languageTag\": {problem}")))
}
