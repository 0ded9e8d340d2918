//! Counts of activity on this node, for charts: a few atomic operations each, and no lock. `heartbeat` takes them once
//! a minute and writes them to the database.

use claimsmith_domain::grant::grant_type::GrantType;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What is counted, except for plugins, which have their own counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActivityKind {
    /// Sign-ins, at the end of an interaction or when refused.
    SignIn,
    /// Registering.
    Registration,
    /// A token by this grant; `None` if the request named no known one.
    Token(Option<GrantType>),
    /// An attempt to deliver an event.
    Delivery,
    /// An attempt to send a message to a recipient.
    Message,
}

/// How long counts are kept by the minute, before they are added up to hours: two days, in milliseconds.
pub const MINUTES_KEPT_MS: i64 = 2 * 86_400_000;
/// The kind of plugins.
pub const PLUGINS: &str = "plugins";
/// The kinds that a chart shows even where nothing happened.
pub const ALWAYS: [&str; 4] = ["signIns", "registrations", "deliveries", "messages"];

const KINDS: [(&str, &str); 10] = [
    ("signIns", ""),
    ("registrations", ""),
    ("deliveries", ""),
    ("messages", ""),
    ("tokens", GrantType::AuthorizationCode.chart()),
    ("tokens", GrantType::RefreshToken.chart()),
    ("tokens", GrantType::ClientCredentials.chart()),
    ("tokens", GrantType::DeviceCode.chart()),
    ("tokens", GrantType::TokenExchange.chart()),
    ("tokens", "other"),
];

/// The counts of this node since they were last taken.
#[derive(Debug, Default)]
pub struct ActivityCounts {
    counters: [Counter; KINDS.len()],
}

/// The counts of one kind.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    count: AtomicU64,
    failures: AtomicU64,
    microseconds: AtomicU64,
    slowest: AtomicU64,
}

/// The values of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How often it happened, failures included.
    pub count: u64,
    /// How often it failed.
    pub failures: u64,
    /// How long all of it took.
    pub microseconds: u64,
    /// How long the slowest took.
    pub slowest: u64,
}

impl Counter {
    /// Counts one.
    pub(crate) fn count(&self, is_failure: bool, duration: Duration) {
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.add(Counts { count: 1, failures: is_failure.into(), microseconds, slowest: microseconds });
    }

    /// Adds counts that were taken and could not be written.
    pub(crate) fn add(&self, counts: Counts) {
        self.count.fetch_add(counts.count, Ordering::Relaxed);
        if counts.failures > 0 {
            self.failures.fetch_add(counts.failures, Ordering::Relaxed);
        }
        if counts.microseconds > 0 {
            self.microseconds.fetch_add(counts.microseconds, Ordering::Relaxed);
            self.slowest.fetch_max(counts.slowest, Ordering::Relaxed);
        }
    }

    /// The counts since the last time; `None` if there are none.
    pub(crate) fn take(&self) -> Option<Counts> {
        let counts = Counts {
            count: self.count.swap(0, Ordering::Relaxed),
            failures: self.failures.swap(0, Ordering::Relaxed),
            microseconds: self.microseconds.swap(0, Ordering::Relaxed),
            slowest: self.slowest.swap(0, Ordering::Relaxed),
        };
        (counts != Counts::default()).then_some(counts)
    }
}

impl ActivityCounts {
    /// Counts one.
    pub fn count(&self, what: ActivityKind, is_failure: bool, duration: Duration) {
        if let Some(counter) = self.counters.get(place(what)) {
            counter.count(is_failure, duration);
        }
    }

    /// The counts since the last time, by kind and name.
    pub fn take(&self) -> Vec<(&'static str, &'static str, Counts)> {
        let all = KINDS.iter().zip(&self.counters);
        all.filter_map(|((kind, name), counter)| Some((*kind, *name, counter.take()?))).collect()
    }

    /// Adds counts that were taken and could not be written.
    pub fn give_back(&self, kind: &str, name: &str, counts: Counts) {
        let mut all = KINDS.iter().zip(&self.counters);
        if let Some((_, counter)) = all.find(|(known, _)| **known == (kind, name)) {
            counter.add(counts);
        }
    }
}

fn place(what: ActivityKind) -> usize {
    match what {
        ActivityKind::SignIn => 0,
        ActivityKind::Registration => 1,
        ActivityKind::Delivery => 2,
        ActivityKind::Message => 3,
        ActivityKind::Token(grant) => {
            let named =
                |(kind, name): &(&str, &str)| *kind == "tokens" && grant.is_some_and(|grant| grant.chart() == *name);
            KINDS.iter().position(named).unwrap_or(KINDS.len() - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_taken_once_and_may_be_given_back() {
        let activity = ActivityCounts::default();
        let issue = |grant| activity.count(ActivityKind::Token(grant), false, Duration::ZERO);
        issue(Some(GrantType::RefreshToken));
        issue(None);
        activity.count(ActivityKind::Delivery, true, Duration::from_micros(5));
        activity.count(ActivityKind::Delivery, false, Duration::from_micros(7));
        let taken = activity.take();
        let one = Counts { count: 1, ..Counts::default() };
        let two = Counts { count: 2, failures: 1, microseconds: 12, slowest: 7 };
        let expected = [("deliveries", "", two), ("tokens", "refresh_token", one), ("tokens", "other", one)];
        assert_eq!(taken, expected);
        assert!(activity.take().is_empty());
        for (kind, name, counts) in taken {
            activity.give_back(kind, name, counts);
        }
        assert_eq!(activity.take(), expected);
    }

    #[test]
    fn every_kind_has_its_place() {
        let places = [ActivityKind::SignIn, ActivityKind::Registration, ActivityKind::Delivery, ActivityKind::Message]
            .map(place);
        assert_eq!(places.map(|place| KINDS[place].0), ALWAYS);
        assert_eq!(KINDS[place(ActivityKind::Token(Some(GrantType::TokenExchange)))], ("tokens", "token_exchange"));
    }
}
