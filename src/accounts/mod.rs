//! User accounts: the rules for creating and changing users, whoever does it (defaults, uniqueness, passwords, second
//! factors), with the audit entry and the event of every change, within one
//! [`UnitOfWork`](crate::unit_of_work::UnitOfWork).

mod backup_codes;
mod change;
mod create;
mod factors;
mod identifiers;
mod interaction;
pub(crate) mod mfa;
mod password;
mod refusal;
mod signed_in;
mod totp;
mod view;

pub(crate) use backup_codes::BackupCodes;
pub(crate) use change::{begin_update, delete, set_suspended};
pub(crate) use create::{NewUser, create};
pub(crate) use factors::{NewFactor, add_factor, new_backup_codes, remove_factor, stage_factor, use_backup_code};
pub(crate) use identifiers::{Identifier, is_taken, phone};
pub(crate) use interaction::{Completion, complete, register};
pub(crate) use password::{NewPassword, PasswordDigest, digest, set_password, verify_password};
pub(crate) use refusal::Refusal;
pub(crate) use totp::matching_step;
pub(crate) use view::{UserFields, UserView};
