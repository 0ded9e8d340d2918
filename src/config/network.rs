//! An IP network or a single address (CIDR).

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// All addresses that share their first bits with one address, in CIDR notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Whether `address` belongs to the network. An IPv4 address written as IPv6 counts as the IPv4 address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let shift = width(self.address) - u32::from(self.prefix);
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).checked_shr(shift).unwrap_or(0) == 0
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).checked_shr(shift).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| format!("{address:?} is not an IP address"))?;
        let width = width(address);
        let prefix = match prefix {
            None => width,
            Some(prefix) => prefix
                .parse()
                .ok()
                .filter(|prefix| *prefix <= width)
                .ok_or_else(|| format!("{prefix:?} is not a prefix length from 0 to {width}"))?,
        };
        let host_bits = match address {
            IpAddr::V4(address) => address.to_bits().checked_shl(prefix).unwrap_or(0) != 0,
            IpAddr::V6(address) => address.to_bits().checked_shl(prefix).unwrap_or(0) != 0,
        };
        if host_bits {
            return Err(format!("{text} is an address within a network, not a network"));
        }
        Ok(Self { address, prefix: u8::try_from(prefix).map_err(|error| error.to_string())? })
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        network.to_string()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if u32::from(self.prefix) == width(self.address) {
            return write!(out, "{}", self.address);
        }
        write!(out, "{}/{}", self.address, self.prefix)
    }
}

/// Bits of an address of this family.
const fn width(address: IpAddr) -> u32 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}
