//! What the streams of plugin logs have in common: one reader polls the database while there are any, and keeps the
//! newest lines for all of them. A stream asks the database itself only for what is older.

use crate::supervisor::{Panicked, contain};
use claimsmith_storage::plugins::logs::{self, Filter, StoredLogLine, TailLine};
use claimsmith_storage::{self as storage, Db, Tx};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How often it polls: other nodes write lines, too.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Lines that are kept, and bytes of their messages; a stream that is further behind asks the database.
const MAX_RECENT_LINES: usize = 1_000;
/// See [`MAX_RECENT_LINES`]. A line has up to 64 KiB, and a plugin may write as much in a second.
const MAX_RECENT_BYTES: usize = 4 << 20;
/// Lines of one statement.
const LINES_PER_STATEMENT: usize = 100;

/// The reader. Cheap to clone.
#[derive(Clone)]
pub struct LogTail {
    db: Db,
    recent: watch::Sender<Recent>,
}

/// A stream's position in the log.
pub struct Tail(watch::Receiver<Recent>);

/// The newest lines of all plugins.
#[derive(Clone, Default)]
pub struct Recent {
    /// The number of the last change; `None` before the first read.
    revision: Option<i64>,
    /// Every line after this one is here, up to `last`.
    after: i64,
    /// The newest line there was.
    last: i64,
    lines: VecDeque<Arc<TailLine>>,
}

impl LogTail {
    /// Without any read.
    #[must_use]
    pub fn new(db: &Db) -> Self {
        Self { db: db.clone(), recent: watch::Sender::default() }
    }

    /// A new stream.
    #[must_use]
    pub fn follow(&self) -> Tail {
        Tail(self.recent.subscribe())
    }

    /// Polls while there are streams, until shutdown.
    pub async fn run(self, stopping: CancellationToken) {
        while stopping.run_until_cancelled(tokio::time::sleep(POLL_INTERVAL)).await.is_some() {
            if self.recent.receiver_count() == 0 {
                self.recent.send_replace(Recent::default());
            } else {
                self.poll().await;
            }
        }
    }

    async fn poll(&self) {
        let before = self.recent.borrow().clone();
        match contain("plugin log streams", self.look(before)).await {
            Ok(Ok(Some(recent))) => drop(self.recent.send_replace(recent)),
            Ok(Ok(None)) => {}
            // The streams query the database themselves, and end.
            Ok(Err(_)) | Err(Panicked) => drop(self.recent.send_replace(Recent::default())),
        }
    }

    /// The current lines; `None` if there are no new ones.
    async fn look(&self, mut recent: Recent) -> storage::Result<Option<Recent>> {
        let tx = &mut self.db.read().await?;
        let revision = logs::revision(tx).await?;
        if recent.revision.replace(revision) == Some(revision) {
            return Ok(None);
        }
        if recent.last == 0 {
            recent.last = logs::last_id(tx).await?;
            recent.after = recent.last;
            return Ok(Some(recent));
        }
        recent.read_on(tx).await?;
        Ok(Some(recent))
    }
}

impl Recent {
    async fn read_on(&mut self, tx: &mut Tx) -> storage::Result<()> {
        loop {
            let read = logs::tail(tx, self.last, LINES_PER_STATEMENT).await?;
            let is_all = read.len() < LINES_PER_STATEMENT;
            self.last = read.last().map_or(self.last, TailLine::id);
            self.lines.extend(read.into_iter().map(Arc::new));
            self.drop_oldest();
            if is_all {
                return Ok(());
            }
        }
    }

    fn drop_oldest(&mut self) {
        let mut bytes: usize = self.lines.iter().map(|line| line.bytes()).sum();
        while self.lines.len() > MAX_RECENT_LINES || bytes > MAX_RECENT_BYTES {
            let Some(oldest) = self.lines.pop_front() else { return };
            bytes -= oldest.bytes();
            self.after = oldest.id();
        }
    }

