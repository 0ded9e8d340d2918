//! Counts refused requests of the last minute by client, address and reason: the first ones of each get an audit entry
//! each, further ones are counted in one entry at the end of the minute. Memory is bounded.

use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::client_address::{self, ClientNetwork};
use claimsmith_domain::id::ApplicationId;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

/// Milliseconds of a window.
const WINDOW_MS: i64 = 60_000;
/// How many refusals of one client, address and reason get an entry each in a window.
const MAX_ENTRIES_PER_GROUP: u64 = 10;
/// The same for all clients together.
const MAX_ENTRIES: u64 = 300;
/// How many combinations of client, address and reason are distinguished; the rest is counted together.
const MAX_WINDOWS: usize = 1000;
/// The maximum characters of a stored message.
const MAX_MESSAGE_CHARS: usize = 256;

/// The refused client, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RefusalReason {
    /// The client, once it is identified.
    pub client_id: Option<ApplicationId>,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// The key of the audit entry.
    pub key: AuditKey,
    /// The error's code.
    pub code: &'static str,
    /// The plugin that refused, if it was one.
    pub plugin: Option<Arc<str>>,
}

/// Refusals that are counted in one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// The client and the reason; of an unknown client the first one's.
    pub reason: RefusalReason,
    /// The error message of the first one.
    pub message: String,
    /// How many.
    pub count: u64,
    /// When the first one was, Unix milliseconds.
    pub from: i64,
    /// When the last one was.
    pub to: i64,
}

/// The groups of refusals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum RefusalGroup {
    Client(RefusalReason),
    /// Unknown clients have one group for each address.
    Unknown(Option<IpAddr>),
    Others,
}

impl RefusalGroup {
    /// The fields that all refusals in this group share.
    fn of(&self, reason: &RefusalReason) -> RefusalReason {
        match self {
            Self::Client(_) | Self::Unknown(_) => reason.clone(),
            Self::Others => {
                RefusalReason { client_id: None, address: None, key: reason.key, code: "various", plugin: None }
            }
        }
    }
}

struct Window {
    began: i64,
    alone: u64,
    folded: Option<Folded>,
}

/// The windows that are open.
#[derive(Default)]
pub(super) struct Windows {
    open: HashMap<RefusalGroup, Window>,
    all: CommonWindow,
}

/// The window of all groups.
#[derive(Default)]
struct CommonWindow {
    began: i64,
    /// How many entries there were in it.
    entries: u64,
    /// How many of them came from wide networks, each of which has many addresses, and so many groups.
    wide: HashMap<ClientNetwork, u64>,
}

impl CommonWindow {
    fn has_room(&self, address: Option<IpAddr>) -> bool {
        let entries = |network: &ClientNetwork| self.wide.get(network).copied().unwrap_or_default();
        let is_full = |network: ClientNetwork| entries(&network) >= MAX_ENTRIES_PER_GROUP * u64::from(network.shares());
        self.entries < MAX_ENTRIES && !wide_networks(address).any(is_full)
    }

    fn count(&mut self, address: Option<IpAddr>) {
        self.entries += 1;
        for network in wide_networks(address) {
            *self.wide.entry(network).or_default() += 1;
        }
    }
}

/// The networks of more than one client.
fn wide_networks(address: Option<IpAddr>) -> impl Iterator<Item = ClientNetwork> {
    address.into_iter().flat_map(client_address::networks).filter(|network| network.shares() > 1)
}

impl Windows {
    /// Counts a refusal. `true` if it gets an entry of its own.
    pub(super) fn admit(&mut self, reason: &RefusalReason, message: &str, now: i64) -> bool {
        let group = self.group(reason);
        let window = self.open.entry(group.clone()).or_insert(Window { began: now, alone: 0, folded: None });
        if window.folded.is_none() && now - window.began >= WINDOW_MS {
            *window = Window { began: now, alone: 0, folded: None };
        }
        if now - self.all.began >= WINDOW_MS {
            self.all = CommonWindow { began: now, ..CommonWindow::default() };
        }
        let is_alone = window.folded.is_none()
            && window.alone < MAX_ENTRIES_PER_GROUP
            && self.all.has_room(reason.address)
            && group != RefusalGroup::Others;
        if is_alone {
            window.alone += 1;
            self.all.count(reason.address);
        } else {
            window.fold(&group.of(reason), message, 1, now, now);
        }
        is_alone
    }

    /// Adds a refusal to a count.
    pub(super) fn fold(&mut self, reason: &RefusalReason, message: &str, now: i64) {
        let message = message.to_owned();
        self.put_back(&Folded { reason: reason.clone(), message, count: 1, from: now, to: now });
    }

    /// Takes what could not be written.
    pub(super) fn put_back(&mut self, folded: &Folded) {
        let group = self.group(&folded.reason);
        let reason = group.of(&folded.reason);
        let window = Window { began: folded.from, alone: MAX_ENTRIES_PER_GROUP, folded: None };
        let window = self.open.entry(group).or_insert(window);
        window.fold(&reason, &folded.message, folded.count, folded.from, folded.to);
    }

