//! Watches a plugin's folder for changes, debounced.

use super::sources::is_source;
use anyhow::Context as _;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// Editors and compilers write in several steps: changes are over when it has been quiet for this long.
const DEBOUNCE: Duration = Duration::from_millis(200);
/// The changes below a folder.
pub(crate) struct ChangeWatcher {
    events: UnboundedReceiver<()>,
    /// Watches until it is dropped.
    _watcher: RecommendedWatcher,
}

impl ChangeWatcher {
    /// Begins to watch. The build's own output does not count as a change.
    pub(crate) fn of(folder: &Path, artifact: Option<String>) -> anyhow::Result<Self> {
        let folder = folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))?;
        let (print, events) = unbounded_channel();
        let below = folder.clone();
        let on_event = move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            let is_read = matches!(event.kind, EventKind::Access(_));
            if !is_read && event.paths.iter().any(|path| is_relevant(&below, path, artifact.as_deref())) {
                // The receiver is gone when the command has ended.
                let _ = print.send(());
            }
        };
        let mut watcher = notify::recommended_watcher(on_event)?;
        watcher.watch(&folder, RecursiveMode::Recursive)?;
        Ok(Self { events, _watcher: watcher })
    }

    /// Waits for the next change, and until it is over. False when there will be none.
    pub(crate) async fn next(&mut self) -> bool {
        if self.events.recv().await.is_none() {
            return false;
        }
        while let Ok(Some(())) = timeout(DEBOUNCE, self.events.recv()).await {}
        true
    }
}

fn is_relevant(folder: &Path, path: &Path, artifact: Option<&str>) -> bool {
    path.strip_prefix(folder).is_ok_and(|path| is_source(path, artifact))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::ChangeWatcher;

    #[tokio::test]
    async fn a_change_is_reported_when_it_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut changes = ChangeWatcher::of(folder.path(), None).unwrap();
        for text in ["1", "2"] {
            std::fs::write(folder.path().join("a.js"), text).unwrap();
        }
        assert!(changes.next().await);
        assert!(changes.events.is_empty());
    }
}
