//! Who may look at the console: one-time links to it, and the sessions of browsers there.

pub mod links;
pub mod sessions;
