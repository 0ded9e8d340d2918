//! Uploaded plugins: how an upload becomes a version, and how every node loads the versions in the database; and the
//! plugin log.
//!
//! The database is the source of truth. A change is one short transaction ([`change`]). Every node reads the changes
//! since its last read (`Follower`) and loads them in one atomic swap.

pub mod change;
pub mod log;
pub mod rollouts;

mod follower;
mod log_tail;
mod reading;
mod uploads;

pub(crate) use follower::Follower;
pub use log_tail::{LogTail, Tail};
pub use reading::{decrypt_all, effective, kind, language, language_name};
