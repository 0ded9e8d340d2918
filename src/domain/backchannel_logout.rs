//! `backchannelLogoutUri`: the URI that logout tokens are sent to (OpenID Connect Back-Channel Logout 1.0 section 2.2).
//! `impersonationUri`, which subject tokens are handed over to, follows the same rules.

use super::loopback::is_loopback;
use url::Url;

/// Whether tokens may be sent to this URI: https, or http on a loopback address, without user and fragment.
#[must_use]
pub fn is_acceptable(uri: &str) -> bool {
    problem(uri).is_none()
}

/// What is wrong with such a URI, if anything.
#[must_use]
pub fn problem(uri: &str) -> Option<&'static str> {
    let Ok(url) = Url::parse(uri) else {
        return Some("expected an absolute URL, such as https://app.example.com/path");
    };
    let has_user = !url.username().is_empty() || url.password().is_some();
    match url.scheme() {
        "https" | "http" if !url.has_host() => Some("expected a URL with a host"),
        "http" if !is_loopback(&url) => Some("expected https; http is for localhost and loopback addresses only"),
        "https" | "http" if has_user => Some("expected a URL without a username and password"),
        "https" | "http" if url.fragment().is_some() => Some("expected a URL without a fragment (#…)"),
        "https" | "http" => None,
        _ => Some("expected a URL that begins with https://"),
    }
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

    #[test]
    fn it_is_said_what_is_wrong() {
        for (uri, word) in [
            ("shop.example.com/logout", "absolute"),
            ("http://shop.example.com/logout", "loopback"),
            ("https://shop.example.com/logout#now", "fragment"),
            ("https://user@shop.example.com/logout", "username"),
            ("javascript:alert(1)", "https://"),
        ] {
            assert!(problem(uri).is_some_and(|problem| problem.contains(word)), "{uri}");
        }
    }
}
