//! Bodies of `/api/custom-profile-fields`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::bounded_vec::BoundedVec;
use claimsmith_domain::documents::custom_profile_field::{Config, FieldType};
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::text::Text;
use claimsmith_json::{Listed, present_object};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A field of a profile.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "f7t2m9p4w1z8k5x0q3v6b", "name": "company", "type": "Text", "label": "Company",
    "description": null, "required": true, "config": { "maxLength": 64 }, "createdAt": 1_760_000_000_000_i64,
    "sieOrder": 1
}))]
pub struct CustomProfileFieldView {
    /// Always `default`.
    pub tenant_id: Tenant,
    /// 21 characters.
    pub id: String,
    /// Letters and digits; unique.
    pub name: String,
    /// Such as `Text`.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub kind: FieldType,
    /// What people read; the name when it is empty.
    pub label: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
    /// What may be entered.
    pub config: Config,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Its place in the list.
    pub sie_order: i64,
}

/// What a field is to be, but for its name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "type": "Text", "label": "Company", "required": true, "config": { "maxLength": 64 } }))]
pub struct FieldChange {
    /// What it holds.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// What people read; the name when there is none.
    #[serde(default)]
    pub label: Given<Text<0, 128>>,
    /// What it is for.
    #[serde(default)]
    pub description: Given<Text<0, 256>>,
    /// Whether it must be given.
    pub required: bool,
    /// What may be entered.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Config, required = false)]
    pub config: Option<Config>,
}

/// A new field.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({
    "name": "company", "type": "Text", "label": "Company", "required": true, "config": { "maxLength": 64 }
}))]
pub struct NewField {
    /// Letters and digits; unique.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    pub name: Text<0, 128>,
    #[serde(flatten)]
    pub field: FieldChange,
}

/// The places of some fields.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "order": [{ "name": "company", "sieOrder": 2 }, { "name": "birthdate", "sieOrder": 1 }] }))]
pub struct FieldOrder {
    #[schema(value_type = Vec<FieldPlace>, max_items = 50)]
    pub order: BoundedVec<Listed<FieldPlace>, 50>,
}

/// The place of a field.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldPlace {
    /// The name of the field.
    pub name: Text<1, 128>,
    /// Its place: people see those with smaller numbers first.
    pub sie_order: i32,
}
