//! Access to the console: one-time links, and the sessions of browsers.

pub mod links;
pub mod sessions;
