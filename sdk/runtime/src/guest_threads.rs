//! The thread pool on which guests run, and nothing else does. A guest yields at every epoch tick, and plugins are
//! scheduled round-robin, so that a busy plugin never delays another for longer than a tick. The threads have a lower
//! priority than those that serve requests.

use crate::{StartError, wakeups};
use async_task::Runnable;
use std::{
    collections::{HashMap, VecDeque},
    future::poll_fn,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};
use tokio::runtime::Handle;
use tokio_util::context::TokioContext;
use tracing::Instrument as _;

/// The niceness of the threads, where the system has one for each thread.
pub(crate) const NICENESS: i32 = 5;
/// That of threads whose calls nothing waits for.
pub(crate) const BACKGROUND_NICENESS: i32 = 15;

/// Bytes of a thread's stack. Guests have stacks of their own.
const THREAD_STACK_BYTES: usize = 1 << 20;

/// The guest threads of a host. They end with it.
pub(crate) struct GuestThreads(Arc<RunQueue>);

/// The tasks that are ready to run.
struct RunQueue {
    state: Mutex<GuestThreadsState>,
    work: Condvar,
    /// Threads that one plugin may use at once: never all of them, if there is more than one.
    share: usize,
}

#[derive(Default)]
struct GuestThreadsState {
    plugins: HashMap<Arc<str>, PluginTasks>,
    /// Plugins with ready tasks and a share left, each once, in round-robin order.
    turns: VecDeque<Arc<str>>,
    /// Threads that wait for work.
    idle: usize,
    closed: bool,
}

#[derive(Default)]
struct PluginTasks {
    ready: VecDeque<Runnable>,
    running: usize,
    has_turn: bool,
}

impl GuestThreads {
    /// Starts `count` threads with this niceness.
    pub(crate) fn start_nice(count: usize, niceness: i32) -> Result<Self, StartError> {
        let count = count.max(1);
        let ready = RunQueue { state: Mutex::default(), work: Condvar::new(), share: (count - 1).max(1) };
        // Made first: whatever was started ends if the next thread does not start.
        let threads = Self(Arc::new(ready));
        for number in 0..count {
            let ready = Arc::clone(&threads.0);
            let work = move || {
                lower_priority(niceness);
                wakeups::keep_back();
                ready.work();
            };
            let started =
                thread::Builder::new().name(format!("guest-{number}")).stack_size(THREAD_STACK_BYTES).spawn(work);
            started.map_err(|error| StartError(format!("the guest threads did not start: {error}")))?;
        }
        Ok(threads)
    }

    /// Runs `work` on a guest thread for this plugin, with the caller's tokio runtime for timers and connections.
    /// Dropping the future ends the work at its next tick. None if the host ended. The caller may hear of the end together
    /// with others ([`wakeups`]).
    pub(crate) fn run<T: Send + 'static, W: Future<Output = T> + Send + 'static>(
        &self,
        plugin: &Arc<str>,
        work: W,
    ) -> impl Future<Output = Option<T>> + Send + use<T, W> {
        let (ready, name) = (Arc::clone(&self.0), Arc::clone(plugin));
        let work = TokioContext::new(work.in_current_span(), Handle::current());
        let (runnable, task) = async_task::Builder::new()
            .propagate_panic(true)
            .spawn(move |()| work, move |runnable| ready.push(&name, runnable));
        runnable.schedule();
        let mut task = task.fallible();
        poll_fn(move |context| wakeups::poll(&mut task, context))
    }
}

impl Drop for GuestThreads {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.work.notify_all();
    }
}

impl RunQueue {
    fn lock(&self) -> MutexGuard<'_, GuestThreadsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, name: &Arc<str>, runnable: Runnable) {
        let mut state = self.lock();
        if state.closed {
            drop(state);
            // No thread is left to run it: dropping it tells the waiting caller.
            drop(runnable);
            return;
        }
        state.plugins.entry(Arc::clone(name)).or_default().ready.push_back(runnable);
        state.enqueue(name, self.share);
        let has_work_for_idle = state.has_work_for_idle();
        drop(state);
        if has_work_for_idle {
            self.work.notify_one();
        }
    }

    fn work(&self) {
        let mut last: Option<Arc<str>> = None;
        let mut state = self.lock();
        while !state.closed {
            let Some((name, runnable)) = state.next(self.share) else {
                state = self.rest(state);
                continue;
            };
            let has_work_for_idle = state.has_work_for_idle();
            drop(state);
            if has_work_for_idle {
                self.work.notify_one();
            }
            // No plugin delays what another one has finished.
            if last.as_ref() != Some(&name) {
                wakeups::flush();
                last = Some(Arc::clone(&name));
            }
            // A panic reaches the caller that awaits the task.
            runnable.run();
            wakeups::flush_due();
            state = self.lock();
            state.done(&name, self.share);
        }
        let left: Vec<_> = state.plugins.drain().collect();
        drop(state);
        drop(left);
        wakeups::flush();
    }

    /// Wakes the callers of what this thread has finished, and waits for work, unless some came meanwhile.
    fn rest<'s>(&'s self, state: MutexGuard<'s, GuestThreadsState>) -> MutexGuard<'s, GuestThreadsState> {
        drop(state);
        wakeups::flush();
        let mut state = self.lock();
        state.idle += 1;
        while state.turns.is_empty() && !state.closed {
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.idle -= 1;
        state
    }
}

