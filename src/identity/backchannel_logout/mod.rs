//! Back-channel logout (OpenID Connect Back-Channel Logout 1.0): notifies applications that a session has ended. The
//! transaction that ends the session queues the notifications (`storage::sessions::backchannel_logouts`); they are
//! delivered here, with a newly signed logout token for each attempt.

mod metrics;
mod results;
mod send;

use claimsmith_services::app::App;
use claimsmith_services::delivery_queue::{self, DeliveryQueue, Error, Worker};
use claimsmith_services::supervisor::{Panicked, Tasks, contain};
use claimsmith_storage::sessions::backchannel_logouts::{self, Leased};
use claimsmith_storage::{self as storage, Lease, Outbox, Tx};
use results::{AttemptResult, LogoutOutcome};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum concurrent logout notifications per application, so that a slow one does not delay the others.
const MAX_IN_FLIGHT: i64 = 10;
/// Time of an attempt in addition to its request: reading the data, signing, and writing the result.
const LEASE_MARGIN: Duration = Duration::from_secs(5);

/// Delivers logout notifications in the background until shutdown. Attempts in progress are finished.
pub fn start(app: &App, tasks: &Tasks) {
    metrics::describe();
    let settings = &app.config.webhooks;
    let worker =
        Worker { db: app.db.clone(), clock: app.clock.clone(), concurrency: settings.concurrency, poll: settings.poll };
    worker.start(Arc::new(Logouts { app: app.clone() }), tasks);
}

/// The logout notifications of all applications.
struct Logouts {
    app: App,
}

impl Logouts {
    /// Duration of a lease in milliseconds: longer than any attempt, so that no other worker takes it over.
    fn lease_ms(&self) -> i64 {
        let longest = self.app.config.webhooks.timeout + LEASE_MARGIN;
        i64::try_from(longest.as_millis()).unwrap_or(i64::MAX / 2)
    }
}

impl DeliveryQueue for Logouts {
    type Taken = Vec<Leased>;
    type Item = Leased;
    type Record = AttemptResult;

    const ITEM: &'static str = "logout";
    const OUTBOX: Outbox = Outbox::Logouts;

    async fn next_due(&self, tx: &mut Tx) -> storage::Result<Option<i64>> {
        backchannel_logouts::next_due(tx).await
    }

    async fn bring_forward(&self, tx: &mut Tx, now: i64, by: i64) -> storage::Result<u64> {
        backchannel_logouts::bring_forward(tx, now, by).await
    }

    async fn lease(&self, tx: &mut Tx, name: &str, now: i64, free: i64) -> Result<(Vec<Leased>, Duration), Error> {
        let mut due = backchannel_logouts::due_applications(tx, now).await?;
        delivery_queue::begin_anywhere(&mut due)?;
        // Read after acquiring the locks, so that waiting for them does not shorten the lease.
        let now = self.app.clock.now_ms();
        let lease = Lease { name, now, until: now + self.lease_ms() };
        let mut taken = Vec::new();
        let mut left = free;
        for application in due {
            let limit = (MAX_IN_FLIGHT - application.in_flight).min(left);
            if limit > 0 {
                let leased = backchannel_logouts::lease(tx, &application.id, lease, limit).await?;
                left -= i64::try_from(leased.len()).unwrap_or(i64::MAX);
                taken.extend(leased);
            }
        }
        Ok((taken, self.app.config.webhooks.poll))
    }

    fn items(&self, taken: Vec<Leased>) -> Vec<Leased> {
        taken
    }

    /// A panic counts as a failed attempt, and is retried.
    async fn attempt(&self, leased: Leased, lease: Arc<str>) -> Option<AttemptResult> {
        let started = Instant::now();
        let told = contain(Self::ITEM, send::tell(&self.app, &leased)).await;
        let outcome =
            told.unwrap_or_else(|Panicked| LogoutOutcome::failed("an internal error of the server; see its log"));
        Some(AttemptResult { leased, lease, outcome, duration: started.elapsed() })
    }

    async fn write(&self, tx: &mut Tx, records: &[AttemptResult], now: i64) -> Result<(), Error> {
        results::write(tx, records, now).await
    }

    fn bare(record: AttemptResult) -> AttemptResult {
        record.bare()
    }

    fn count(record: &AttemptResult) {
        metrics::attempt(record.outcome.label(), record.duration);
    }
}
