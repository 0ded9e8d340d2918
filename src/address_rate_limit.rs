//! Rate limits of this node: a token bucket for each client address. An office behind one address has many people, so a
//! bucket holds many tokens.

use crate::domain::client_address;
use crate::domain::token_bucket::{Rate, TokenBucket};
use quick_cache::sync::Cache;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Addresses that are remembered; one that is forgotten begins with a full bucket.
const MAX_ADDRESSES: usize = 50_000;

/// Beginning interactions: each is a row.
pub(crate) const NEW_INTERACTIONS: Rate = Rate::new(10, 300);
/// Guessing passwords, one-time passwords and user codes.
pub(crate) const GUESSES: Rate = Rate::new(5, 300);

/// The buckets of all addresses.
#[derive(Debug)]
pub(crate) struct AddressRateLimit {
    buckets: Cache<IpAddr, Arc<Mutex<TokenBucket>>>,
    rate: Rate,
}

impl AddressRateLimit {
    /// Every address may go at this rate.
    pub(crate) fn new(rate: Rate) -> Self {
        Self { buckets: Cache::new(MAX_ADDRESSES), rate }
    }

    /// Whether this address may do one more now (Unix milliseconds). It counts if it may.
    pub(crate) fn admits(&self, address: Option<IpAddr>, now: i64) -> bool {
        let Some(address) = address.map(client_address::share) else { return true };
        let full = || Ok::<_, Infallible>(Arc::new(Mutex::new(TokenBucket::full(self.rate, now))));
        let Ok(bucket) = self.buckets.get_or_insert_with(&address, full);
        bucket.lock().unwrap_or_else(PoisonError::into_inner).take(1, now)
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
}
