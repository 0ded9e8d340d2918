//! Statistics for operators: current counts, activity over time, and calls of plugins.

pub mod activity;
pub mod overview;
pub mod plugin_calls;
