//! How the operator's own texts are shown.

use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::sign_in::phrases::CustomPhrases;
use serde::Serialize;
use serde_json::Value;

/// The texts of one language in the operator's own words.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "de", "languageTag": "de", "translation": { "sign_in": { "title": "Moin!" } }
}))]
pub(super) struct CustomPhrasesView {
    /// Always `default`.
    tenant_id: &'static str,
    /// The same as `languageTag`.
    id: String,
    /// Such as `en` or `pt-BR`.
    language_tag: String,
    /// A part of the tree of texts.
    #[schema(value_type = Object)]
    translation: Value,
}

impl From<CustomPhrases> for CustomPhrasesView {
    fn from(phrases: CustomPhrases) -> Self {
        Self {
            tenant_id: TENANT,
            id: phrases.language_tag.clone(),
            language_tag: phrases.language_tag,
            translation: phrases.translation.0,
        }
    }
}
