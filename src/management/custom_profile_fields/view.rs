//! How a field is shown.

use claimsmith_domain::documents::custom_profile_field::{Config, FieldType};
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::sign_in::custom_profile_fields::StoredField;
use serde::Serialize;

/// A field of a profile.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "f7t2m9p4w1z8k5x0q3v6b", "name": "company", "type": "Text", "label": "Company",
    "description": null, "required": true, "config": { "maxLength": 64 }, "createdAt": 1_760_000_000_000_i64,
    "sieOrder": 1
}))]
pub(crate) struct CustomProfileFieldView {
    /// Always `default`.
    tenant_id: &'static str,
    /// 21 characters.
    id: String,
    /// Letters and digits; unique.
    name: String,
    /// Such as `Text`.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: FieldType,
    /// What people read; the name when it is empty.
    label: String,
    /// What it is for.
    description: Option<String>,
    /// Whether it must be given.
    required: bool,
    /// What may be entered.
    config: Config,
    /// Unix milliseconds.
    created_at: i64,
    /// Its place in the list.
    sie_order: i64,
}

impl From<StoredField> for CustomProfileFieldView {
    fn from(field: StoredField) -> Self {
        Self {
            tenant_id: TENANT,
            id: field.id,
            name: field.name,
            kind: field.kind,
            label: field.label,
            description: field.description,
            required: field.required,
            config: field.config.0,
            created_at: field.created_at,
            sie_order: field.sie_order,
        }
    }
}