    /// The newest line of all plugins at the last read; 0 before the first one.
    #[must_use]
    pub fn last(&self) -> i64 {
        self.last
    }

    /// The lines of a plugin after those that the filter names; `None` if it needs older ones than these.
    #[must_use]
    pub fn lines(&self, plugin: &str, wanted: &Filter) -> Option<Vec<StoredLogLine>> {
        let is_within = self.last > 0 && wanted.after >= self.after;
        is_within.then(|| self.lines.iter().filter_map(|line| line.of(plugin, wanted)).cloned().collect())
    }
}

impl Tail {
    /// Marks the newest lines as seen; later ones are changes.
    #[must_use]
    pub fn recent(&mut self) -> Recent {
        self.0.borrow_and_update().clone()
    }

    /// Waits until there may be new lines.
    pub async fn changed(&mut self) {
        // The sender is dropped when the server ends; the streams end then, too.
        self.0.changed().await.ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_storage::plugins::logs::NewLine;

    async fn append(db: &Db, count: usize, plugin: &str, level: &'static str) -> storage::Result<()> {
        append_long(db, count, plugin, level, 1).await
    }

    async fn append_long(
        db: &Db,
        count: usize,
        plugin: &str,
        level: &'static str,
        bytes: usize,
    ) -> storage::Result<()> {
        let line = NewLine {
            plugin_name: plugin.to_owned(),
            level,
            message: "m".repeat(bytes),
            request_id: None,
            digest: None,
            created_at: 1,
        };
        let mut tx = db.begin().await?;
        logs::append(&mut tx, &vec![line; count]).await?;
        tx.commit().await
    }

    /// The lines that a stream gets without asking the database, by their ids.
    fn ids(recent: &Recent, plugin: &str, after: i64, level: i64) -> Option<Vec<i64>> {
        let wanted = Filter { level, after, ..Filter::default() };
        Some(recent.lines(plugin, &wanted)?.iter().map(|line| line.id).collect())
    }

    #[tokio::test]
    async fn streams_share_what_one_reader_reads() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let db = Db::connect(&format!("sqlite://{}/test.db", folder.path().display()), 2).await?;
        storage::migrate(&db).await?;
        append(&db, 2, "a", "info").await?;
        let reader = LogTail::new(&db);
        let (mut one, mut other) = (reader.follow(), reader.follow());
        assert_eq!(ids(&one.recent(), "a", 0, 0), None, "before the first look");
        reader.poll().await;
        assert_eq!(ids(&one.recent(), "a", 1, 0), None, "what was there before is asked for");
        assert_eq!(ids(&one.recent(), "a", 2, 0), Some(vec![]));
        append(&db, 1, "b", "error").await?;
        append(&db, 2, "a", "warn").await?;
        reader.poll().await;
        assert_eq!(ids(&other.recent(), "a", 2, 0), Some(vec![4, 5]));
        assert_eq!(ids(&one.recent(), "a", 4, 2), Some(vec![5]));
        assert_eq!(ids(&one.recent(), "a", 2, 3), Some(vec![]));
        assert_eq!(ids(&one.recent(), "b", 2, 3), Some(vec![3]));
        reader.poll().await;
        assert!(!one.0.has_changed()?, "nothing came");

        // More than are buffered: a stream that is too far behind queries the database.
        append(&db, 1_200, "b", "info").await?;
        reader.poll().await;
        let recent = one.recent();
        assert_eq!((recent.lines.len(), recent.last()), (MAX_RECENT_LINES, 1_205));
        assert_eq!(ids(&recent, "b", 204, 0), None);
        assert_eq!(ids(&recent, "b", 205, 0).map(|ids| ids.len()), Some(MAX_RECENT_LINES));
        append_long(&db, 70, "b", "info", 64 << 10).await?;
        reader.poll().await;
        let recent = one.recent();
        assert_eq!((recent.lines.len(), recent.last()), (64, 1_275), "4 MiB");
        assert_eq!(ids(&recent, "b", 1_210, 0), None);
        Ok(())
    }
}
