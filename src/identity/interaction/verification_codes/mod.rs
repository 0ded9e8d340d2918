//! Codes by email and text message in an interaction: requested, sent to the address, and entered. The responses do not
//! reveal whether a user has the address.

pub(super) mod requester;
pub mod send;
pub mod verify;
