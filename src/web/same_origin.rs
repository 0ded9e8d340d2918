//! Requests from other sites have no part in a sign-in: what a browser says of where a request comes from.

use crate::error::ApiError;
use axum::http::{HeaderMap, HeaderName, header};
use claimsmith_services::app::App;
use url::Url;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses a request that comes from another origin, where the client says so.
pub fn check(app: &App, headers: &HeaderMap) -> Result<(), ApiError> {
    let own = Url::parse(app.config.server.base_url.as_str()).map(|url| url.origin().ascii_serialization());
    let is_own_origin = |origin: &[u8]| own.as_ref().is_ok_and(|own| own.as_bytes() == origin);
    let same_site = headers.get_all(FETCH_SITE).iter().all(|site| site.as_bytes() == b"same-origin");
    let same_origin = headers.get_all(header::ORIGIN).iter().all(|origin| is_own_origin(origin.as_bytes()));
    if same_site && same_origin {
        Ok(())
    } else {
        Err(ApiError::forbidden("The request comes from another origin than this server's own."))
    }
}

/// Whether the client says where a request comes from, as every browser does of a form.
pub fn is_told(headers: &HeaderMap) -> bool {
    headers.contains_key(FETCH_SITE) || headers.contains_key(header::ORIGIN)
}
