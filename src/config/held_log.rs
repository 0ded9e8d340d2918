//! Standard error of the log, held back while the server starts, so that what the start prints for people comes first
//! and no log line is within it.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// Lines are held for this long at most: a start that takes longer, since it migrates a large database, shows what it does.
pub(super) const MAX_HOLD: Duration = Duration::from_secs(15);

/// The writer of the log.
pub(super) struct HeldWriter<W>(Arc<Mutex<State<W>>>);

struct State<W> {
    sink: W,
    /// The lines so far, while they are held.
    held: Option<Vec<u8>>,
}

/// Holds the lines of the log back until it is dropped.
#[must_use = "the log is held back until this is dropped"]
pub struct LogHold(Box<dyn Fn() + Send + Sync>);

impl Drop for LogHold {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl<W: Write + Send + 'static> HeldWriter<W> {
    /// A writer to `sink`, which holds its lines back for `hold` at most.
    pub(super) fn new(sink: W, hold: Option<Duration>) -> (Self, LogHold) {
        let writer = Self(Arc::new(Mutex::new(State { sink, held: hold.map(|_| Vec::new()) })));
        if let Some(hold) = hold {
            let late = writer.clone();
            thread::spawn(move || {
                thread::sleep(hold);
                late.release();
            });
        }
        let released = writer.clone();
        (writer, LogHold(Box::new(move || released.release())))
    }

    fn release(&self) {
        let mut state = self.state();
        if let Some(lines) = state.held.take() {
            // As for a single line: what cannot be written is dropped.
            let _ = state.sink.write_all(&lines);
        }
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> Clone for HeldWriter<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write + Send + 'static> Write for HeldWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state();
        match &mut state.held {
            Some(lines) => lines.extend_from_slice(bytes),
            None => state.sink.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.state().sink.flush()
    }
}

impl<W: Write + Send + 'static> MakeWriter<'_> for HeldWriter<W> {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{HeldWriter, MAX_HOLD};
    use std::io::Write;
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Sink {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_held_until_the_hold_is_dropped() {
        let sink = Sink::default();
        let (mut writer, hold) = HeldWriter::new(sink.clone(), Some(MAX_HOLD));
        writer.write_all(b"one\n").unwrap();
        assert_eq!(sink.text(), "");
        drop(hold);
        writer.write_all(b"two\n").unwrap();
        assert_eq!(sink.text(), "one\ntwo\n");

        let sink = Sink::default();
        let (mut writer, _hold) = HeldWriter::new(sink.clone(), None);
        writer.write_all(b"one\n").unwrap();
        assert_eq!(sink.text(), "one\n");
    }

    #[test]
    fn a_long_start_shows_its_lines() {
        let sink = Sink::default();
        let hold = Duration::from_millis(50);
        let (mut writer, _hold) = HeldWriter::new(sink.clone(), Some(hold));
        writer.write_all(b"one\n").unwrap();
        let begun = Instant::now();
        while sink.text().is_empty() {
            assert!(begun.elapsed() < MAX_HOLD, "the line is still held");
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(sink.text(), "one\n");
    }
}
