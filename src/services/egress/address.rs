//! Which IP addresses are public. All other addresses are refused, so that no name or URL leads a request into private
//! networks (SSRF guard).

use ipnet::{Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The parts of IPv4 that are not public (IANA's registry of special-purpose addresses), the narrower ones first.
const IPV4: &[(Ipv4Net, &str)] = &[
    (v4(Ipv4Addr::UNSPECIFIED, 32), "unspecified"),
    (v4(Ipv4Addr::BROADCAST, 32), "broadcast"),
    (v4(Ipv4Addr::UNSPECIFIED, 8), "of this network"),
    (v4(Ipv4Addr::new(10, 0, 0, 0), 8), "private"),
    (v4(Ipv4Addr::new(100, 64, 0, 0), 10), "of a carrier's own network"),
    (v4(Ipv4Addr::new(127, 0, 0, 0), 8), "loopback"),
    (v4(Ipv4Addr::new(169, 254, 0, 0), 16), "link-local"),
    (v4(Ipv4Addr::new(172, 16, 0, 0), 12), "private"),
    (v4(Ipv4Addr::new(192, 0, 0, 0), 24), "reserved"),
    (v4(Ipv4Addr::new(192, 0, 2, 0), 24), "for documentation"),
    (v4(Ipv4Addr::new(192, 88, 99, 0), 24), "reserved"),
    (v4(Ipv4Addr::new(192, 168, 0, 0), 16), "private"),
    (v4(Ipv4Addr::new(198, 18, 0, 0), 15), "for benchmarks"),
    (v4(Ipv4Addr::new(198, 51, 100, 0), 24), "for documentation"),
    (v4(Ipv4Addr::new(203, 0, 113, 0), 24), "for documentation"),
    (v4(Ipv4Addr::new(224, 0, 0, 0), 4), "multicast"),
    (v4(Ipv4Addr::new(240, 0, 0, 0), 4), "reserved"),
];

/// The parts of IPv6 that are not public, the narrower ones first; the last three are all that is not global unicast.
const IPV6: &[(Ipv6Net, &str)] = &[
    (v6(Ipv6Addr::UNSPECIFIED, 128), "unspecified"),
    (v6(Ipv6Addr::LOCALHOST, 128), "loopback"),
    (v6(Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48), "for translation within a network"),
    (v6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10), "link-local"),
    (v6(Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7), "unique-local"),
    (v6(Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8), "multicast"),
    (v6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), "for documentation"),
    (v6(Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), "for documentation"),
    (v6(Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), "reserved"),
    (v6(Ipv6Addr::UNSPECIFIED, 3), "reserved"),
    (v6(Ipv6Addr::new(0x4000, 0, 0, 0, 0, 0, 0, 0), 2), "reserved"),
    (v6(Ipv6Addr::new(0x8000, 0, 0, 0, 0, 0, 0, 0), 1), "reserved"),
];

/// Only for constants: the compiler finds a prefix that is too long.
const fn v4(address: Ipv4Addr, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(address, prefix)
}

/// As [`v4`].
const fn v6(address: Ipv6Addr, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(address, prefix)
}

/// Why the address is not public, if it is not.
pub(super) fn not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => IPV4.iter().find(|(net, _)| net.contains(&address)).map(|(_, name)| *name),
        IpAddr::V6(address) => {
            if let Some(inner) = inner(address) {
                return not_public(IpAddr::V4(inner));
            }
            IPV6.iter().find(|(net, _)| net.contains(&address)).map(|(_, name)| *name)
        }
    }
}

/// The IPv4 address that an IPv6 address embeds or leads to.
pub(super) fn inner(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let last = |bits: u128| Ipv4Addr::from_bits((bits & 0xffff_ffff) as u32);
    let bits = address.to_bits();
    match address.segments() {
        // `::` and `::1` are addresses of their own.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        // Compatible; mapped; translated (SIIT); translated (NAT64).
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            Some(last(bits))
        }
        // 6to4.
        [0x2002, ..] => Some(last(bits >> 80)),
        // Teredo hides the client's address by inverting it.
        [0x2001, 0, ..] => Some(last(!bits)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn the_kind_of_a_private_address_is_reported() {
        let table = [
            ("0.0.0.0", "unspecified"),
            ("0.1.2.3", "of this network"),
            ("10.255.255.255", "private"),
            ("100.64.0.1", "of a carrier's own network"),
            ("100.127.255.255", "of a carrier's own network"),
            ("127.0.0.1", "loopback"),
            ("127.255.255.254", "loopback"),
            ("169.254.169.254", "link-local"),
            ("172.16.0.1", "private"),
            ("172.31.255.255", "private"),
            ("192.0.0.192", "reserved"),
            ("192.168.1.1", "private"),
            ("192.0.2.1", "for documentation"),
            ("198.18.0.1", "for benchmarks"),
            ("198.19.255.255", "for benchmarks"),
            ("203.0.113.9", "for documentation"),
            ("224.0.0.1", "multicast"),
            ("239.255.255.255", "multicast"),
            ("240.0.0.1", "reserved"),
            ("255.255.255.255", "broadcast"),
            ("::", "unspecified"),
            ("::1", "loopback"),
            ("fe80::1", "link-local"),
            ("fd12:3456::1", "unique-local"),
            ("fc00::", "unique-local"),
            ("fec0::1", "reserved"),
            ("ff02::1", "multicast"),
            ("2001:db8::1", "for documentation"),
            ("3fff::1", "for documentation"),
            ("2001:2::1", "reserved"),
            ("100::1", "reserved"),
            ("4000::1", "reserved"),
            ("64:ff9b:1::7f00:1", "for translation within a network"),
            ("::ffff:127.0.0.1", "loopback"),
            ("::ffff:0:10.0.0.1", "private"),
            ("::10.0.0.1", "private"),
            ("::2", "of this network"),
            ("64:ff9b::169.254.169.254", "link-local"),
            ("2002:7f00:1::", "loopback"),
            ("2002:c0a8:101::1", "private"),
            ("2001:0:4136:e378:8000:63bf:80ff:fffe", "loopback"),
        ];
        for (text, kind) in table {
            assert_eq!(not_public(text.parse().unwrap()), Some(kind), "{text}");
        }
    }

    #[test]
    fn what_is_public_is_let_through() {
        for text in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:200::1",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2002:101:101::1",
        ] {
            assert_eq!(not_public(text.parse().unwrap()), None, "{text}");
        }
    }
}
