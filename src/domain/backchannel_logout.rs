//! `backchannelLogoutUri`: the URI that logout tokens are sent to (OpenID Connect Back-Channel Logout 1.0 section 2.2).

use super::loopback::is_loopback;
use url::Url;

/// Whether logout tokens may be sent to this URI: https, or http on a loopback address, without user and fragment.
#[must_use]
pub fn is_acceptable(uri: &str) -> bool {
    let Ok(url) = Url::parse(uri) else { return false };
    let is_private = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url));
    let has_user = !url.username().is_empty() || url.password().is_some();
    is_private && url.has_host() && !has_user && url.fragment().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logouts_are_told_over_https_or_on_this_machine() {
        for (uri, fits) in [
            ("https://shop.example.com/logout?tenant=1", true),
            ("https://10.0.0.7/logout", true),
            ("http://127.0.0.1:4000/logout", true),
            ("http://[::1]:4000/logout", true),
            ("http://localhost/logout", true),
            ("http://shop.example.com/logout", false),
            ("http://localhost.example.com/logout", false),
            ("https://shop.example.com/logout#now", false),
            ("https://shop.example.com/logout#", false),
            ("https://user@shop.example.com/logout", false),
            ("https://:word@shop.example.com/logout", false),
            ("ftp://localhost/logout", false),
            ("com.example.app:/logout", false),
            ("//shop.example.com/logout", false),
            ("", false),
        ] {
            assert_eq!(is_acceptable(uri), fits, "{uri}");
        }
    }
}