impl GuestThreadsState {
    /// Whether a thread is to be woken. One whose plugin has its share of the threads already would find nothing to do.
    fn has_work_for_idle(&self) -> bool {
        self.idle > 0 && !self.turns.is_empty()
    }

    fn enqueue(&mut self, name: &Arc<str>, share: usize) {
        if let Some(plugin) = self.plugins.get_mut(name)
            && !plugin.has_turn
            && !plugin.ready.is_empty()
            && plugin.running < share
        {
            plugin.has_turn = true;
            self.turns.push_back(Arc::clone(name));
        }
    }

    fn next(&mut self, share: usize) -> Option<(Arc<str>, Runnable)> {
        let name = self.turns.pop_front()?;
        let plugin = self.plugins.get_mut(&name)?;
        plugin.has_turn = false;
        let runnable = plugin.ready.pop_front()?;
        plugin.running += 1;
        self.enqueue(&name, share);
        Some((name, runnable))
    }

    fn done(&mut self, name: &Arc<str>, share: usize) {
        let Some(plugin) = self.plugins.get_mut(name) else { return };
        plugin.running -= 1;
        if plugin.running == 0 && plugin.ready.is_empty() {
            self.plugins.remove(name);
        } else {
            self.enqueue(name, share);
        }
    }
}

/// Lowers this thread's priority below that of the threads that serve requests. On Linux niceness belongs to a thread.
fn lower_priority(niceness: i32) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(niceness);
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use std::{pin::pin, sync::mpsc, task::Poll, time::Duration};
    use tokio::task::{spawn_blocking, yield_now};

    #[tokio::test]
    async fn plugins_take_turns_and_leave_a_thread_to_others() {
        let threads = GuestThreads::start_nice(2, NICENESS).unwrap();
        let (busy, quiet): (Arc<str>, Arc<str>) = ("busy".into(), "quiet".into());
        // Two that never end by themselves, and yield as guests do.
        let spin = || async {
            loop {
                yield_now_here().await;
            }
        };
        let (one, two) = (threads.run::<(), _>(&busy, spin()), threads.run::<(), _>(&busy, spin()));
        for turn in 0..100 {
            assert_eq!(threads.run(&quiet, async move { turn }).await, Some(turn));
        }
        assert!(threads.0.lock().plugins.get(&busy).is_none_or(|plugin| plugin.running <= 1));
        drop((one, two));
        // The threads drop them at their next turn.
        while !threads.0.lock().plugins.is_empty() {
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_panic_is_the_callers() {
        let threads = GuestThreads::start_nice(1, NICENESS).unwrap();
        let name: Arc<str> = "a".into();
        let panics = threads.run(&name, async { assert!(name_is_long("a"), "as it must") });
        assert!(tokio::spawn(panics).await.unwrap_err().is_panic());
        assert_eq!(threads.run(&name, async { 7 }).await, Some(7), "the thread goes on");
    }

    #[tokio::test]
    async fn no_plugin_waits_for_another_to_hear_of_its_end() {
        let threads = GuestThreads::start_nice(1, NICENESS).unwrap();
        let (one, other): (Arc<str>, Arc<str>) = ("one".into(), "other".into());
        let (start, started) = mpsc::channel();
        let (heard, hearing) = mpsc::channel();
        let finished = threads.run(&one, async move { started.recv() });
        // It occupies the only thread until the first one's caller has heard.
        let after = threads.run(&other, async move { hearing.recv_timeout(Duration::from_secs(60)) });
        let caller = move || {
            let mut finished = pin!(finished);
            let waits = poll_fn(|context| Poll::Ready(finished.as_mut().poll(context).is_pending()));
            assert!(Handle::current().block_on(waits));
            start.send(()).unwrap();
            assert_eq!(Handle::current().block_on(finished), Some(Ok(())));
            heard.send(()).unwrap();
        };
        spawn_blocking(caller).await.unwrap();
        assert_eq!(after.await, Some(Ok(())));
    }

    fn name_is_long(name: &str) -> bool {
        name.len() > 1
    }

    /// Wakes itself, as wasmtime does; tokio's own would wait for a runtime that does not poll it.
    async fn yield_now_here() {
        let mut yielded = false;
        std::future::poll_fn(|context| {
            if std::mem::replace(&mut yielded, true) {
                return std::task::Poll::Ready(());
            }
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        })
        .await;
    }
}
