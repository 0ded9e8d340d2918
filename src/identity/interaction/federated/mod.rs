//! Signing in at other servers: social connectors for everybody, enterprise connectors for the people of a company. A
//! sign-in elsewhere belongs to one interaction and one connector, and its answer counts once.

pub(crate) mod backend;
pub(crate) mod begin;
pub(crate) mod buttons;
pub(crate) mod connector;
pub(crate) mod domains;
pub(in crate::interaction) mod owner;
pub(crate) mod parameters;
pub(crate) mod stage;
pub(crate) mod upstream_sign_in;
pub(crate) mod verify;
