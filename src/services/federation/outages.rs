//! The providers that could not be reached at sign-ins, by connector, in the memory of this node: for operators, until a
//! sign-in succeeds or an hour has passed.

use super::failure::FederationFailure;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How long an outage is shown after its last failure, in milliseconds.
const LIFETIME_MS: i64 = 3_600_000;
/// How many connectors are distinguished.
const MAX_CONNECTORS: usize = 1000;

/// Failures to reach the provider of a connector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The connector, social or enterprise.
    pub connector_id: String,
    /// How many sign-ins failed.
    pub failures: u64,
    /// The first failure, Unix milliseconds.
    pub failing_since: i64,
    /// The last failure.
    pub failed_at: i64,
    /// Its reason.
    pub message: String,
}

/// The outages.
#[derive(Default)]
pub(super) struct Outages(Mutex<HashMap<String, Outage>>);

impl Outages {
    /// Counts a failure, if it is one of the provider.
    pub(super) fn failed(&self, connector_id: &str, failure: &FederationFailure, now: i64) {
        if !failure.is_outage() {
            return;
        }
        let mut outages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        outages.retain(|_, outage| outage.is_recent(now));
        if let Some(known) = outages.get_mut(connector_id) {
            known.failures += 1;
            known.failed_at = now;
            if !matches!(failure, FederationFailure::FailedBefore) {
                known.message = failure.to_string();
            }
        } else if outages.len() < MAX_CONNECTORS {
            let (connector_id, message) = (connector_id.to_owned(), failure.to_string());
            let outage =
                Outage { connector_id: connector_id.clone(), failures: 1, failing_since: now, failed_at: now, message };
            outages.insert(connector_id, outage);
        }
    }

    /// Ends the outage of a connector.
    pub(super) fn ended(&self, connector_id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(connector_id);
    }

    /// The recent ones, the last failure first.
    pub(super) fn recent(&self, now: i64) -> Vec<Outage> {
        let outages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut recent: Vec<Outage> = outages.values().filter(|outage| outage.is_recent(now)).cloned().collect();
        recent.sort_by(|one, other| {
            other.failed_at.cmp(&one.failed_at).then_with(|| one.connector_id.cmp(&other.connector_id))
        });
        recent
    }
}

impl Outage {
    fn is_recent(&self, now: i64) -> bool {
        now - self.failed_at < LIFETIME_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_counted_until_a_sign_in_succeeds_or_it_is_old() {
        let outages = Outages::default();
        outages.failed("a", &FederationFailure::Slow, 1);
        outages.failed("a", &FederationFailure::FailedBefore, 2);
        outages.failed("b", &FederationFailure::Status(503), 3);
        outages.failed("c", &FederationFailure::Code("expired".to_owned()), 4);
        outages.failed("c", &FederationFailure::Status(400), 4);
        let shown = |now| {
            let recent = outages.recent(now).into_iter();
            recent.map(|outage| (outage.connector_id, outage.failures, outage.message)).collect::<Vec<_>>()
        };
        let a = ("a".to_owned(), 2, FederationFailure::Slow.to_string());
        let b = ("b".to_owned(), 1, FederationFailure::Status(503).to_string());
        assert_eq!(shown(4), [b.clone(), a]);
        outages.ended("a");
        assert_eq!(shown(4), [b]);
        assert_eq!(shown(3 + LIFETIME_MS), []);
    }
}
