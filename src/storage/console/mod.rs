//! Access to the console: one-time links, the sessions of browsers, and the actions that were confirmed in them.

pub mod confirmations;
pub mod links;
pub mod sessions;
