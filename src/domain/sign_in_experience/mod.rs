//! Rules of the sign-in settings: `apply.rs` changes them, `checks.rs` validates them, the other files apply them to a
//! page, an email address or a username.

pub mod application;
pub mod blocklist;
pub mod checks;
pub mod mandatory;
pub mod palette;
pub mod username_check;

mod apply;
