//! The request body of a profile field.

use claimsmith_domain::custom_profile_field::definition::{self, DefinitionProblem};
use claimsmith_domain::documents::custom_profile_field::{Config, CustomProfileField, FieldType};
use claimsmith_domain::documents::text::Text;
use claimsmith_json::{present, present_object};
use claimsmith_web::error::ApiError;
use serde::Deserialize;

/// What a field is to be, but for its name.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "type": "Text", "label": "Company", "required": true, "config": { "maxLength": 64 } }))]
pub(super) struct FieldChange {
    /// What it holds.
    #[serde(rename = "type")]
    kind: FieldType,
    /// What people read; the name when there is none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 128)]
    label: Option<Text<0, 128>>,
    /// What it is for.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 256)]
    description: Option<Text<0, 256>>,
    /// Whether it must be given.
    required: bool,
    /// What may be entered.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Config, required = false)]
    config: Option<Config>,
}

/// A new field.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({
    "name": "company", "type": "Text", "label": "Company", "required": true, "config": { "maxLength": 64 }
}))]
pub(super) struct NewField {
    /// Letters and digits; unique.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    name: Text<0, 128>,
    #[serde(flatten)]
    field: FieldChange,
}

impl FieldChange {
    /// The definition of the field with this name.
    pub(super) fn definition(self, name: String, is_change: bool) -> Result<CustomProfileField, ApiError> {
        let field = CustomProfileField {
            name,
            kind: self.kind,
            label: self.label.map(String::from).unwrap_or_default(),
            description: self.description.map(String::from),
            required: self.required,
            config: self.config.unwrap_or_default(),
        };
        definition::check(&field, is_change).map_err(refused)?;
        Ok(field)
    }
}

impl NewField {
    /// Its definition.
    pub(super) fn definition(self) -> Result<CustomProfileField, ApiError> {
        self.field.definition(self.name.into(), false)
    }
}

fn refused(problem: DefinitionProblem) -> ApiError {
    match problem {
        DefinitionProblem::Shape(problem) => ApiError::invalid_input("body", format!("Error in the body: {problem}")),
        other => ApiError::new(other.code(), other.message()),
    }
}
