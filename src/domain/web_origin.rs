//! Origins of pages that call this server (RFC 6454), also those of schemes of their own: web views
//! (`capacitor://localhost`) and browser extensions (`chrome-extension://ID`) have them, and the URL standard calls them
//! opaque.

use url::Url;

/// Schemes with a special meaning in browsers, which belong to no application.
pub const OF_BROWSERS: [&str; 12] = [
    "about",
    "blob",
    "data",
    "file",
    "filesystem",
    "ftp",
    "javascript",
    "mailto",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

/// The origin of a URI as browsers send it: scheme, host and port. `None` for a URI without a host, and for schemes of
/// browsers, whose pages have the origin `null`.
#[must_use]
pub fn origin_of(uri: &str) -> Option<String> {
    let url = Url::parse(uri).ok()?;
    if OF_BROWSERS.contains(&url.scheme()) {
        return None;
    }
    let host = url.host_str().filter(|host| !host.is_empty())?;
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}://{host}{port}", url.scheme()))
}

/// Whether a text is an origin, and one that a browser can send: no wildcard, nothing after host and port but a slash.
#[must_use]
pub fn is_origin(text: &str) -> bool {
    !text.contains('*') && origin_of(text).is_some_and(|origin| origin == text.strip_suffix('/').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (uri, origin) in [
            ("https://app.test/callback?a=b", Some("https://app.test")),
            ("https://app.test:443/", Some("https://app.test")),
            ("https://app.test:8443/", Some("https://app.test:8443")),
            ("http://[::1]:3000/callback", Some("http://[::1]:3000")),
            ("https://user:password@app.test/", Some("https://app.test")),
            ("capacitor://localhost/callback", Some("capacitor://localhost")),
            ("tauri://localhost", Some("tauri://localhost")),
            ("safari-web-extension://0D2B7F5E-1111/a", Some("safari-web-extension://0D2B7F5E-1111")),
            ("app.custom://host:81/a", Some("app.custom://host:81")),
            ("com.example.app:/callback", None),
            ("com.example.app:callback", None),
            ("capacitor:///callback", None),
            ("file:///etc/passwd", None),
            ("file://host/a", None),
            ("blob:https://app.test/1", None),
            ("data:text/html,x", None),
            ("null", None),
            ("", None),
        ] {
            assert_eq!(origin_of(uri).as_deref(), origin, "{uri}");
        }
    }

    #[test]
    fn an_origin_has_no_path() {
        for (text, fits) in [
            ("https://app.test", true),
            ("https://app.test/", true),
            ("http://localhost:3000", true),
            ("capacitor://localhost", true),
            ("tauri://localhost", true),
            ("chrome-extension://abcdefghijklmnopabcdefghijklmnop", true),
            ("moz-extension://0d2b7f5e-1111-4222-8333-444455556666", true),
            ("https://app.test/path", false),
            ("https://app.test//", false),
            ("https://app.test?a", false),
            ("https://app.test#a", false),
            ("https://user@app.test", false),
            ("HTTPS://app.test", false),
            ("https://*.app.test", false),
            ("capacitor://*", false),
            ("capacitor://localhost/callback", false),
            ("capacitor://user@localhost", false),
            ("capacitor://", false),
            ("com.example.app:/", false),
            ("file://", false),
            ("wss://app.test", false),
            ("null", false),
            ("*", false),
            ("", false),
        ] {
            assert_eq!(is_origin(text), fits, "{text}");
        }
    }
}
