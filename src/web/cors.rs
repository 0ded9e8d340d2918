//! CORS for the endpoints that browsers call: allows the origins that applications registered.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use claimsmith_services::app::App;
use std::time::Duration;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// How long a browser may keep the answer to a preflight.
const MAX_AGE: Duration = Duration::from_mins(10);
/// The most headers that a preflight may ask for, and the most bytes of their names: libraries for tracing and protocols
/// add a handful.
const MAX_HEADERS: usize = 32;
const MAX_HEADERS_BYTES: usize = 1024;

/// The same for the Account API, which applications call from browsers with the person's access token.
pub fn account_layer(app: App) -> CorsLayer {
    let methods = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
    layer(app).allow_methods(methods)
}

/// The layer for `/oidc` and what sign-in pages are made of. Credentials of a browser (cookies) are never allowed
/// along; so a preflight may allow every header that it asks for, within the bounds of [`bound_preflight`].
pub fn layer(app: App) -> CorsLayer {
    let origins = AllowOrigin::async_predicate(move |origin: HeaderValue, _: &Parts| {
        let app = app.clone();
        async move { is_registered(&app, &origin).await }
    });
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .max_age(MAX_AGE)
}

/// Removes the requested headers of a preflight if they are too many or not names of headers, so that none of them is
/// allowed.
pub fn bound_preflight(method: &Method, headers: &mut HeaderMap) {
    if method == Method::OPTIONS && !is_well_formed(headers) {
        headers.remove(header::ACCESS_CONTROL_REQUEST_HEADERS);
    }
}

/// Whether the headers that a preflight asks for are one list of at most 32 names (tokens).
fn is_well_formed(headers: &HeaderMap) -> bool {
    let mut lists = headers.get_all(header::ACCESS_CONTROL_REQUEST_HEADERS).iter();
    let (Some(list), None) = (lists.next(), lists.next()) else { return false };
    let Some(list) = list.to_str().ok().filter(|list| list.len() <= MAX_HEADERS_BYTES) else { return false };
    list.split(',').count() <= MAX_HEADERS
        && list.split(',').all(|name| HeaderName::from_bytes(name.trim_matches([' ', '\t']).as_bytes()).is_ok())
}

async fn is_registered(app: &App, origin: &HeaderValue) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    let Ok(mut tx) = app.db.read().await else { return false };
    let Ok(snapshot) = app.authorizations.current(&mut tx, app.clock.now_ms()).await else { return false };
    snapshot.knows_origin(&mut tx, origin).await.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preflight_asks_for_a_few_names() {
        let many = vec!["a"; 33].join(",");
        let long = "a".repeat(MAX_HEADERS_BYTES + 1);
        for (lists, fits) in [
            (&["traceparent"][..], true),
            (&["authorization, content-type,\tmcp-protocol-version"], true),
            (&[&many[2..]], true),
            (&[&many], false),
            (&[&long], false),
            (&["sentry trace"], false),
            (&["a,,b"], false),
            (&["a:b"], false),
            (&["(a)"], false),
            (&[""], false),
            (&["a", "b"], false),
            (&[], false),
        ] {
            let mut headers = HeaderMap::new();
            for list in lists {
                let Ok(list) = HeaderValue::from_str(list) else { continue };
                headers.append(header::ACCESS_CONTROL_REQUEST_HEADERS, list);
            }
            assert_eq!(is_well_formed(&headers), fits, "{lists:?}");
        }
    }
}
