//! People who administer (`docs/decisions/people-who-administer.md`): the console's roles, what is built in for them,
//! and which operation of the Management API each role may use.

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
