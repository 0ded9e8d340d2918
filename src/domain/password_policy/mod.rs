//! Checks a password against a policy, without requests to other servers: common passwords are found by a list and by
//! rules of variation, breached ones by the caller.

mod characters;
mod check;
mod common;
mod issue;
mod restricted;

pub use check::check;
pub use issue::{Issue, UserInfo};
