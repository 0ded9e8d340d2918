//! Signing in at other servers: social connectors for everybody, enterprise connectors for the people of a company. A
//! sign-in elsewhere belongs to one interaction and one connector, and its answer counts once.

pub mod backend;
pub mod begin;
pub mod buttons;
pub(crate) mod connector;
pub mod domains;
pub(in crate::interaction) mod owner;
pub mod parameters;
pub mod stage;
pub(crate) mod upstream_sign_in;
pub mod verify;
