//! User accounts: the rules for creating and changing users, whoever does it (defaults, uniqueness, passwords, second
//! factors), with the audit entry and the event of every change, within one
//! [`UnitOfWork`](crate::unit_of_work::UnitOfWork).

mod change;
mod create;
mod factors;
mod identifiers;
mod interaction;
pub(crate) mod mfa;
mod password;
mod refusal;
mod signed_in;
mod view;

pub(crate) use change::{begin_update, delete, set_suspended};
pub(crate) use create::{NewUser, create};
pub(crate) use factors::{NewFactor, add_factor, remove_factor};
pub(crate) use identifiers::{Identifier, is_taken, phone};
pub(crate) use interaction::{complete_profile, register};
pub(crate) use password::{NewPassword, PasswordDigest, digest, set_password, verify_password};
pub(crate) use refusal::Refusal;
pub(crate) use view::{UserFields, UserView};
