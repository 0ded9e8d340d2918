//! Types of roles.

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

    /// Parses the name of a type.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::User, Self::MachineToMachine].into_iter().find(|kind| kind.as_str() == name)
    }
}
