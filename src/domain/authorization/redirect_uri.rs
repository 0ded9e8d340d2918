//! Matches redirect URIs with the registered ones: as exact strings (RFC 9700 section 2.1), except for the port of a
//! native application's loopback address (RFC 8252 section 7.3).

use crate::documents::application::ApplicationType;
use crate::loopback::is_loopback;
use url::Url;

/// Whether a redirect URI is registered.
#[must_use]
pub fn is_registered(uri: &str, registered: &[String], kind: ApplicationType) -> bool {
    registered.iter().any(|known| {
        known == uri || (kind == ApplicationType::Native && differs_in_port_alone(uri, known).unwrap_or(false))
    })
}

/// Whether both are the same http loopback URI except for the port.
fn differs_in_port_alone(uri: &str, registered: &str) -> Option<bool> {
    let (mut uri, mut registered) = (Url::parse(uri).ok()?, Url::parse(registered).ok()?);
    if registered.scheme() != "http" || !is_loopback(&registered) {
        return Some(false);
    }
    uri.set_port(None).ok()?;
    registered.set_port(None).ok()?;
    Some(uri == registered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_is_the_registered_one_to_the_letter() {
        let registered = [
            "https://shop.example.com/callback?a=1",
            "http://127.0.0.1/cb",
            "http://localhost:4000/cb",
            "com.example:/cb",
        ]
        .map(str::to_owned);
        for (uri, web, native) in [
            ("https://shop.example.com/callback?a=1", true, true),
            ("https://shop.example.com/callback", false, false),
            ("https://shop.example.com/callback?a=1&b=2", false, false),
            ("https://shop.example.com/callback/?a=1", false, false),
            ("https://SHOP.example.com/callback?a=1", false, false),
            ("https://shop.example.com:443/callback?a=1", false, false),
            ("https://shop.example.com:8443/callback?a=1", false, false),
            ("https://evil.example.com/callback?a=1", false, false),
            ("http://127.0.0.1/cb", true, true),
            ("http://127.0.0.1:51004/cb", false, true),
            ("http://localhost:51004/cb", false, true),
            ("http://127.0.0.1:51004/other", false, false),
            ("https://127.0.0.1:51004/cb", false, false),
            ("http://127.0.0.2:51004/cb", false, false),
            ("http://127.0.0.1@evil.example.com/cb", false, false),
            ("http://127.0.0.1:51004/cb#fragment", false, false),
            ("com.example:/cb", true, true),
            ("", false, false),
        ] {
            assert_eq!(is_registered(uri, &registered, ApplicationType::Traditional), web, "{uri}");
            assert_eq!(is_registered(uri, &registered, ApplicationType::Native), native, "{uri}");
        }
    }
}
