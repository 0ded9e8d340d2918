//! Access to the console: one-time links, invitations, and the sessions of browsers.

pub mod invitations;
pub mod links;
pub mod sessions;
