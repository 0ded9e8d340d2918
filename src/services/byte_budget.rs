//! The memory of requests and responses under way: bytes of bodies being read, and of responses that their clients have
//! not read yet, for each connection, for each client address, and in total.

use claimsmith_domain::client_address::{ClientNetwork, networks};
use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The share of one address: four addresses at their limit fill the whole budget.
const ADDRESS_SHARE: usize = 4;
/// The share of one connection.
const CONNECTION_SHARE: usize = 8;

/// Marks a response whose bytes are shared, so that they count as the memory of no request.
#[derive(Clone, Copy, Debug)]
pub struct SharedBytes;

/// Kept by a response until its last byte is sent or its connection has ended. The connection takes it from the
/// extensions of the response.
#[derive(Clone)]
pub struct HeldByResponse {
    _until_dropped: Arc<dyn Any + Send + Sync>,
}

impl HeldByResponse {
    /// Keeps this value.
    pub fn new(held: impl Any + Send + Sync) -> Self {
        Self { _until_dropped: Arc::new(held) }
    }
}

impl fmt::Debug for HeldByResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HeldByResponse")
    }
}

/// The bytes of one connection.
#[derive(Clone, Debug, Default)]
pub struct ConnectionBytes(Arc<AtomicUsize>);

/// Counts the bytes of all requests.
#[derive(Debug)]
pub struct ByteBudget {
    max: usize,
    held: Mutex<HeldBytes>,
}

#[derive(Debug, Default)]
struct HeldBytes {
    total: usize,
    /// By client address, and by the wider networks of IPv6 ones.
    by_network: HashMap<ClientNetwork, usize>,
}

impl ByteBudget {
    /// A budget of so many bytes in total; an address gets a quarter of them, a connection an eighth.
    #[must_use]
    pub fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, held: Mutex::default() })
    }

    /// The charge of one request, which begins with nothing.
    pub fn charge(self: &Arc<Self>, address: Option<IpAddr>, connection: Option<ConnectionBytes>) -> ByteCharge {
        let own = AtomicUsize::new(0);
        ByteCharge { budget: Arc::clone(self), address, connection, own }
    }

    fn lock(&self) -> MutexGuard<'_, HeldBytes> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of one request.
#[derive(Debug)]
pub struct ByteCharge {
    budget: Arc<ByteBudget>,
    address: Option<IpAddr>,
    connection: Option<ConnectionBytes>,
    /// Is changed only while the budget is locked.
    own: AtomicUsize,
}

impl ByteCharge {
    /// Adds bytes, if they are within the limits of the connection, of the address and in total. A caller without other
    /// requests gets as much as it needs, so that the largest accepted body can be sent.
    #[must_use]
    pub fn add(&self, bytes: usize) -> bool {
        let mut held = self.budget.lock();
        let own = self.own.load(Ordering::Relaxed);
        let fits = |now: usize, max: usize| now == own || now.saturating_add(bytes) <= max;
        let max = self.budget.max;
        let fits_network = |network: ClientNetwork| {
            let most = max.min((max / ADDRESS_SHARE).saturating_mul(network.shares().into()));
            fits(held.by_network.get(&network).copied().unwrap_or_default(), most)
        };
        let of_connection = self.connection.as_ref().map(|connection| connection.0.load(Ordering::Relaxed));
        let is_within = fits(held.total, max)
            && self.address.into_iter().flat_map(networks).all(fits_network)
            && of_connection.is_none_or(|now| fits(now, max / CONNECTION_SHARE));
        if is_within {
            self.count(&mut held, bytes);
        }
        is_within
    }

    /// Adds bytes regardless of the limits: for small amounts that the number of requests limits.
    pub fn add_always(&self, bytes: usize) {
        self.count(&mut self.budget.lock(), bytes);
    }

    fn count(&self, held: &mut HeldBytes, bytes: usize) {
        held.total += bytes;
        for network in self.address.into_iter().flat_map(networks) {
            *held.by_network.entry(network).or_default() += bytes;
        }
        if let Some(ConnectionBytes(connection)) = &self.connection {
            connection.fetch_add(bytes, Ordering::Relaxed);
        }
        self.own.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl Drop for ByteCharge {
    fn drop(&mut self) {
        let own = *self.own.get_mut();
        if own == 0 {
            return;
        }
        let mut held = self.budget.lock();
        held.total -= own;
        for network in self.address.into_iter().flat_map(networks) {
            if let Some(bytes) = held.by_network.get_mut(&network) {
                *bytes -= own;
                if *bytes == 0 {
                    held.by_network.remove(&network);
                }
            }
        }
        if let Some(ConnectionBytes(connection)) = &self.connection {
            connection.fetch_sub(own, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_limited_by_connection_by_address_and_in_total() -> Result<(), std::net::AddrParseError> {
        let budget = ByteBudget::new(800);
        let [one, other]: [IpAddr; 2] = ["192.0.2.1".parse()?, "192.0.2.2".parse()?];
        let connection = ConnectionBytes::default();
        let first = budget.charge(Some(one), Some(connection.clone()));
        let second = budget.charge(Some(one), Some(connection.clone()));
        assert!(first.add(60) && second.add(40));
        // An eighth for a connection, a quarter for an address.
        assert!(!second.add(1));
        let elsewhere = budget.charge(Some(one), Some(ConnectionBytes::default()));
        let third = budget.charge(Some(one), Some(ConnectionBytes::default()));
        assert!(elsewhere.add(50) && third.add(50) && !third.add(1));
        // Refused bytes are not counted.
        assert_eq!(budget.lock().total, 200);
        // Another address is not held back, and gets all that is left if it asks alone.
        let large = budget.charge(Some(other), Some(ConnectionBytes::default()));
        assert!(large.add(600) && !large.add(1) && large.own.load(Ordering::Relaxed) == 600);
        drop((first, second, elsewhere, third, large));
        let held = budget.lock();
        assert!(held.total == 0 && held.by_network.is_empty() && connection.0.load(Ordering::Relaxed) == 0);
        Ok(())
    }

    #[test]
    fn a_wide_network_has_the_bytes_of_a_few_addresses() -> Result<(), std::net::AddrParseError> {
        let budget = ByteBudget::new(6400);
        let fill = |address: IpAddr| -> usize {
            let charge = budget.charge(Some(address), None);
            // One more beside it, so that neither is alone.
            let beside = budget.charge(Some(address), None);
            let count = (0..100).take_while(|_| charge.add(100) && beside.add(100)).count();
            std::mem::forget((charge, beside));
            count
        };
        // A quarter for an address, and no more than everything for its /56.
        let addresses = (0..5).map(|number| format!("2001:db8:0:{number}::1").parse());
        let counts: Vec<usize> = addresses.map(|address| address.map(fill)).collect::<Result<_, _>>()?;
        assert_eq!(counts, [8, 8, 8, 8, 0]);
        Ok(())
    }

    #[test]
    fn who_holds_nothing_else_gets_what_it_needs() -> Result<(), std::net::AddrParseError> {
        let budget = ByteBudget::new(100);
        let alone = budget.charge(Some("192.0.2.1".parse()?), Some(ConnectionBytes::default()));
        assert!(alone.add(90) && alone.add(400));
        let small = budget.charge(Some("192.0.2.2".parse()?), None);
        assert!(!small.add(1));
        small.add_always(1);
        assert_eq!(budget.lock().total, 491);
        Ok(())
    }
}
