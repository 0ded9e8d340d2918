//! The profile fields that users are asked for, and the values that they enter: name, picture, standard claims and
//! custom data.

use claimsmith_domain::custom_profile_field::chosen;
use claimsmith_domain::custom_profile_field::submission::ValueLocation;
use claimsmith_domain::documents::custom_profile_field::CustomProfileField;
use claimsmith_domain::documents::sign_in_experience::{ProfileFields, SignInExperience};
use claimsmith_storage::sign_in::custom_profile_fields::{self, StoredField};
use claimsmith_storage::users::User;
use claimsmith_storage::{self as storage, Document as _, Json, Tx};
use serde_json::{Map, Value};

/// The fields of a list in the settings, in its order; all fields without a list.
pub async fn profile_fields(tx: &mut Tx, list: Option<&ProfileFields>) -> storage::Result<Vec<CustomProfileField>> {
    let all = custom_profile_fields::list(tx).await?;
    Ok(chosen(all.iter().map(StoredField::definition).collect(), list))
}

/// The fields of the registration form.
pub async fn sign_up_fields(tx: &mut Tx, settings: &SignInExperience) -> storage::Result<Vec<CustomProfileField>> {
    profile_fields(tx, settings.sign_up_profile_fields.as_ref()).await
}

/// Writes entered values to a user; null removes a value.
pub fn fill_in(user: &mut User, given: Vec<(ValueLocation, Value)>) {
    for (place, value) in given {
        match place {
            ValueLocation::Name => user.name = value.as_str().map(str::to_owned),
            ValueLocation::Avatar => user.avatar = value.as_str().map(str::to_owned),
            ValueLocation::Profile(name) => put(&mut user.profile, name, value),
            ValueLocation::CustomData(name) => put(&mut user.custom_data, name, value),
        }
    }
}

fn put(stored: &mut Json<Value>, name: String, value: Value) {
    let readable = Some(&stored.0).filter(|value| !value.is_unreadable());
    let mut members = readable.and_then(Value::as_object).cloned().unwrap_or_default();
    if value.is_null() {
        members.shift_remove(&name);
    } else {
        members.insert(name, value);
    }
    stored.0 = Value::Object(members);
}

/// The value of a field of a user, by the field's name.
#[must_use]
pub fn entered(user: &User, name: &str) -> Option<Value> {
    let text = |text: &Option<String>| text.clone().filter(|text| !text.is_empty()).map(Value::String);
    let found = match ValueLocation::of(name) {
        ValueLocation::Name => text(&user.name),
        ValueLocation::Avatar => text(&user.avatar),
        ValueLocation::Profile(name) => user.profile.0.get(name).cloned(),
        ValueLocation::CustomData(name) => user.custom_data.0.get(name).cloned(),
    };
    found.filter(|value| !value.is_null())
}

/// Merges keys into a stored object.
pub(super) fn merge(stored: &mut Json<Value>, keys: Map<String, Value>) {
    for (name, value) in keys {
        put(stored, name, value);
    }
}
