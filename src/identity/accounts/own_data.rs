//! What people write about themselves: a bound of its size. Callers of the Management API have a wider one.

use super::AccountRefusal;
use claimsmith_domain::outsider_rows::MAX_OWN_DATA_BYTES;
use claimsmith_storage::users::User;
use serde_json::Value;

/// How many bytes a profile and the data of the integrator take together.
#[must_use]
pub fn own_bytes(profile: &Value, custom_data: &Value) -> usize {
    profile.to_string().len() + custom_data.to_string().len()
}

/// The same of a user.
pub(super) fn bytes_of(user: &User) -> usize {
    own_bytes(&user.profile.0, &user.custom_data.0)
}

/// Refuses what makes the data of a user larger than people may make it. What is larger already, by the Management API,
/// may become smaller.
pub(super) fn check(user: &User, bytes_before: usize) -> Result<(), AccountRefusal> {
    let bytes = bytes_of(user);
    if bytes > MAX_OWN_DATA_BYTES && bytes > bytes_before { Err(AccountRefusal::TooMuchData) } else { Ok(()) }
}
