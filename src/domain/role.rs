//! Roles: their types, and the reserved names of the server's own roles.

use serde::{Deserialize, Serialize};

/// Who may hold a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum RoleType {
    /// Users.
    #[default]
    User,
    /// Machine-to-machine applications.
    MachineToMachine,
}

impl RoleType {
    /// The name on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::MachineToMachine => "MachineToMachine",
        }
    }

    /// The type of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::User, Self::MachineToMachine].into_iter().find(|kind| kind.as_str() == name)
    }
}

/// The role that holds all of the Management API, for applications that are made administrators.
pub const INTERNAL_ADMIN: &str = "#internal:admin";

/// Whether a role's name is one that only the server itself gives.
#[must_use]
pub fn is_internal(name: &str) -> bool {
    name.starts_with("#internal:")
}
