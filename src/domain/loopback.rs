//! Loopback: addresses of the machine itself, which plain http may be sent to.

use url::{Host, Url};

/// Whether the host of a URL is a loopback address, or `localhost`.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}
