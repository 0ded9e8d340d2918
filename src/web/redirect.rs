//! Redirects of browsers, and responses that set cookies.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::Cookie;

/// Redirects the browser with GET, independent of the method of the request.
#[must_use]
pub fn see_other(location: &str) -> Response {
    match HeaderValue::from_str(location) {
        Ok(location) => {
            let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        // A URL has no other characters once it is parsed.
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// The same answer, with a cookie.
pub fn with_cookie(mut response: Response, cookie: &Cookie<'_>) -> Response {
    if let Ok(value) = HeaderValue::from_str(&cookie.to_string()) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}
