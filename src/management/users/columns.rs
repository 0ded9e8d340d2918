//! The columns of users as CSV, which the export writes and the import reads.

use claimsmith_domain::profile::{ADDRESS_KEYS, KEYS};

/// Strings at the top level of a body of `POST /api/users`.
pub(super) const TEXTS: [&str; 5] = ["username", "primaryEmail", "primaryPhone", "name", "avatar"];
/// Strings that are imported and never exported.
pub(super) const SECRETS: [&str; 3] = ["password", "passwordDigest", "passwordAlgorithm"];
/// `true` or `false`.
pub(super) const SUSPENDED: &str = "isSuspended";
/// JSON.
pub(super) const CUSTOM_DATA: &str = "customData";
/// Columns that are exported and not imported, after the others.
pub(super) const READ_ONLY_COLUMNS: [&str; 7] =
    ["identities", "roles", "applicationId", "lastSignInAt", "createdAt", "updatedAt", "hasPassword"];
/// The first exported column.
pub(super) const ID: &str = "id";
/// The prefix of the names of a profile's members.
pub(super) const PROFILE: &str = "profile.";
/// The prefix of the names of its address's members.
pub(super) const ADDRESS: &str = "profile.address.";

/// The columns of a profile, with the path of each within a user.
pub(super) fn of_profile() -> impl Iterator<Item = String> {
    let texts = KEYS.iter().map(|key| format!("{PROFILE}{key}"));
    texts.chain(ADDRESS_KEYS.iter().map(|key| format!("{ADDRESS}{key}")))
}

/// All exported columns, in order.
pub(super) fn of_export() -> Vec<String> {
    let first = [ID].into_iter().chain(TEXTS).chain([SUSPENDED, CUSTOM_DATA]).map(str::to_owned);
    first.chain(of_profile()).chain(READ_ONLY_COLUMNS.map(str::to_owned)).collect()
}
