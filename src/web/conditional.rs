//! Conditional requests (RFC 9110 section 13): the `ETag` of a response, and whether the client has it.

use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

/// The `ETag` of these bytes: a weak one, which their compressed form shares.
pub fn tag_of(bytes: &[u8]) -> Result<HeaderValue, InvalidHeaderValue> {
    HeaderValue::try_from(format!("W/\"{}\"", BASE64URL_NOPAD.encode(&Sha256::digest(bytes)[..12])))
}

/// Whether the client has the version with this tag (RFC 9110 section 13.1.2).
#[must_use]
pub fn is_known(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    let weak = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let own = tag.to_str().map(weak).unwrap_or_default();
    elements(asked, &header::IF_NONE_MATCH).any(|tag| tag == "*" || weak(tag) == own)
}

/// Answers with these bytes, or 304 where the client has them. Only `GET` and `HEAD` are conditional.
pub fn answer(
    (method, asked): (&Method, &HeaderMap),
    content_type: &'static str,
    bytes: Vec<u8>,
) -> Result<Response, InvalidHeaderValue> {
    let tag = tag_of(&bytes)?;
    let is_same = matches!(*method, Method::GET | Method::HEAD) && is_known(asked, &tag);
    let body = if is_same { Body::empty() } else { Body::from(Bytes::from(bytes)) };
    let mut response = Response::new(body);
    response.headers_mut().insert(header::ETAG, tag);
    if is_same {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    Ok(response)
}

/// The elements of a header that is a list.
pub fn elements<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}
