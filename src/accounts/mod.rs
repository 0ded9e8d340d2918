//! User accounts: the rules for creating and changing users, whoever does it (defaults, uniqueness, passwords, second
//! factors), with the audit entry and the event of every change, within one
//! [`UnitOfWork`](crate::unit_of_work::UnitOfWork).

mod change;
mod create;
mod factors;
mod identifiers;
pub mod mfa;
mod password;
mod refusal;
mod view;

pub use change::{Change, change, delete, set_suspended};
pub use create::{NewUser, create};
pub use factors::{NewFactor, add_factor, remove_factor};
pub use identifiers::{Identifier, phone};
pub use password::{NewPassword, PasswordDigest, digest, set_password, verify_password};
pub use refusal::Refusal;
pub use view::{UserFields, UserView};
