//! Hop-by-hop headers of HTTP, which belong to the connection and not to a message (RFC 9110 sections 7.2, 7.6 and
//! 8.6): only the HTTP library may set them.

const OF_CONNECTION: [&str; 12] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Whether a header of this name, in lower case, is hop-by-hop.
#[must_use]
pub fn is_of_connection(name: &str) -> bool {
    OF_CONNECTION.contains(&name)
}
