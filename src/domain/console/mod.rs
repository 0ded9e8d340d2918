//! Administrators (`docs/decisions/people-who-administer.md`): the console's roles, the built-in rows, and the
//! operations of the Management API that each role may use.

pub mod built_in;
pub mod operations;
pub mod roles;
pub mod sign_in;

pub use built_in::BuiltInClient;
pub use operations::{Operation, SignInAge};
pub use roles::{ConsoleRole, ConsoleRoles};
