//! The reserved names of the server's own roles.

/// The role that holds all of the Management API, for applications that are made administrators.
pub const INTERNAL_ADMIN: &str = "#internal:admin";

/// Whether a role's name is one that only the server itself gives.
#[must_use]
pub fn is_internal(name: &str) -> bool {
    name.starts_with("#internal:")
}
