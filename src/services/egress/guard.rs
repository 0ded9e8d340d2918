//! The SSRF guard: checks addresses where a connection is made, both an address in a URL and every address that a name
//! resolves to. There is no time between the check and the use of the address (DNS rebinding).

use super::address::{inner, not_public};
use claimsmith_config::Network;
use hyper_util::client::legacy::connect::dns::Name;
use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::Semaphore;
use tower_service::Service;

/// The allowed networks that are not public; `None` allows all of them.
#[derive(Clone, Debug)]
pub(super) struct Guard(Option<Arc<[Network]>>);

/// An address that requests may not reach.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("requests to {host} are not allowed: {address} is {kind}, and not in egress.allowed_networks")]
pub struct RefusedAddress {
    host: String,
    address: IpAddr,
    kind: &'static str,
}

impl Guard {
    pub(super) fn new(allowed: &[Network]) -> Self {
        Self(Some(allowed.into()))
    }

    /// Allows every address.
    pub(super) fn open() -> Self {
        Self(None)
    }

    pub(super) fn is_open(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn check(&self, host: &str, address: IpAddr) -> Result<(), RefusedAddress> {
        let (Some(networks), Some(kind)) = (&self.0, not_public(address)) else { return Ok(()) };
        let inner = match address {
            IpAddr::V6(address) => inner(address).map(IpAddr::V4),
            IpAddr::V4(_) => None,
        };
        let allowed = |address: IpAddr| networks.iter().any(|network| network.contains(address));
        if allowed(address) || inner.is_some_and(allowed) {
            return Ok(());
        }
        Err(RefusedAddress { host: host.to_owned(), address, kind })
    }

    /// The allowed ones of these addresses; an error if there are none.
    fn admit(&self, host: &str, found: impl Iterator<Item = SocketAddr>) -> Result<Vec<SocketAddr>, RefusedAddress> {
        let mut admitted = Vec::new();
        let mut refused = None;
        for address in found {
            match self.check(host, address.ip()) {
                Ok(()) => admitted.push(address),
                Err(error) => refused = Some(error),
            }
        }
        refused.filter(|_| admitted.is_empty()).map_or(Ok(admitted), Err)
    }
}

/// The maximal number of concurrent DNS look-ups. Each blocks a thread until the system answers, and names whose DNS
/// servers do not answer must not use up all threads.
static LOOK_UPS: Semaphore = Semaphore::const_new(64);

/// The addresses of a name; the port is the URL's, which the library sets.
async fn look_up(name: String) -> std::io::Result<Vec<SocketAddr>> {
    let permit = LOOK_UPS.acquire().await.map_err(std::io::Error::other)?;
    // In a separate task: if the caller gives up, the permit is held until the thread is free.
    let looking = tokio::spawn(async move {
        let _permit = permit;
        tokio::net::lookup_host((name, 0)).await.map(Vec::from_iter)
    });
    looking.await.map_err(std::io::Error::other)?
}

impl Guard {
    /// The addresses of a host that may be reached, at this port: of a name, those that it resolves to.
    pub(super) async fn resolve_host(&self, host: &str, port: u16) -> std::io::Result<Vec<SocketAddr>> {
        if let Ok(address) = host.parse::<IpAddr>() {
            self.check(host, address).map_err(std::io::Error::other)?;
            return Ok(vec![SocketAddr::new(address, port)]);
        }
        let found = look_up(host.to_owned()).await?;
        let mut admitted = self.admit(host, found.into_iter()).map_err(std::io::Error::other)?;
        for address in &mut admitted {
            address.set_port(port);
        }
        Ok(admitted)
    }
}

/// Resolves the names of URLs for the HTTP library.
impl Service<Name> for Guard {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let guard = self.clone();
        Box::pin(async move {
            let found = look_up(name.as_str().to_owned()).await?;
            Ok(guard.admit(name.as_str(), found.into_iter())?.into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn guard(networks: &[&str]) -> Guard {
        Guard::new(&networks.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>())
    }

    fn admitted(guard: &Guard, found: &[&str]) -> Result<Vec<String>, String> {
        let found = found.iter().map(|text| SocketAddr::new(text.parse().unwrap(), 80));
        let admitted = guard.admit("api.example.com", found).map_err(|error| error.to_string())?;
        Ok(admitted.iter().map(|address| address.ip().to_string()).collect())
    }

    #[test]
    fn only_public_addresses_of_a_name_are_used() {
        let guard = guard(&[]);
        assert_eq!(admitted(&guard, &["1.1.1.1", "10.0.0.1", "::1"]).unwrap(), ["1.1.1.1"]);
        let refusal = admitted(&guard, &["10.0.0.1"]).unwrap_err();
        assert_eq!(
            refusal,
            "requests to api.example.com are not allowed: 10.0.0.1 is private, and not in egress.allowed_networks"
        );
    }

    #[test]
    fn an_allowed_network_is_open_in_every_notation() {
        let guard = guard(&["10.0.0.0/8", "fd00::/8"]);
        let found = ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd00::1", "fc00::1", "127.0.0.1"];
        assert_eq!(admitted(&guard, &found).unwrap(), ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::a01:203", "fd00::1"]);
    }
}
