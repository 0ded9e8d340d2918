//! Roles: their types, and the reserved names of the server's own.

use crate::spelling::spelled;
use serde::{Deserialize, Serialize};

spelled! {
/// Who may hold a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum RoleType {
    /// Users.
    #[default]
    User = "User",
    /// Machine-to-machine applications.
    MachineToMachine = "MachineToMachine",
}
}

/// The role with full access to the Management API, for applications that administer.
pub const INTERNAL_ADMIN: &str = "#internal:admin";

/// Whether a role's name is reserved for the server itself.
#[must_use]
pub fn is_internal(name: &str) -> bool {
    name.starts_with("#internal:")
}
