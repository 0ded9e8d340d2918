//! Uploaded plugins: what an upload is turned into, and how what the database holds comes into service on every node.
//!
//! The database is the one truth. A change is one short transaction ([`change`]); every node reads what is new since it
//! looked last ([`Follower`]) and hands it to its plugins, which take it over in one swap.

pub mod change;

mod follower;
mod reading;

pub use follower::Follower;
pub use reading::{Seen, effective, kind, language, language_name, open, read};
