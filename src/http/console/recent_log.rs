//! The newest entries of the audit log, which all live views of this node share: at most once a second, one of them reads
//! the entries of all filters, and the others take what it read.

use claimsmith_console::RecentEntries;
use claimsmith_services::app::App;
use claimsmith_storage::audit::{self, Filter};
use claimsmith_storage::{self as storage, Slice};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long entries are shared.
const LIFETIME: Duration = Duration::from_secs(1);
/// Entries per read. A view that missed more reads on by itself.
const ENTRIES: usize = 200;

/// The entries, and when they were read.
#[derive(Default)]
pub(super) struct RecentLog(Mutex<Option<(Instant, Arc<RecentEntries>)>>);

impl RecentLog {
    /// The newest entries. Concurrent calls wait for one read, and share its result.
    pub(super) async fn read(&self, app: &App) -> storage::Result<Arc<RecentEntries>> {
        let mut known = self.0.lock().await;
        if let Some((read_at, entries)) = &*known
            && read_at.elapsed() < LIFETIME
        {
            return Ok(Arc::clone(entries));
        }
        let read_at = Instant::now();
        let slice = Slice { limit: i64::try_from(ENTRIES).unwrap_or(i64::MAX), offset: 0 };
        let newest = audit::list(&mut app.db.read().await?, &Filter::default(), slice).await?;
        let is_all = newest.len() < ENTRIES;
        let newest = newest.into_iter().map(|entry| (entry.id, entry.key, entry.payload.0, entry.created_at));
        let entries = Arc::new(RecentEntries::new(newest, is_all));
        *known = Some((read_at, Arc::clone(&entries)));
        Ok(entries)
    }
}
