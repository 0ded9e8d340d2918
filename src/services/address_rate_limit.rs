//! Rate limits of this node: a token bucket for each client address, and for the wider networks of an IPv6 one. An
//! office behind one address has many users, so a bucket holds many tokens.

use claimsmith_domain::client_address::{self, ClientNetwork};
use claimsmith_domain::token_bucket::{Rate, TokenBucket};
use quick_cache::sync::Cache;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of addresses that are remembered; a forgotten one begins with a full bucket.
const MAX_ADDRESSES: usize = 50_000;

/// Beginning interactions: each is a row.
pub(crate) const NEW_INTERACTIONS: Rate = Rate::new(10, 300);
/// Guessing passwords, one-time passwords and user codes.
pub(crate) const GUESSES: Rate = Rate::new(5, 300);

/// The buckets of all addresses.
#[derive(Debug)]
pub struct AddressRateLimit {
    buckets: Cache<ClientNetwork, Arc<Mutex<TokenBucket>>>,
    rate: Rate,
}

impl AddressRateLimit {
    /// A limit with this rate for every address.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { buckets: Cache::new(MAX_ADDRESSES), rate }
    }

    /// Whether this address may do one more now (Unix milliseconds). It counts if it may.
    #[must_use]
    pub fn admits(&self, address: Option<IpAddr>, now: i64) -> bool {
        self.admits_many(address, 1, now)
    }

    /// The same for so many at once.
    #[must_use]
    pub fn admits_many(&self, address: Option<IpAddr>, count: i64, now: i64) -> bool {
        let Some(address) = address else { return true };
        // An exhausted network takes no tokens of the wider ones.
        client_address::networks(address).all(|network| self.take(network, count, now))
    }

    fn take(&self, network: ClientNetwork, count: i64, now: i64) -> bool {
        let rate = self.rate.times(network.shares().into());
        let full = || Ok::<_, Infallible>(Arc::new(Mutex::new(TokenBucket::full(rate, now))));
        let Ok(bucket) = self.buckets.get_or_insert_with(&network, full);
        bucket.lock().unwrap_or_else(PoisonError::into_inner).take(count, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_begins_so_many_and_then_fewer() -> Result<(), std::net::AddrParseError> {
        let limit = AddressRateLimit::new(NEW_INTERACTIONS);
        let [one, same, other] = ["2001:db8::1", "2001:db8::2", "192.0.2.1"].map(str::parse::<IpAddr>);
        let (one, same, other) = (Some(one?), Some(same?), Some(other?));
        let admitted = |address, times, now| (0..times).filter(|_| limit.admits(address, now)).count();
        assert_eq!(admitted(one, 1000, 1000), 300);
        assert_eq!(admitted(same, 10, 1000), 0);
        assert_eq!(admitted(other, 10, 1000), 10);
        assert_eq!(admitted(one, 1000, 3000), 20);
        assert_eq!(admitted(one, 1000, 0), 0);
        assert_eq!(admitted(None, 1000, 0), 1000);
        Ok(())
    }

    #[test]
    fn a_customer_with_many_networks_has_a_few_shares() {
        let limit = AddressRateLimit::new(Rate::new(1, 10));
        let at = |site: u128, subnet: u128| IpAddr::V6((0x2001_0db8_u128 << 96 | site << 80 | subnet << 64 | 1).into());
        let admitted = |address: IpAddr| (0..20).filter(|_| limit.admits(Some(address), 0)).count();
        // 256 of a /56 have four shares, and 65,536 of a /48 have sixteen.
        assert_eq!((0..256).map(|subnet| admitted(at(0, subnet))).sum::<usize>(), 40);
        assert_eq!((256..10_000).step_by(7).map(|subnet| admitted(at(0, subnet))).sum::<usize>(), 120);
        // Refusals in one /64 do not count against other networks of the same customer, nor against other customers.
        assert_eq!((admitted(at(1, 0)), admitted(at(1, 0)), admitted(at(1, 1))), (10, 0, 10));
    }
}
