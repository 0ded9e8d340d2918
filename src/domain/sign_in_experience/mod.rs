//! Rules of the sign-in settings: `apply.rs` changes them, `checks.rs` validates them,
//! `accepted_credentials.rs` finds whom a change locks out, the other files apply them to a
//! page, an email address or a username.

pub mod accepted_credentials;
pub mod application;
pub mod blocklist;
pub mod checks;
pub mod mandatory;
pub mod palette;
pub mod username_check;

mod apply;
