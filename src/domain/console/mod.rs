//! Administrators (`docs/decisions/people-who-administer.md`): the console's roles, the built-in rows, and the
//! operations of the Management API that each role may use.

pub mod built_in;
pub mod guarded_groups;
mod operation_rule;
pub mod operations;
pub mod roles;
pub mod sign_in;
mod table;

pub use built_in::BuiltInClient;
pub use operation_rule::SignInAge;
pub use operations::Operation;
pub use roles::{ConsoleRole, ConsoleRoles};
