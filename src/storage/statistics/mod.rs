//! Statistics for operators: current counts, and activity over time.

pub mod activity;
pub mod overview;