    /// The counts of the finished windows; of all windows without `now`.
    pub(super) fn take(&mut self, now: Option<i64>) -> Vec<Folded> {
        let is_over = |window: &Window| now.is_none_or(|now| now - window.began >= WINDOW_MS);
        self.open.extract_if(|_, window| is_over(window)).filter_map(|(_, window)| window.folded).collect()
    }

    fn group(&self, reason: &RefusalReason) -> RefusalGroup {
        let address = reason.address.map(client_address::share);
        let group = match reason.client_id {
            Some(_) => RefusalGroup::Client(RefusalReason { address, ..reason.clone() }),
            None => RefusalGroup::Unknown(address),
        };
        if self.open.contains_key(&group) || self.open.len() < MAX_WINDOWS { group } else { RefusalGroup::Others }
    }
}

impl Window {
    fn fold(&mut self, reason: &RefusalReason, message: &str, count: u64, from: i64, to: i64) {
        let message = || message.chars().take(MAX_MESSAGE_CHARS).collect();
        let folded = self.folded.get_or_insert_with(|| Folded {
            reason: reason.clone(),
            message: message(),
            count: 0,
            from,
            to,
        });
        folded.count = folded.count.saturating_add(count);
        folded.from = folded.from.min(from);
        folded.to = folded.to.max(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

    fn reason(client: Option<usize>, address: u32) -> RefusalReason {
        let address = Some(Ipv4Addr::from(address).into());
        RefusalReason {
            client_id: client.map(|id| id.to_string().into()),
            address,
            key: AuditKey::ExchangeTokenByUnknown,
            code: "code",
            plugin: None,
        }
    }

    fn count(folded: &[Folded]) -> u64 {
        folded.iter().map(|folded| folded.count).sum()
    }

    #[test]
    fn the_first_refusals_get_an_entry_each_and_the_others_are_counted() {
        let mut windows = Windows::default();
        let told = (0..1000).filter(|at| windows.admit(&reason(Some(1), 1), "message", *at)).count();
        assert_eq!(told, 10);
        assert!(windows.admit(&reason(Some(1), 2), "message", 999), "another address");
        assert!(windows.admit(&reason(Some(2), 1), "message", 999), "another client");
        assert!(
            windows.admit(&RefusalReason { code: "other", ..reason(Some(1), 1) }, "message", 999),
            "another reason"
        );
        let by_plugin = RefusalReason { plugin: Some("boom".into()), ..reason(Some(1), 1) };
        assert!(windows.admit(&by_plugin, "message", 999), "a plugin");
        assert_eq!(windows.take(Some(59_999)), []);
        let folded = windows.take(Some(60_000));
        let expected =
            Folded { reason: reason(Some(1), 1), message: "message".to_owned(), count: 990, from: 10, to: 999 };
        assert_eq!(folded, std::slice::from_ref(&expected));
        assert!(windows.admit(&reason(Some(1), 1), "message", 60_000), "a new window");
        windows.put_back(&expected);
        windows.put_back(&expected);
        assert_eq!(count(&windows.take(None)), 1980);
        assert_eq!(windows.take(None), []);
    }

    #[test]
    fn quiet_windows_end_by_themselves() {
        let mut windows = Windows::default();
        for minute in 0..10 {
            for _ in 0..10 {
                assert!(windows.admit(&reason(None, 1), "message", minute * 60_000));
            }
        }
        assert_eq!(windows.take(None), []);
    }

    #[test]
    fn an_unknown_client_is_its_address() {
        let mut windows = Windows::default();
        let of = |code: &'static str, last: u16| RefusalReason {
            address: Some(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, last).into()),
            code,
            ..reason(None, 1)
        };
        let told = (0..100).filter(|last| windows.admit(&of(["a", "b"][usize::from(last % 2)], *last), "", 0)).count();
        assert_eq!((told, windows.take(None).len()), (10, 1));
    }

    #[test]
    fn many_addresses_take_no_more_memory_than_some_and_none_is_lost() {
        let mut windows = Windows::default();
        let told = (0..20_000).filter(|address| windows.admit(&reason(Some(1), *address), "message", 0)).count();
        assert_eq!((told as u64, windows.open.len()), (MAX_ENTRIES, MAX_WINDOWS + 1));
        let folded = windows.take(None);
        assert!(folded.len() <= MAX_WINDOWS + 1);
        assert_eq!(count(&folded) + told as u64, 20_000);
        let long = "x".repeat(100_000);
        windows.fold(&reason(Some(1), 1), &long, 0);
        assert_eq!(windows.take(None).iter().map(|folded| folded.message.len()).max(), Some(MAX_MESSAGE_CHARS));
    }

    #[test]
    fn the_networks_of_one_customer_have_a_few_shares_of_the_entries() {
        let mut windows = Windows::default();
        let mut told = |site: u128, subnet: u128| {
            let address = Ipv6Addr::from_bits(0x2001_0db8_u128 << 96 | site << 80 | subnet << 64 | 1);
            windows.admit(&RefusalReason { address: Some(address.into()), ..reason(None, 1) }, "", 0)
        };
        assert_eq!((0..256).filter(|subnet| told(1, *subnet)).count(), 40, "a /56");
        assert_eq!((256..1000).step_by(4).filter(|subnet| told(1, *subnet)).count(), 120, "a /48 with it");
        assert!(told(2, 0), "another one");
    }
}
