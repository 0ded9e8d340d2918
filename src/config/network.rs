//! An IP network or a single address (CIDR).

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// All addresses that share a prefix, in CIDR notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Network(IpNet);

impl Network {
    /// Whether `address` belongs to the network. An IPv4 address written as IPv6 counts as the IPv4 address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = String;

    /// The crate's own parser neither says what is wrong nor refuses an address that is not the first of its network.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| format!("{address:?} is not an IP address"))?;
        let single = IpNet::from(address);
        let network = prefix.map_or(Some(single), |prefix| IpNet::new(address, prefix.parse().ok()?).ok());
        let network = network.ok_or_else(|| {
            format!("{:?} is not a prefix length from 0 to {}", prefix.unwrap_or_default(), single.max_prefix_len())
        })?;
        if network.trunc() != network {
            return Err(format!("{text} is an address within a network, not a network"));
        }
        Ok(Self(network))
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
        if self.0.prefix_len() == self.0.max_prefix_len() { self.0.addr().fmt(out) } else { self.0.fmt(out) }
    }
}
