//! Security headers of every response: no content sniffing, no frames, unless the response sets them itself.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // For browsers that do not know the policy.
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// Adds the headers that a response does not set itself.
pub fn harden(response: &mut Response) {
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(value);
    }
}
