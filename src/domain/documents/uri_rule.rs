//! Rules for URIs that operators enter: which can never work and are refused, and which deserve a remark. One type for
//! every column that holds URIs; where a stored value may be older than a rule, callers accept it unchanged.

use super::application::ApplicationType;
use crate::loopback::is_loopback;
use crate::web_origin::{OF_BROWSERS, is_origin};
use url::{Host, Url};

/// Maximum bytes of a URI.
pub const MAX_URI_BYTES: usize = 2048;

/// What a URI is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriRule {
    /// Where browsers return to with an answer (redirect and post-logout redirect URIs), compared as exact strings.
    Redirect(ApplicationType),
    /// An origin whose scripts may call the server (`corsAllowedOrigins`).
    Origin,
    /// Where tokens, keys or secrets are sent or fetched (`backchannelLogoutUri`, `impersonationUri`, `jwksUri`,
    /// endpoints of upstreams): https, or http on a loopback address, without user and fragment.
    Private,
    /// Where webhook deliveries are sent. Credentials in it are sent as Basic authentication.
    Delivery,
    /// Where messages with codes are sent (`endpoint` of the connectors `http-email` and `http-sms`): https, or http
    /// within a private network, without user.
    Messages,
    /// The indicator of an API resource: any absolute URI without fragment (RFC 8707).
    Indicator,
    /// A page or a picture of the web (`logoUri`, links of the sign-in experience).
    Page,
    /// A picture of an organization or of an application, of any scheme; pages show those of the web.
    Picture,
    /// An origin of web pages that use the server's passkeys.
    PageOrigin,
}

/// Why a URI is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriFault {
    /// It has more than [`MAX_URI_BYTES`] bytes.
    TooLong,
    /// It contains spaces, control characters or backslashes, which URL parsers drop or replace.
    Spaces,
    /// It cannot be parsed, or has no scheme.
    NotAbsolute,
    /// It has a fragment.
    Fragment,
    /// It contains a user name or a password.
    User,
    /// Browsers give its scheme a meaning of their own.
    SchemeOfBrowsers,
    /// Only native and single-page applications may use a private-use scheme (RFC 8252).
    PrivateScheme,
    /// It has a wildcard, but is compared as an exact string (RFC 9700 section 2.1).
    Wildcard,
    /// Its host has a wildcard, so that it names no server.
    WildcardHost,
    /// It has to be https, or http on a loopback address, without user and fragment.
    NotPrivate,
    /// It has to be https, or http within a private network, without user.
    NotNear,
    /// It has to be an http or https URL.
    NotWeb,
    /// It has to be an origin.
    NotOrigin,
}

impl UriFault {
    /// The error message: what was expected.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::TooLong => "too long: expected at most 2048 characters",
            Self::Spaces => "it contains spaces, control characters or backslashes",
            Self::NotAbsolute => "not an absolute URI, which begins with https:// or http://localhost",
            Self::Fragment => "expected a URI without a fragment (#…)",
            Self::User => "it contains a user name or a password",
            Self::SchemeOfBrowsers => "browsers give this scheme a meaning of their own",
            Self::PrivateScheme => "only native and single-page applications have a scheme of their own",
            Self::Wildcard => "redirect URIs have no wildcards, since they must match exactly",
            Self::NotPrivate => "expected an https URL, or http on a loopback address, without user and fragment",
            Self::WildcardHost => "the host has a wildcard: expected the URL of one server",
            Self::NotNear => "expected an https URL without user; http is for this machine and for private networks",
            Self::NotWeb => "expected an http or https URL",
            Self::NotOrigin => "expected an origin: scheme, host and port, such as https://app.example.com",
        }
    }
}

impl UriRule {
    /// Why a new value is refused; `None` if it is accepted.
    #[must_use]
    pub fn fault(self, uri: &str) -> Option<UriFault> {
        if uri.len() > MAX_URI_BYTES {
            return Some(UriFault::TooLong);
        }
        if uri.chars().any(|letter| letter.is_whitespace() || letter.is_control() || letter == '\\') {
            return Some(UriFault::Spaces);
        }
        self.fault_of_stored(uri)
    }

