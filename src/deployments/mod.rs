//! Uploaded plugins: how an upload becomes a version, and how every node loads the versions in the database; and the
//! log of what plugins write.
//!
//! The database is the one truth. A change is one short transaction ([`change`]); every node reads what is new since it
//! looked last ([`Follower`]) and hands it to its plugins, which take it over in one swap.

pub(crate) mod change;
pub(crate) mod log;

mod follower;
mod log_tail;
mod reading;

pub(crate) use follower::Follower;
pub(crate) use log_tail::{LogTail, Tail};
pub(crate) use reading::{Seen, decrypt_all, effective, kind, language, read};
