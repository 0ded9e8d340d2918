//! The pages of one's own account: the overview, and those for single steps.

pub mod address;
pub mod authenticator;
pub mod codes;
pub mod deletion;
pub mod overview;
pub mod passkey;
pub mod proof;
