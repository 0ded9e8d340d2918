//! One call: a slot, a thread of the guests', a fresh store and instance, the guest's answer within its limits, and what
//! went wrong if there is none. The same for every world; what is asked and how an answer is read is the plugin's own (`ask`).

use crate::{
    Call, CallError, HttpAccess, HttpCounts, Level, Limits, LogLine, Plugin,
    bindings::claims::claimsmith::plugin::types::Failure,
    guest::{self, Guest},
    http::HttpCall,
    slots::Slot,
    trap,
};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use wasmtime::{PoolConcurrencyLimitError, Store};

/// A call that has its slot and its store, and has not ended.
pub(crate) struct Calling<'a> {
    plugin: &'a Plugin,
    limits: Limits,
    slot: Slot,
    deadline: Instant,
    started: Instant,
    /// Bytes that it may pass to the host at once.
    at_once: usize,
    pub(crate) store: Store<Guest>,
}

/// What the guest made of the request; none when it did not end by itself.
pub(crate) struct Answered<T>(Option<wasmtime::Result<Result<T, Failure>>>);

impl<'a> Calling<'a> {
    /// From here on time is counted.
    pub(crate) fn begin(
        plugin: &'a Plugin,
        limits: &Limits,
        http: Option<&HttpAccess>,
        slot: Slot,
    ) -> Result<Self, CallError> {
        let limits = Limits { memory: limits.memory.min(plugin.shared.options.max_memory), ..*limits };
        // No deadline is farther away than the clock can count.
        let started = Instant::now();
        let deadline = started.checked_add(limits.deadline).unwrap_or(started + Duration::from_hours(24));
        let mut store =
            guest::new_store(&plugin.shared.engine, &plugin.shared.ticker, &limits, plugin.shared.options.metered)
                .map_err(|error| CallError::Unavailable(format!("{error:#}")))?;
        let at_once = guest::hostcall_bytes(&limits, http.map_or(0, HttpAccess::request_bytes));
        if let Some(access) = http {
            store.data_mut().http = HttpCall::new(access.clone());
            store.set_hostcall_fuel(at_once);
        }
        Ok(Self { plugin, limits, slot, deadline, started, at_once, store })
    }

    /// When the guest must have answered.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// What the call came to. `read` makes an answer of what the guest returned, and names what it dropped of it, with
    /// the line that says so in the log.
    pub(crate) fn end<T, A>(
        self,
        answered: Answered<T>,
        read: impl FnOnce(T, &Limits) -> Result<(A, Vec<String>), CallError>,
        dropped_line: impl Fn(&str) -> String,
    ) -> Call<A> {
        let Self { plugin, limits, slot, started, at_once, store, .. } = self;
        let metered = plugin.shared.options.metered;
        let instructions = store.get_fuel().ok().filter(|_| metered).map(|left| guest::FUEL - left);
        let guest = store.into_data();
        drop(slot);
        let duration = started.elapsed();
        let peak_memory = guest.memory.peak();
        let read = outcome(plugin, answered, &guest, &limits, at_once).and_then(|answer| read(answer, &limits));
        let http = guest.http.counts;
        let mut logs = guest.log.into_lines();
        for line in &mut logs {
            line.message = plugin.loaded.rewrite(std::mem::take(&mut line.message));
        }
        let (result, dropped) = match read {
            Ok((answer, dropped)) => (Ok(answer), dropped),
            Err(error) => (Err(error), vec![]),
        };
        logs.extend(dropped.iter().map(|name| LogLine { level: Level::Warn, message: dropped_line(name) }));
        Call { result, dropped, logs, duration, peak_memory, instructions, http }
    }
}

impl<T> Answered<T> {
    /// Lets the guest work until its deadline.
    pub(crate) async fn by(deadline: Instant, run: impl Future<Output = wasmtime::Result<Result<T, Failure>>>) -> Self {
        Self(timeout_at(deadline, run).await.ok())
    }
}

/// Waits for a slot here, where waiting costs nothing, and works on a thread of the guests'. Dropping the future ends both.
pub(crate) async fn apart<A, F>(plugin: &Plugin, work: impl FnOnce(Slot) -> F) -> Call<A>
where
    A: Send + 'static,
    F: Future<Output = Call<A>> + Send + 'static,
{
    let shared = &plugin.shared;
    let slot = match shared.slots.take(&plugin.name, plugin.kind()).await {
        Ok(slot) => slot,
        Err(error) => return not_called(error),
    };
    let called = shared.threads.run(&plugin.name, work(slot)).await;
    called.unwrap_or_else(|| not_called(CallError::Unavailable("the host is closed".to_owned())))
}

/// What came of a call that did not begin.
pub(crate) fn not_called<A>(error: CallError) -> Call<A> {
    Call {
        result: Err(error),
        dropped: vec![],
        logs: vec![],
        duration: Duration::ZERO,
        peak_memory: 0,
        instructions: None,
        http: HttpCounts::default(),
    }
}

/// What the guest returned, or why there is nothing. A memory limit that was hit explains whatever followed from it.
fn outcome<T>(
    plugin: &Plugin,
    answered: Answered<T>,
    guest: &Guest,
    limits: &Limits,
    at_once: usize,
) -> Result<T, CallError> {
    if let Some(limit) = guest.memory.exceeded() {
        return Err(CallError::OutOfMemory(limit));
    }
    match answered.0 {
        None => Err(CallError::TimedOut(limits.deadline)),
        Some(Ok(Ok(answer))) => Ok(answer),
        Some(Ok(Err(Failure::Denied(text)))) => Err(CallError::Denied(trap::cut(text))),
        Some(Ok(Err(Failure::Failed(text)))) => Err(CallError::Failed(plugin.loaded.rewrite(trap::cut(text)))),
        Some(Err(error)) => Err(broken(&error, at_once)),
    }
}

/// What stopped the guest, which may pass `at_once` bytes to the host at once.
fn broken(error: &wasmtime::Error, at_once: usize) -> CallError {
    if error.is::<PoolConcurrencyLimitError>() {
        CallError::Unavailable("no place for an instance is free".to_owned())
    } else if trap::is_too_much_at_once(error) {
        CallError::BadOutput(format!("more than {at_once} bytes at once"))
    } else {
        CallError::Trapped(trap::describe(error))
    }
}
