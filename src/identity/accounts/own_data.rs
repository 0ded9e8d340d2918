//! The size limit of the data that users enter about themselves. Callers of the Management API have a higher limit.

use super::AccountRefusal;
use claimsmith_domain::outsider_rows::MAX_OWN_DATA_BYTES;
use claimsmith_storage::users::User;
use serde_json::Value;

/// The total bytes of a profile and custom data.
#[must_use]
pub fn own_bytes(profile: &Value, custom_data: &Value) -> usize {
    profile.to_string().len() + custom_data.to_string().len()
}

/// Like `own_bytes`, for a stored user.
pub(super) fn bytes_of(user: &User) -> usize {
    own_bytes(&user.profile.0, &user.custom_data.0)
}

/// Refuses a change that makes the data of a user exceed the limit. Data that the Management API made larger may still
/// shrink.
pub(super) fn check(user: &User, bytes_before: usize) -> Result<(), AccountRefusal> {
    let bytes = bytes_of(user);
    if bytes > MAX_OWN_DATA_BYTES && bytes > bytes_before { Err(AccountRefusal::TooMuchData) } else { Ok(()) }
}
