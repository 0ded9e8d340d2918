//! The rate limit of new interactions: a token bucket for each client address. Anybody may begin one, and each is a row.

use crate::domain::client_address;
use quick_cache::sync::Cache;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Interactions that one address may begin at once: an office behind one address has many people.
const BURST: i64 = 300;
/// Interactions that it may begin every second on and on.
const PER_SECOND: i64 = 10;
/// One interaction, in the unit of credits.
const CREDITS: i64 = 1000;
/// Addresses that are remembered; one that is forgotten begins with a full bucket.
const MAX_ADDRESSES: usize = 50_000;

/// The buckets of all addresses.
#[derive(Debug)]
pub(crate) struct InteractionLimit(Cache<IpAddr, Arc<Mutex<Bucket>>>);

#[derive(Clone, Copy, Debug)]
struct Bucket {
    credit: i64,
    /// Unix milliseconds.
    at: i64,
}

impl Default for InteractionLimit {
    fn default() -> Self {
        Self(Cache::new(MAX_ADDRESSES))
    }
}

impl InteractionLimit {
    /// Whether this address may begin another interaction now (Unix milliseconds). It counts if it may.
    pub(crate) fn admits(&self, address: Option<IpAddr>, now: i64) -> bool {
        let Some(address) = address.map(client_address::share) else { return true };
        let full =
            || Ok::<_, std::convert::Infallible>(Arc::new(Mutex::new(Bucket { credit: BURST * CREDITS, at: now })));
        let Ok(bucket) = self.0.get_or_insert_with(&address, full);
        let mut bucket = bucket.lock().unwrap_or_else(PoisonError::into_inner);
        // If the clock went back, nothing is added.
        let gained = now.saturating_sub(bucket.at).clamp(0, 3_600_000) * PER_SECOND;
        *bucket = Bucket { credit: (bucket.credit + gained).min(BURST * CREDITS), at: now };
        let admitted = bucket.credit >= CREDITS;
        if admitted {
            bucket.credit -= CREDITS;
        }
        admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_begins_so_many_and_then_fewer() -> Result<(), std::net::AddrParseError> {
        let limit = InteractionLimit::default();
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
