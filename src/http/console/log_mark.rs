//! The newest entry of the audit log, which all live views share: one of them reads it, and the others take what it
//! read. Where it is the one that a view has shown, the view need not ask for more.

use crate::app::App;
use crate::storage::audit::{self, Filter};
use crate::storage::{self, Slice};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// For how long what was read is the newest.
const LIFETIME: Duration = Duration::from_secs(1);

/// What was read, and when.
#[derive(Default)]
pub(super) struct LogMark(Mutex<Option<(Instant, Option<String>)>>);

impl LogMark {
    /// The id of the newest entry. Whoever asks while another one reads waits for it.
    pub(super) async fn newest(&self, app: &App) -> storage::Result<Option<String>> {
        let mut known = self.0.lock().await;
        if let Some((read_at, id)) = &*known
            && read_at.elapsed() < LIFETIME
        {
            return Ok(id.clone());
        }
        let mut tx = app.db.read().await?;
        let newest = audit::list(&mut tx, &Filter::default(), Slice { limit: 1, offset: 0 }).await?;
        let id = newest.into_iter().next().map(|entry| entry.id);
        *known = Some((Instant::now(), id.clone()));
        Ok(id)
    }
}
