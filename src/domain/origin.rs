//! The origin of a change: the request that made it, for events and the audit log.

use serde::Serialize;
use serde_json::{Map, Value};
use std::net::IpAddr;

/// The request that asked for it; nothing of it is known of what the server, or an operator at the terminal, does.
#[derive(Clone, Debug, Default)]
pub struct RequestOrigin {
    /// The id of the request.
    pub request_id: Option<String>,
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
