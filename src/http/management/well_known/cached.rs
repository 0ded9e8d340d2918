//! Public responses with `ETag` and `Cache-Control`.

use axum::Json;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// For how long, in seconds and as the header: a change of the settings is seen soon.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// The answer; 304 without a body when `If-None-Match` names it. `more` is said of both.
pub(super) fn answer(
    request: &HeaderMap,
    body: Value,
    more: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
) -> Response {
    // Weak, since it may be compressed on its way.
    let tag = format!("W/\"{}\"", BASE64URL_NOPAD.encode(&Sha256::digest(body.to_string())[..12]));
    let asked = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let is_known = asked.flat_map(|tags| tags.split(',')).any(|known| known.trim() == tag);
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { Json(body).into_response() };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, CACHE);
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.extend(more);
    response
}
