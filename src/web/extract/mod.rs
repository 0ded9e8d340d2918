//! Extractors of handlers: authentication and authorization of the caller, and parsed bodies.

pub mod account;
pub mod bearer;
pub mod body;
pub mod client;
pub mod filters;
pub mod form;
pub mod ids;
pub mod interaction;
pub mod json;
pub mod management;
pub mod page;
pub mod patch;
mod pattern;
pub mod picture;
pub mod query;
pub mod search;
