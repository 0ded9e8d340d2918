//! The path of the base URL. Behind a proxy that serves the server below a path, such as `/auth`, and strips it,
//! requests arrive without that path, and the links of the screens need it. The screens write paths without it, and it
//! is added here, to links in HTML and to redirects (`docs/operating.md`).

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt;
use std::sync::Arc;

/// The attributes of templates that have a URL of this server.
const ATTRIBUTES: [&str; 7] = ["href", "action", "formaction", "src", "data-live", "data-live-link", "data-highlight"];
/// How the value of such an attribute begins.
const START: &[u8] = b"=\"/";

/// Marks a response whose links are complete.
#[derive(Clone, Copy)]
pub(crate) struct CompleteLinks;

/// The path of a base URL, such as `/auth`; empty for most servers.
pub(crate) fn of(base_url: &str) -> Arc<str> {
    let after_host = base_url.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    after_host.map_or_else(String::new, |(_, path)| format!("/{path}")).into()
}

/// Adds the path to a response.
pub(crate) async fn add(State(base): State<Arc<str>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.extensions().get::<CompleteLinks>().is_some() {
        return response;
    }
    let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
    if let Some(path) = location.filter(|location| location.starts_with('/') && !location.starts_with("//"))
        && let Ok(location) = HeaderValue::try_from(format!("{base}{path}"))
    {
        response.headers_mut().insert(header::LOCATION, location);
    }
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("text/html")) {
        return response;
    }
    // Its length changes.
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.map(|body| {
        // A page that is streamed comes in whole elements.
        let pieces = body.into_data_stream().map(move |piece| piece.map(|html| Bytes::from(with_base(&html, &base))));
        Body::from_stream(pieces)
    })
}

/// The HTML with the path in its links. Texts of users have no such attributes: their quotation marks are escaped.
fn with_base(html: &[u8], base: &str) -> Vec<u8> {
    let base = base.replace('&', "&amp;");
    let mut written = Vec::with_capacity(html.len() + html.len() / 8);
    let mut rest = html;
    while let Some(at) = rest.windows(START.len()).position(|window| window == START) {
        let (before, after) = rest.split_at(at + START.len() - 1);
        written.extend_from_slice(before);
        let is_link = ATTRIBUTES.iter().any(|name| is_behind(before, name));
        if is_link && after.get(1) != Some(&b'/') {
            written.extend_from_slice(base.as_bytes());
        }
        rest = after;
    }
    written.extend_from_slice(rest);
    written
}

/// Whether this HTML ends with the name of this attribute, `=` and a quotation mark.
fn is_behind(html: &[u8], name: &str) -> bool {
    let named = html.strip_suffix(b"=\"").and_then(|html| html.strip_suffix(name.as_bytes()));
    named.and_then(|html| html.last()).is_some_and(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_base_url_is_all_behind_the_host() {
        for (base_url, path) in [
            ("https://id.example.com", ""),
            ("https://example.com/auth", "/auth"),
            ("http://localhost:3001/a/b", "/a/b"),
        ] {
            assert_eq!(&*of(base_url), path);
        }
    }

    #[test]
    fn links_of_this_server_get_the_path_and_nothing_else() {
        for (html, expected) in [
            (r#"<a class="x" href="/console">"#, r#"<a class="x" href="/console/console">"#),
            (
                "<form method=\"post\"\naction=\"/console/users\">",
                "<form method=\"post\"\naction=\"/console/console/users\">",
            ),
            (r#"<i data-live="/a" data-live-link="/b">"#, r#"<i data-live="/console/a" data-live-link="/console/b">"#),
            (r#"<a href="//other.test/x">"#, r#"<a href="//other.test/x">"#),
            (r#"<a href="https://a.test/x" href="?page=2">"#, r#"<a href="https://a.test/x" href="?page=2">"#),
            (r#"<input value="/console" placeholder="/x">"#, r#"<input value="/console" placeholder="/x">"#),
            ("<p>href=&#34;/console</p>", "<p>href=&#34;/console</p>"),
            ("<p>x=\"/y\" é", "<p>x=\"/y\" é"),
        ] {
            assert_eq!(String::from_utf8_lossy(&with_base(html.as_bytes(), "/console")), expected);
        }
        assert_eq!(with_base(br#"<a href="/">"#, "/a&b"), br#"<a href="/a&amp;b/">"#);
    }
}
