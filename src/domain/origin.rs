//! The origin of a change: the request that made it, for events and the audit log.

use serde::Serialize;
use serde_json::{Map, Value};
use std::net::IpAddr;

/// The request that made a change; empty for changes by the server itself or by an operator at the terminal.
#[derive(Clone, Debug, Default)]
pub struct RequestOrigin {
    /// The id of the request.
    pub request_id: Option<String>,
    /// The user agent.
    pub user_agent: Option<String>,
    /// The IP address.
    pub ip: Option<IpAddr>,
    /// The country or region of the address (ISO 3166-1 alpha-2), if a trusted proxy says it.
    pub country: Option<String>,
    /// The route, for requests of the Management API.
    pub route: Option<Route>,
}

/// The route of a request of the Management API.
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
