//! Custom profile fields: their types and the rules of their values.

use super::bounded_vec::BoundedVec;
use super::text::Text;
use crate::spelling::spelled;
use claimsmith_json::{Listed, present, present_object};
use serde::{Deserialize, Serialize};

spelled! {
/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum FieldType {
    /// A text.
    Text = "Text",
    /// A number.
    Number = "Number",
    /// A day.
    Date = "Date",
    /// Yes or no.
    Checkbox = "Checkbox",
    /// One of some choices.
    Select = "Select",
    /// An http or https URL.
    Url = "Url",
    /// A text that matches a regular expression.
    Regex = "Regex",
    /// An address, in parts.
    Address = "Address",
    /// A name, in parts.
    Fullname = "Fullname",
}
}

impl FieldType {
    /// Whether it has parts.
    #[must_use]
    pub fn has_parts(self) -> bool {
        matches!(self, Self::Address | Self::Fullname)
    }
}

/// The initial value of a checkbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ticked {
    /// Ticked.
    True,
    /// Not ticked.
    False,
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Choice {
    /// What people read; the value when there is none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 128)]
    pub label: Option<Text<0, 128>>,
    /// What is kept.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    pub value: Text<1, 128>,
}

/// What may be entered. Which of these count, the type says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rules {
    /// What stands in the field while nothing is entered.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 256)]
    pub placeholder: Option<Text<0, 256>>,
    /// Of a text: the fewest characters.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false)]
    pub min_length: Option<u32>,
    /// Of a text: the most characters.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = false)]
    pub max_length: Option<u32>,
    /// Of a number: the least.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    pub min_value: Option<i64>,
    /// Of a number: the largest.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    pub max_value: Option<i64>,
    /// Of a checkbox.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Ticked, required = false)]
    pub default_value: Option<Ticked>,
    /// Of a date: `yyyy` (or `YYYY`), `MM` and `dd` (or `DD`) in any order, such as `MM/dd/yyyy`, or `custom`; of a
    /// regex: the regular expression.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 512)]
    pub format: Option<Text<1, 512>>,
    /// Of a date in a custom format: made of `yyyy`, `MM` and `dd`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 32)]
    pub custom_format: Option<Text<1, 32>>,
    /// Of a select.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Choice>, required = false, max_items = 100)]
    pub options: Option<BoundedVec<Listed<Choice>, 100>>,
}

/// A part of an address or a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Whether people are asked for it.
    pub enabled: bool,
    /// Such as `locality` or `givenName`.
    #[schema(value_type = String, min_length = 1, max_length = 32)]
    pub name: Text<1, 32>,
    /// What it holds; nothing in parts.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// What people read.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 128)]
    pub label: Option<Text<0, 128>>,
    /// What it is for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 256)]
    pub description: Option<Text<0, 256>>,
    /// Whether it must be given.
    pub required: bool,
    /// What may be entered.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Rules, required = false)]
    pub config: Option<Rules>,
}

/// What may be entered into a field, and into its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Config {
    /// Of the field.
    #[serde(flatten)]
    pub rules: Rules,
    /// The parts of an address or a name.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Part>, required = false, max_items = 10)]
    pub parts: Option<BoundedVec<Listed<Part>, 10>>,
}

/// A custom profile field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomProfileField {
    /// Letters and digits; unique.
    pub name: String,
    /// The type of its value.
    pub kind: FieldType,
    /// The displayed label; the name if empty.
    pub label: String,
    /// The description.
    pub description: Option<String>,
    /// Whether a value is required.
    pub required: bool,
    /// The rules of its value.
    pub config: Config,
}

impl CustomProfileField {
    /// The parts that users are asked for.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.config.parts.iter().flat_map(|parts| parts.iter()).map(|part| &part.0).filter(|part| part.enabled)
    }
}