    /// Why a value is refused, without the rules for characters and length. Documents are read by it: earlier versions
    /// stored what URL parsers forgive.
    #[must_use]
    pub fn fault_of_stored(self, uri: &str) -> Option<UriFault> {
        let fits = |is_fit: bool, fault: UriFault| (!is_fit).then_some(fault);
        let url = Url::parse(uri);
        match self {
            Self::Redirect(kind) => redirect_fault(kind, uri, url.as_ref().ok()),
            Self::Origin => fits(is_origin(uri), UriFault::NotOrigin),
            Self::Private => fits(url.is_ok_and(|url| is_private(&url)), UriFault::NotPrivate),
            Self::Delivery => match url {
                Ok(url) if is_web(&url) => fits(!has_star(url.host_str().unwrap_or_default()), UriFault::WildcardHost),
                _ => Some(UriFault::NotWeb),
            },
            Self::Messages => fits(url.is_ok_and(|url| is_near(&url)), UriFault::NotNear),
            Self::Indicator => match url {
                Ok(url) => fits(url.fragment().is_none(), UriFault::Fragment),
                Err(_) => Some(UriFault::NotAbsolute),
            },
            Self::Page => fits(url.is_ok_and(|url| is_web(&url)), UriFault::NotWeb),
            Self::Picture => fits(url.is_ok(), UriFault::NotAbsolute),
            Self::PageOrigin => {
                let is_origin = |url: Url| is_web(&url) && url.origin().ascii_serialization() == uri;
                fits(url.is_ok_and(is_origin), UriFault::NotOrigin)
            }
        }
    }

    /// What an operator should know about an accepted value; `None` if there is nothing to say.
    #[must_use]
    pub fn remark(self, uri: &str) -> Option<&'static str> {
        let is_readable_on_the_way = Url::parse(uri).is_ok_and(|url| url.scheme() == "http" && !is_loopback(&url));
        if !is_readable_on_the_way {
            return None;
        }
        match self {
            Self::Redirect(_) | Self::Messages => {
                Some("Not encrypted: others on the network can read the codes that are sent there. Use https.")
            }
            Self::Delivery => Some("Not encrypted: others on the network can read the deliveries. Use https."),
            Self::Origin | Self::PageOrigin | Self::Page | Self::Picture => {
                Some("Not encrypted: others on the network can change what is loaded from there. Use https.")
            }
            Self::Private | Self::Indicator => None,
        }
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

fn has_star(text: &str) -> bool {
    text.contains('*')
}

/// Whether it is encrypted, or leads to this machine or into a private network.
fn is_near(url: &Url) -> bool {
    let is_private = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_private(),
        Some(Host::Ipv6(address)) => address.is_loopback() || address.is_unique_local(),
        // Names that do not exist in public DNS.
        Some(Host::Domain(name)) => !name.contains('.') || name.ends_with(".internal") || name.ends_with(".localhost"),
        None => return false,
    };
    !has_user(url) && (url.scheme() == "https" || url.scheme() == "http" && is_private)
}

