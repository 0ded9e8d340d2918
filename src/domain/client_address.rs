//! Client addresses, as keys of limits: an IPv4 address, or the network of an IPv6 one.

use std::net::{IpAddr, Ipv6Addr};

/// What one client has of the address space: an IPv4 address, or the /64 of an IPv6 one, of which every client has all.
#[must_use]
pub fn share(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
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
}
