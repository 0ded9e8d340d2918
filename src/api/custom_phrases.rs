//! Bodies of `/api/custom-phrases`.

use crate::tenant::Tenant;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The texts of one language in the operator's own words.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "de", "languageTag": "de", "translation": { "sign_in": { "title": "Moin!" } }
}))]
pub struct CustomPhrasesView {
    /// Always `default`.
    pub tenant_id: Tenant,
    /// The same as `languageTag`.
    pub id: String,
    /// Such as `en` or `pt-BR`.
    pub language_tag: String,
    /// A part of the tree of texts.
    #[schema(value_type = Object)]
    pub translation: Value,
}
