//! Types of roles.

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
