//! Client addresses as keys of rate limits: an IPv4 address, or the networks of an IPv6 address. Providers assign a
//! /64, a /56 or a /48 to one customer, so all three are counted, wider ones with a larger share.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// The prefix lengths by which IPv6 clients are counted, narrowest first, and the number of client shares of each.
const IPV6_WIDTHS: [(u8, u8); 3] = [(64, 1), (56, 4), (48, 16)];

/// An IPv4 address or an IPv6 network, as a key of counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClientNetwork {
    first: IpAddr,
    prefix: u8,
    shares: u8,
}

impl ClientNetwork {
    /// The multiple of one client's limit that it has.
    #[must_use]
    pub const fn shares(self) -> u8 {
        self.shares
    }
}

/// An IPv4 address or a /64 is written without prefix length, as in earlier versions: stored counts stay valid.
impl fmt::Display for ClientNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shares == 1 { self.first.fmt(f) } else { write!(f, "{}/{}", self.first, self.prefix) }
    }
}

/// All keys of an address, narrowest first: a client that used up its own share does not use up that of a wider
/// network.
#[must_use]
pub fn networks(address: IpAddr) -> impl DoubleEndedIterator<Item = ClientNetwork> + Clone {
    let networks = match address.to_canonical() {
        IpAddr::V4(address) => [Some(ClientNetwork { first: address.into(), prefix: 32, shares: 1 }), None, None],
        IpAddr::V6(address) => IPV6_WIDTHS.map(|(prefix, shares)| {
            let first = Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - prefix)));
            Some(ClientNetwork { first: first.into(), prefix, shares })
        }),
    };
    networks.into_iter().flatten()
}

/// The smallest network of one client: an IPv4 address, or the /64 of an IPv6 address. For displaying and comparing
/// addresses; limits use [`networks`].
#[must_use]
pub fn share(address: IpAddr) -> IpAddr {
    networks(address).next().map_or(address, |network| network.first)
}

/// The network of the provider of an address, approximately: its /16 of IPv4, or its /32 of IPv6.
#[must_use]
pub fn provider(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            format!("{first}.{second}.0.0/16")
        }
        IpAddr::V6(address) => {
            let [first, second, ..] = address.segments();
            format!("{first:x}:{second:x}::/32")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_address_or_a_64() -> Result<(), std::net::AddrParseError> {
        let table = [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::"),
            ("2001:db8:0:1::", "2001:db8:0:1::"),
        ];
        for (address, expected) in table {
            assert_eq!(share(address.parse()?), expected.parse::<IpAddr>()?, "{address}");
        }
        Ok(())
    }

    #[test]
    fn a_provider_has_wider_networks() -> Result<(), std::net::AddrParseError> {
        for (address, expected) in [
            ("192.0.2.1", "192.0.0.0/16"),
            ("::ffff:192.0.2.1", "192.0.0.0/16"),
            ("2001:db8:0:1:2:3:4:5", "2001:db8::/32"),
        ] {
            assert_eq!(provider(address.parse()?), expected, "{address}");
        }
        Ok(())
    }

    #[test]
    fn an_ipv6_address_is_counted_in_three_networks() -> Result<(), std::net::AddrParseError> {
        let of = |address: &str| -> Result<Vec<(String, u8)>, std::net::AddrParseError> {
            Ok(networks(address.parse()?).map(|network| (network.to_string(), network.shares())).collect())
        };
        let owned = |names: &[(&str, u8)]| names.iter().map(|(name, shares)| ((*name).to_owned(), *shares)).collect();
        let expected: Vec<_> = owned(&[("2001:db8:1:2345::", 1), ("2001:db8:1:2300::/56", 4), ("2001:db8:1::/48", 16)]);
        assert_eq!(of("2001:db8:1:2345:6:7:8:9")?, expected);
        // Networks with the same first address are different keys.
        let first: std::collections::HashSet<_> = networks("2001:db8::".parse()?).collect();
        assert_eq!(first.len(), 3);
        assert_eq!(of("192.0.2.1")?, owned(&[("192.0.2.1", 1)]));
        assert_eq!(of("::ffff:192.0.2.1")?, owned(&[("192.0.2.1", 1)]));
        Ok(())
    }
}
