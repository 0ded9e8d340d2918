//! Codes by email and text message in an interaction: asked for, sent to whoever has the address, and typed again. What is
//! answered does not tell whether anybody has the address.

pub(super) mod asker;
pub mod send;
pub mod verify;
