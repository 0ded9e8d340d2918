//! A concurrency limit for each client address: how many units of a limited resource one address has in use at once.

use claimsmith_domain::client_address::{ClientNetwork, networks};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts the units of addresses, and of the wider networks of IPv6 ones, which may have a few times as many.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    max_per_address: usize,
    held: Mutex<HashMap<ClientNetwork, usize>>,
}

impl ConcurrencyLimit {
    /// A limit of this many each.
    #[must_use]
    pub fn new(max_per_address: usize) -> Arc<Self> {
        Arc::new(Self { max_per_address, held: Mutex::default() })
    }

    /// Acquires one unit for this address, until it is dropped; `None` if the address has reached its limit.
    #[must_use]
    pub fn take(self: &Arc<Self>, address: IpAddr) -> Option<Permit> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = |network: &ClientNetwork| held.get(network).copied().unwrap_or_default();
        let max = |network: &ClientNetwork| self.max_per_address.saturating_mul(network.shares().into());
        if networks(address).any(|network| holds(&network) >= max(&network)) {
            return None;
        }
        for network in networks(address) {
            *held.entry(network).or_default() += 1;
        }
        Some(Permit { limit: Arc::clone(self), address })
    }
}

/// One acquired unit of an address.
#[derive(Debug)]
pub struct Permit {
    limit: Arc<ConcurrencyLimit>,
    address: IpAddr,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut held = self.limit.held.lock().unwrap_or_else(PoisonError::into_inner);
        for network in networks(self.address) {
            if let Some(count) = held.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    held.remove(&network);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_no_more_than_the_limit() -> Result<(), Box<dyn std::error::Error>> {
        let limit = ConcurrencyLimit::new(2);
        let (one, other) = ("192.0.2.1".parse()?, "192.0.2.2".parse()?);
        let held = (limit.take(one), limit.take("::ffff:192.0.2.1".parse()?));
        assert!(held.0.is_some() && held.1.is_some() && limit.take(one).is_none());
        assert!(limit.take(other).is_some());
        drop(held);
        assert!(limit.take(one).is_some());
        let held = (limit.take("2001:db8::1".parse()?), limit.take("2001:db8::2".parse()?));
        assert!(limit.take("2001:db8::3".parse()?).is_none() && limit.take("2001:db8:0:1::1".parse()?).is_some());
        drop(held);
        // A /56 gets what four of its networks may have, and a /48 what sixteen may have.
        let take = |address: u128| limit.take(IpAddr::V6((0x2001_0db8_u128 << 96 | address << 64).into()));
        let held: Vec<Permit> = (0..256).filter_map(take).collect();
        let more: Vec<Permit> = (256..65_536).step_by(32).filter_map(take).collect();
        assert_eq!((held.len(), more.len()), (8, 24));
        drop((held, more));
        // Idle addresses are forgotten.
        assert!(limit.held.lock().is_ok_and(|held| held.is_empty()));
        Ok(())
    }
}
