//! Who may do what with the Management API: its callers, and the privileges that they cannot give themselves.

pub mod administrator;
pub mod built_in;
mod caller;
pub mod console_roles;
pub mod console_sessions;
pub mod privilege_guard;
mod refusal;

pub use caller::{Caller, Rights};
pub use refusal::AccessRefusal;
