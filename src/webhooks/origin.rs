//! Where an event came from: the request that did it.

use serde::Serialize;
use serde_json::{Map, Value};
use std::net::IpAddr;

/// The request that did it.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// What its client calls itself.
    pub user_agent: Option<String>,
    /// Where it came from.
    pub ip: Option<IpAddr>,
    /// What it asked for, when it came by the Management API.
    pub route: Option<Route>,
}

/// What a request of the Management API asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Route {
    /// Without `/api`.
    pub path: String,
    /// Such as `POST`.
    pub method: String,
    /// Ids in the path, by name.
    pub params: Map<String, Value>,
    /// Such as `/users/:userId`.
    pub matched_route: String,
}
