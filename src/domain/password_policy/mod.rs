//! The check of a password against a policy. It asks no other server: common passwords are known from a list and by how
//! people vary them, and the caller knows those that are breached.

mod characters;
mod check;
mod common;
mod issue;
mod restricted;

pub use check::check;
pub use issue::{Issue, UserInfo};
