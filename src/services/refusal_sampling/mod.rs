//! Sampling of refused token requests for the audit log: the first refusals of a kind get an entry each, further ones
//! are counted, and the count is written every minute and at shutdown. The same applies to repeated steps of
//! interactions.

mod windows;

pub use windows::{Folded, RefusalReason};

use crate::audit::{Actor, Entry};
use crate::supervisor::{Tasks, contain};
use claimsmith_config::telemetry::AUDIT_REFUSALS;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random::RandomError;
use claimsmith_storage::audit::{self, StoredAuditEntry};
use claimsmith_storage::{self as storage, Db};
use serde_json::json;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::sync::{CancellationToken, DropGuard};
use windows::Windows;

/// Replaces an error's code: nothing was refused, but there were too many for an entry each.
pub const REPEATED: &str = "repeated";

/// How often finished windows are written.
const FLUSH_INTERVAL: Duration = Duration::from_secs(5);
/// Rows in one transaction.
const ROWS_PER_TRANSACTION: usize = 100;
/// The maximum attempts to write the last counts at shutdown.
const FINAL_WRITE_ATTEMPTS: usize = 5;

/// Counts refusals. Open windows are written when it is dropped.
pub struct RefusalSampler {
    shared: Arc<SamplerState>,
    _end: DropGuard,
}

struct SamplerState {
    windows: Mutex<Windows>,
    db: Db,
    clock: Clock,
}

impl RefusalSampler {
    /// Without any refusals. A task of `tasks` writes the counts.
    #[must_use]
    pub fn start(db: &Db, clock: &Clock, tasks: &Tasks) -> Self {
        let shared = Arc::new(SamplerState { windows: Mutex::default(), db: db.clone(), clock: clock.clone() });
        let end = CancellationToken::new();
        tasks.spawn("refusals", Arc::clone(&shared).run(end.clone()));
        Self { shared, _end: end.drop_guard() }
    }

    /// Counts a refusal. `true` if the caller is to write an entry for it.
    #[must_use]
    pub fn admit(&self, reason: &RefusalReason, message: &str) -> bool {
        let admitted = self.shared.windows().admit(reason, message, self.shared.clock.now_ms());
        metrics::counter!(AUDIT_REFUSALS, "kept" => if admitted { "alone" } else { "folded" }).increment(1);
        admitted
    }

    /// Adds a refusal to a count, because its own entry could not be written.
    pub fn fold(&self, reason: &RefusalReason, message: &str) {
        self.shared.windows().fold(reason, message, self.shared.clock.now_ms());
    }

    /// Writes the counts of the finished windows, and returns the number of entries.
    pub async fn write(&self) -> storage::Result<usize> {
        self.shared.write(Some(self.shared.clock.now_ms())).await
    }
}

impl SamplerState {
    fn windows(&self) -> MutexGuard<'_, Windows> {
        // No code panics while it is locked.
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self: Arc<Self>, end: CancellationToken) {
        while end.run_until_cancelled(tokio::time::sleep(FLUSH_INTERVAL)).await.is_some() {
            if let Ok(Err(error)) = contain("refusals", self.write(Some(self.clock.now_ms()))).await {
                tracing::warn!(%error, "refusals could not be written to the audit log; trying again");
            }
        }
        for _ in 0..FINAL_WRITE_ATTEMPTS {
            match self.write(None).await {
                Ok(_) => return,
                Err(error) => tracing::warn!(%error, "the last refusals could not be written to the audit log"),
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    async fn write(&self, now: Option<i64>) -> storage::Result<usize> {
        let taken = self.windows().take(now);
        let mut parts = taken.chunks(ROWS_PER_TRANSACTION);
        while let Some(part) = parts.next() {
            if let Err(error) = self.append(part).await {
                let mut windows = self.windows();
                part.iter().chain(parts.flatten()).for_each(|folded| windows.put_back(folded));
                return Err(error);
            }
        }
        Ok(taken.len())
    }

    async fn append(&self, part: &[Folded]) -> storage::Result<()> {
        let now = self.clock.now_ms();
        // Without randomness there is no id; the next round retries.
        let logs: Result<Vec<StoredAuditEntry>, _> = part.iter().map(|folded| entry(folded, now)).collect();
        let logs = logs.map_err(|_| storage::Error::timed_out())?;
        let mut tx = self.db.begin().await?;
        audit::append(&mut tx, &logs).await?;
        tx.commit().await
    }
}

/// The audit entry of a count.
fn entry(folded: &Folded, now: i64) -> Result<StoredAuditEntry, RandomError> {
    let RefusalReason { client_id, address, key, code, plugin } = &folded.reason;
    let entry = match *code {
        REPEATED => Entry::success(*key, json!({})),
        code => Entry::refused(*key, code, &folded.message),
    };
    let mut entry = entry
        .with("count", folded.count)
        .with("from", folded.from)
        .with("to", folded.to)
        .from(&RequestOrigin { ip: *address, ..RequestOrigin::default() });
    if let Some(plugin) = plugin {
        entry = entry.with("plugin", &**plugin);
    }
    if let Some(id) = client_id {
        entry = entry.by(&Actor::Application { id: id.clone() });
    }
    entry.at(now)
}
