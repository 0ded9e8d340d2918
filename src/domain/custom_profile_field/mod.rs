//! Custom profile fields: validation of definitions, accepted values, and where values are stored.

pub mod date;
pub mod definition;
pub mod submission;
pub mod value;

use crate::documents::custom_profile_field::CustomProfileField;
use crate::documents::sign_in_experience::ProfileFields;

/// The fields that a list names, in its order; without a list, all.
#[must_use]
pub fn chosen(all: Vec<CustomProfileField>, list: Option<&ProfileFields>) -> Vec<CustomProfileField> {
    let Some(list) = list else { return all };
    let named = list.iter().filter_map(|one| all.iter().find(|field| field.name == one.name.as_str()));
    named.cloned().collect()
}
