//! Rules over the settings of sign-in: `apply.rs` changes them, `checks.rs` says what must not be, the others what
//! follows from them for a page, an address or a user name.

pub mod application;
pub mod blocklist;
pub mod checks;
pub mod mandatory;
pub mod palette;
pub mod username_check;

mod apply;
