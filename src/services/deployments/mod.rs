//! Uploaded plugins: how an upload becomes a version, and how every node loads the versions in the database; and the
//! plugin log.
//!
//! The database is the source of truth. A change is one short transaction ([`change`]). Every node reads the changes
//! since its last read (`Follower`) and loads them in one atomic swap. Circuit breakers are kept in the database as well
//! (`breakers`), and so are the previous versions that may answer while one is open (`standbys`).

pub mod change;
pub mod log;
pub mod rollouts;

mod breaker_rows;
mod breakers;
mod follower;
mod log_tail;
mod reading;
mod recordings;
mod served;
mod standbys;
mod uploads;

pub use breakers::{BreakerKeeper, close_all, close_version};
pub(crate) use follower::Follower;
pub use log_tail::{LogTail, Tail};
pub use reading::{decrypt_all, effective, effective_cache, kind, language, language_name, shown_http, stored_http};
pub use recordings::Recordings;
