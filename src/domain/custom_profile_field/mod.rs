//! Fields of a profile that the operator asks people for: whether a definition can be kept, what is accepted, and where
//! it is kept.

pub mod date;
pub mod definition;
pub mod submission;
pub mod value;

use crate::documents::custom_profile_field::CustomProfileField;
use crate::documents::sign_in_experience::ProfileFields;

/// Those of all fields that a list names, in its order; without a list, all.
#[must_use]
pub fn chosen(all: Vec<CustomProfileField>, list: Option<&ProfileFields>) -> Vec<CustomProfileField> {
    let Some(list) = list else { return all };
    let named = list.iter().filter_map(|one| all.iter().find(|field| field.name == one.name.as_str()));
    named.cloned().collect()
}
