//! Sign-in at upstream servers: social connectors for all users, enterprise connectors for the members of a company. A
//! sign-in belongs to one interaction and one connector, and its callback is accepted once.

pub mod backend;
pub mod begin;
pub mod buttons;
pub(crate) mod connector;
pub mod domains;
pub(crate) mod owner;
pub mod parameters;
pub mod stage;
pub(crate) mod upstream_sign_in;
pub mod verify;
