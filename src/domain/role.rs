//! The reserved names of the server's own roles.

/// The role with full access to the Management API, for applications that administer.
pub const INTERNAL_ADMIN: &str = "#internal:admin";

/// Whether a role's name is reserved for the server itself.
#[must_use]
pub fn is_internal(name: &str) -> bool {
    name.starts_with("#internal:")
}
