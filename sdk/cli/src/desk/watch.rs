//! Watches a plugin's folder for changes of its sources, debounced. What the commands themselves write, such as the built
//! plugin, is no change.

use super::sources::{Fingerprint, differing, fingerprint, is_source};
use anyhow::Context as _;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// Editors and compilers write in several steps: changes are over when it has been quiet for this long.
const DEBOUNCE: Duration = Duration::from_millis(200);

/// After so many rounds that only sources written by rounds have begun, these are generated. Fewer could be an author who
/// saves while the compiler runs.
const ROUNDS_OF_THEIR_OWN: u32 = 3;

/// The changes below a folder, in rounds: what a round itself writes does not begin the next one for ever.
pub(crate) struct ChangeWatcher {
    events: UnboundedReceiver<()>,
    folder: PathBuf,
    /// The files that the build writes.
    outputs: Vec<PathBuf>,
    /// The sources when the last round began.
    seen: Fingerprint,
    /// The sources when the last round ended.
    left: Fingerprint,
    /// The sources that began the last round.
    triggers: BTreeSet<PathBuf>,
    /// The sources that changed during the last round.
    written: BTreeSet<PathBuf>,
    /// Rounds in a row that nothing but the writing of the round before has begun.
    own_rounds: u32,
    /// Files that every round writes. A change between rounds is the author's all the same.
    generated: BTreeSet<PathBuf>,
    /// Watches until it is dropped.
    _watcher: RecommendedWatcher,
}

impl ChangeWatcher {
    /// Begins to watch.
    pub(crate) fn of(folder: &Path) -> anyhow::Result<Self> {
        let folder = folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))?;
        let (print, events) = unbounded_channel();
        let below = folder.clone();
        let on_event = move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            let is_read = matches!(event.kind, EventKind::Access(_));
            if !is_read && event.paths.iter().any(|path| is_relevant(&below, path)) {
                // The receiver is gone when the command has ended.
                let _ = print.send(());
            }
        };
        let mut watcher = notify::recommended_watcher(on_event)?;
        watcher.watch(&folder, RecursiveMode::Recursive)?;
        Ok(Self {
            events,
            folder,
            outputs: Vec::new(),
            seen: Fingerprint::new(),
            left: Fingerprint::new(),
            triggers: BTreeSet::new(),
            written: BTreeSet::new(),
            own_rounds: 0,
            generated: BTreeSet::new(),
            _watcher: watcher,
        })
    }

    /// A round begins, whose build writes these files.
    pub(crate) fn begin(&mut self, outputs: Vec<PathBuf>) {
        self.outputs = outputs;
        self.seen = self.sources();
    }

    /// The round has ended. Sources that it wrote begin another one, unless every round writes them.
    pub(crate) fn end(&mut self) {
        self.left = self.sources();
        let written = differing(&self.seen, &self.left);
        let is_own = !self.triggers.is_empty() && self.triggers.is_subset(&self.written);
        self.own_rounds = if is_own { self.own_rounds + 1 } else { 0 };
        if self.own_rounds >= ROUNDS_OF_THEIR_OWN {
            self.generated.extend(written.intersection(&self.written).cloned());
        }
        self.written = written;
    }

    /// Waits until sources have changed since the last round began, and until the change is over. False when there will
    /// be none.
    pub(crate) async fn next(&mut self) -> bool {
        loop {
            if self.events.recv().await.is_none() {
                return false;
            }
            while let Ok(Some(())) = timeout(DEBOUNCE, self.events.recv()).await {}
            let now = self.sources();
            let by_author = differing(&self.left, &now);
            self.triggers = differing(&self.seen, &now);
            self.triggers.retain(|path| by_author.contains(path) || !self.generated.contains(path));
            if !self.triggers.is_empty() {
                return true;
            }
        }
    }

    fn sources(&self) -> Fingerprint {
        fingerprint(&self.folder, &self.outputs)
    }
}

fn is_relevant(folder: &Path, path: &Path) -> bool {
    path.strip_prefix(folder).is_ok_and(|path| is_source(path, &[]))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{ChangeWatcher, Duration, Path, PathBuf, timeout};
    use std::fs;

    /// Longer than changes take to be noticed.
    const QUIET: Duration = Duration::from_secs(1);

    fn write(folder: &Path, file: &str, text: &str) {
        fs::write(folder.join(file), text).unwrap();
    }

    #[tokio::test]
    async fn a_change_is_reported_when_it_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut changes = ChangeWatcher::of(folder.path()).unwrap();
        changes.begin(Vec::new());
        changes.end();
        for text in ["1", "2"] {
            write(folder.path(), "a.js", text);
        }
        assert!(changes.next().await);
        assert!(changes.events.is_empty());
        changes.begin(Vec::new());
        changes.end();
        // Saved as it was.
        write(folder.path(), "a.js", "2");
        assert!(timeout(QUIET, changes.next()).await.is_err());
    }

    #[tokio::test]
    async fn what_the_build_writes_is_no_change() {
        let folder = tempfile::tempdir().unwrap();
        let outputs = || ["plugin.wasm", "out.wasm"].map(PathBuf::from).to_vec();
        let mut changes = ChangeWatcher::of(folder.path()).unwrap();
        changes.begin(outputs());
        for file in ["plugin.wasm", "out.wasm", ".plugin.wasm.new"] {
            write(folder.path(), file, "1");
        }
        fs::create_dir_all(folder.path().join("target/release")).unwrap();
        write(folder.path(), "target/release/a.wasm", "1");
        changes.end();
        assert!(timeout(QUIET, changes.next()).await.is_err());
        write(folder.path(), "a.rs", "1");
        assert!(changes.next().await);
    }

    #[tokio::test]
    async fn a_file_that_every_round_writes_does_not_begin_rounds_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let mut changes = ChangeWatcher::of(folder.path()).unwrap();
        let mut rounds = 0;
        loop {
            rounds += 1;
            changes.begin(Vec::new());
            write(folder.path(), "build.log", &format!("round {rounds}"));
            changes.end();
            if timeout(QUIET, changes.next()).await.is_err() {
                break;
            }
            assert!(rounds < 10, "it goes on for ever");
        }
        write(folder.path(), "build.log", "by the author");
        assert!(changes.next().await);
        changes.begin(Vec::new());
        changes.end();
        write(folder.path(), "a.rs", "1");
        assert!(changes.next().await);
        changes.begin(Vec::new());
        // A change by the author during a round begins the next one.
        write(folder.path(), "a.rs", "2");
        changes.end();
        assert!(changes.next().await);
    }
}
