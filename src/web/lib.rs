//! HTTP as the server speaks it: errors and their status, extractors (authentication, authorization, parsed requests),
//! routes, cookies, redirects.

pub mod accepted;
pub mod conditional;
pub mod cookies;
pub mod cors;
pub mod error;
pub mod extract;
pub mod interaction_cookies;
pub mod redirect;
pub mod request_info;
pub mod routing;
pub mod same_origin;
pub mod security_headers;
pub mod submitted_code;
