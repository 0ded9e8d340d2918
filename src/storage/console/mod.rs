//! Access to the console: one-time links, invitations, the sessions of browsers, and the actions that were confirmed in
//! them.

pub mod confirmations;
pub mod invitations;
pub mod links;
pub mod sessions;
