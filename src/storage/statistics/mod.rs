//! Numbers for operators: what there is now, and what happened over time.

pub mod activity;
pub mod overview;
