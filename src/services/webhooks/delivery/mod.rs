//! Deliveries of events to hooks, from their queue (`delivery_queue`): they are transformed, signed and sent, within
//! the limits of each hook, and retried for three days.

mod attempt;
mod body;
mod lease;
mod outages;
mod results;
mod send;

pub use body::PreparedDelivery;
pub use send::{MAX_BODY_BYTES, Receiver, WebhookResponse, told};

use crate::activity::ActivityCounts;
use crate::delivery_queue::Worker;
use crate::egress::Egress;
use crate::encryption::Cipher;
use crate::plugins::Plugins;
use crate::supervisor::Tasks;
use crate::webhooks::receivers::Receivers;
use claimsmith_config as config;
use claimsmith_domain::clock::Clock;
use claimsmith_runtime::QUEUE_TIMEOUT;
use claimsmith_storage::Db;
use lease::HookQueue;
use std::sync::Arc;
use std::time::Duration;

/// The time of an attempt beside its transforms and its request: reading the clock, writing the result of the
/// transforms, and writing the result of the attempt.
const LEASE_MARGIN: Duration = Duration::from_secs(5);

/// What deliveries need.
pub struct DeliveryContext {
    /// The database.
    pub db: Db,
    /// The time.
    pub clock: Clock,
    /// Decrypts signing keys.
    pub cipher: Arc<Cipher>,
    /// Transforms.
    pub plugins: Plugins,
    /// The client for outgoing requests.
    pub egress: Arc<Egress>,
    /// Concurrency and polling interval.
    pub settings: config::WebhooksConfig,
    /// Time that all transforms of a delivery share.
    pub budget: Duration,
    /// Counts attempts.
    pub activity: Arc<ActivityCounts>,
    /// The receivers of this server's own.
    pub receivers: Receivers,
}

/// The time that transforms wait for their turns is not charged to their budget.
fn lease_duration(budget: Duration, timeout: Duration, transforms: u32) -> Duration {
    budget + QUEUE_TIMEOUT * transforms + timeout + LEASE_MARGIN
}

impl DeliveryContext {
    /// The duration of a lease: longer than any attempt, so that it does not pass to another worker during the attempt,
    /// and otherwise as short as possible, so that the deliveries of a dead worker are soon due again.
    #[must_use]
    pub fn lease_duration(&self) -> Duration {
        lease_duration(self.budget, self.settings.timeout, self.plugins.count_transforms())
    }

    /// Delivers in the background until shutdown. Attempts in progress are finished.
    pub fn start(self: Arc<Self>, tasks: &Tasks) {
        super::metrics::describe();
        let worker = Worker {
            db: self.db.clone(),
            clock: self.clock.clone(),
            concurrency: self.settings.concurrency,
            poll: self.settings.poll,
        };
        worker.start(Arc::new(HookQueue::new(self)), tasks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_longer_than_any_attempt() {
        let (budget, timeout) = (Duration::from_secs(1), Duration::from_secs(10));
        for transforms in [0, 1, 40] {
            let longest = budget + transforms * QUEUE_TIMEOUT + timeout;
            assert!(lease_duration(budget, timeout, transforms) > longest, "{transforms}");
        }
    }
}