fn has_user(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn is_private(url: &Url) -> bool {
    let is_encrypted = url.scheme() == "https" || url.scheme() == "http" && is_loopback(url);
    is_encrypted && url.has_host() && !has_user(url) && url.fragment().is_none()
}

fn redirect_fault(kind: ApplicationType, uri: &str, url: Option<&Url>) -> Option<UriFault> {
    let Some(url) = url else { return Some(UriFault::NotAbsolute) };
    if url.fragment().is_some() {
        return Some(UriFault::Fragment);
    }
    if is_web(url) {
        // The parser completes `https:app.example.com`, which no request will contain.
        if !uri.get(url.scheme().len()..).is_some_and(|rest| rest.starts_with("://")) {
            return Some(UriFault::NotAbsolute);
        }
        if has_user(url) {
            return Some(UriFault::User);
        }
    } else if OF_BROWSERS.contains(&url.scheme()) {
        return Some(UriFault::SchemeOfBrowsers);
    } else if is_host_and_port(uri, url) {
        return Some(UriFault::NotAbsolute);
    } else if !matches!(kind, ApplicationType::Native | ApplicationType::Spa) {
        return Some(UriFault::PrivateScheme);
    }
    (url.host_str().is_some_and(has_star) || has_star(url.path())).then_some(UriFault::Wildcard)
}

/// Whether the scheme is missing: `localhost:3000/callback` parses as a URI with the scheme `localhost`.
fn is_host_and_port(uri: &str, url: &Url) -> bool {
    let rest = uri.get(url.scheme().len()..).unwrap_or_default().trim_start_matches(':');
    let port = rest.split(['/', '?']).next().unwrap_or_default();
    url.scheme() == "localhost" || (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [UriRule; 8] = [
        UriRule::Redirect(ApplicationType::Traditional),
        UriRule::Redirect(ApplicationType::Native),
        UriRule::Origin,
        UriRule::Private,
        UriRule::Delivery,
        UriRule::Page,
        UriRule::Picture,
        UriRule::PageOrigin,
    ];

    /// The letter of a fault in the table.
    fn letter(fault: Option<UriFault>) -> char {
        match fault {
            None => '.',
            Some(UriFault::TooLong) => 'L',
            Some(UriFault::Spaces) => 'S',
            Some(UriFault::NotAbsolute) => 'A',
            Some(UriFault::Fragment) => 'F',
            Some(UriFault::User) => 'U',
            Some(UriFault::SchemeOfBrowsers) => 'B',
            Some(UriFault::PrivateScheme) => 'P',
            Some(UriFault::Wildcard) => '*',
            Some(UriFault::WildcardHost) => 'h',
            Some(UriFault::NotPrivate) => 'p',
            Some(UriFault::NotNear) => 'n',
            Some(UriFault::NotWeb) => 'w',
            Some(UriFault::NotOrigin) => 'o',
        }
    }

    /// URIs, with the letters of their faults in the order of [`RULES`].
    const TABLE: [(&str, &str); 36] = [
        ("https://app.test", "........"),
        ("https://app.test/callback?a=b", "..o....o"),
        ("https://app.test/?a=*", "..o....o"),
        ("https://10.0.0.7/in", "..o....o"),
        ("http://localhost:3000", "........"),
        ("http://127.0.0.1:4000/in", "..o....o"),
        ("http://[::1]:4000/in", "..o....o"),
        ("http://app.test", "...p...."),
        ("http://localhost.app.test/", "...p...o"),
        ("com.example.app:/callback", "P.opww.o"),
        ("com.example.app://callback", "P..pww.o"),
        ("capacitor://localhost/callback", "P.opww.o"),
        ("ipfs://logo", "P..pww.o"),
        ("https://user@app.test/", "UUop...o"),
        ("https://:word@app.test/", "UUop...o"),
        ("http://127.0.0.1@evil.test/", "UUop...o"),
        ("https://app.test/#part", "FFop...o"),
        ("https://app.test/#", "FFop...o"),
        ("https://*.app.test/in", "**o.h..o"),
        ("https://app.test/*", "**o....o"),
        ("com.example.app://*", "P*opww.o"),
        ("*", "AAopwwAo"),
        ("localhost:3000/in", "AAopww.o"),
        ("app.test:8080/in", "AAopww.o"),
        ("https:app.test/in", "AAo....o"),
        ("javascript:alert(1)", "BBopww.o"),
        ("JavaScript:alert(1)", "BBopww.o"),
        ("data:text/html,x", "BBopww.o"),
        ("app.test/in", "AAopwwAo"),
        ("/in", "AAopwwAo"),
        ("//app.test/in", "AAopwwAo"),
        ("", "AAopwwAo"),
        ("https://app.test/in\r\nx: y", "SSSSSSSS"),
        (" https://app.test", "SSSSSSSS"),
        ("https://app.test/a\u{7}b", "SSSSSSSS"),
        ("https://app.test\\@evil.test/", "SSSSSSSS"),
    ];

    #[test]
    fn each_use_refuses_what_can_never_work_there() {
        for (uri, faults) in TABLE {
            let found: String = RULES.iter().map(|rule| letter(rule.fault(uri))).collect();
            assert_eq!(found, faults, "{uri}");
        }
        let long = format!("https://app.test/{}", "a".repeat(MAX_URI_BYTES));
        assert!(RULES.iter().all(|rule| rule.fault(&long) == Some(UriFault::TooLong)));
        // A single-page application may run inside a native one.
        assert_eq!(UriRule::Redirect(ApplicationType::Spa).fault("capacitor://localhost/callback"), None);
    }

    #[test]
    fn indicators_are_any_absolute_uris() {
        for (uri, fault) in [
            ("https://api.test", None),
            ("urn:example:api", None),
            ("https://api.test/*?a=b", None),
            ("https://api.test/#part", Some(UriFault::Fragment)),
            ("api", Some(UriFault::NotAbsolute)),
            ("https://api.test/ a", Some(UriFault::Spaces)),
        ] {
            assert_eq!(UriRule::Indicator.fault(uri), fault, "{uri}");
        }
    }

    #[test]
    fn values_of_earlier_versions_are_read() {
        for uri in [" https://app.test/terms", "https://app.test/terms\n"] {
            assert_eq!(
                (UriRule::Page.fault(uri), UriRule::Page.fault_of_stored(uri)),
                (Some(UriFault::Spaces), None),
                "{uri}"
            );
        }
    }

    #[test]
    fn plain_http_across_a_network_deserves_a_remark() {
        for (uri, is_remarked) in [
            ("http://app.test/in", true),
            ("http://10.0.0.7/in", true),
            ("http://localhost.app.test/in", true),
            ("https://app.test/in", false),
            ("http://localhost:3000/in", false),
            ("http://127.0.0.1/in", false),
            ("com.example.app:/in", false),
            ("", false),
        ] {
            for rule in RULES {
                assert_eq!(rule.remark(uri).is_some(), is_remarked && rule != UriRule::Private, "{rule:?} {uri}");
            }
        }
    }
}
