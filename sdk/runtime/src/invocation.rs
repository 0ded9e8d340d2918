//! One call of a plugin, the same for every world: a permit of the concurrency limiter, a guest thread, a fresh store
//! and instance, and the guest's answer within its limits or the error. What depends on the world is in `exports`.

use crate::{
    CacheCounts, Call, CallError, HttpAccess, HttpCounts, Level, Limits, LogLine, Plugin,
    bindings::claims::claimsmith::plugin::types::Failure,
    concurrency_limiter::CallPermit,
    guest::{self, Guest},
    http::HttpCall,
    trap,
};
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, timeout_at};
use wasmtime::{PoolConcurrencyLimitError, Store};

/// A call that has its permit and its store, and has not ended.
pub(crate) struct Invocation<'a> {
    plugin: &'a Plugin,
    limits: Limits,
    permit: CallPermit,
    deadline: Instant,
    started: Instant,
    /// Bytes that it may pass to the host in one host call.
    max_hostcall_bytes: usize,
    pub(crate) store: Store<Guest>,
}

/// What the guest made of the request; none when it did not end by itself.
pub(crate) struct GuestResult<T>(Option<wasmtime::Result<Result<T, Failure>>>);

impl<'a> Invocation<'a> {
    /// Starts the call's clock.
    pub(crate) fn begin(
        plugin: &'a Plugin,
        limits: &Limits,
        http: Option<&HttpAccess>,
        permit: CallPermit,
    ) -> Result<Self, CallError> {
        let limits = Limits { memory: limits.memory.min(plugin.shared.options.max_memory), ..*limits };
        // No deadline is farther away than the clock can count.
        let started = Instant::now();
        let deadline = started.checked_add(limits.deadline).unwrap_or(started + Duration::from_hours(24));
        let mut store =
            guest::new_store(&plugin.shared.engine, &plugin.shared.ticker, &limits, plugin.shared.options.metered)
                .map_err(|error| CallError::Unavailable(format!("{error:#}")))?;
        let max_hostcall_bytes = guest::hostcall_bytes(&limits, http.map_or(0, HttpAccess::request_bytes));
        if let Some(access) = http {
            store.data_mut().http = HttpCall::new(access.clone());
            store.set_hostcall_fuel(max_hostcall_bytes);
        }
        plugin.rehearsal.prepare(&mut store);
        Ok(Self { plugin, limits, permit, deadline, started, max_hostcall_bytes, store })
    }

    /// When the guest must have answered.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The result of the call. `read` parses what the guest returned, and names what it dropped from it; each dropped
    /// name gets a line in the log.
    pub(crate) fn end<T, A>(
        self,
        result: GuestResult<T>,
        read: impl FnOnce(T, &Limits) -> Result<(A, Vec<String>), CallError>,
        dropped_line: impl Fn(&str) -> String,
    ) -> Call<A> {
        let Self { plugin, limits, permit, started, max_hostcall_bytes, store, .. } = self;
        let metered = plugin.shared.options.metered;
        let instructions = store.get_fuel().ok().filter(|_| metered).map(|left| guest::INITIAL_FUEL - left);
        let guest = store.into_data();
        drop(permit);
        let duration = started.elapsed();
        let peak_memory = guest.memory.peak();
        let read =
            outcome(plugin, result, &guest, &limits, max_hostcall_bytes).and_then(|answer| read(answer, &limits));
        let (http, cache) = (guest.http.counts, guest.cache.counts);
        let mut logs = guest.log.into_lines();
        for line in &mut logs {
            line.message = plugin.loaded.rewrite(std::mem::take(&mut line.message));
        }
        let (result, dropped) = match read {
            Ok((answer, dropped)) => (Ok(answer), dropped),
            Err(error) => (Err(error), vec![]),
        };
        logs.extend(dropped.iter().map(|name| LogLine { level: Level::Warn, message: dropped_line(name) }));
        Call { result, dropped, logs, duration, peak_memory, instructions, http, cache }
    }
}

impl<T> GuestResult<T> {
    /// Runs the guest until its deadline.
    pub(crate) async fn by(deadline: Instant, run: impl Future<Output = wasmtime::Result<Result<T, Failure>>>) -> Self {
        Self(timeout_at(deadline, run).await.ok())
    }
}

/// Waits for a permit and runs `work`, both on the guest threads: whoever ends a call there starts the next one without
/// waking its caller in between. Waiting occupies no thread. Dropping the future ends both.
pub(crate) async fn run_on_guest_thread<A, F>(
    plugin: &Plugin,
    work: impl FnOnce(CallPermit) -> F + Send + 'static,
) -> Call<A>
where
    A: Send + 'static,
    F: Future<Output = Call<A>> + Send + 'static,
{
    let (limiter, name, kind) = (Arc::clone(&plugin.shared.limiter), Arc::clone(&plugin.name), plugin.kind());
    let called = plugin.shared.threads.run(&plugin.name, async move {
        match limiter.acquire(&name, kind).await {
            // On the heap only once it runs: many may wait.
            Ok(permit) => Box::pin(work(permit)).await,
            Err(error) => not_called(error),
        }
    });
    called.await.unwrap_or_else(|| not_called(CallError::Unavailable("the plugin host is shutting down".to_owned())))
}

/// The result of a call that did not begin.
pub(crate) fn not_called<A>(error: CallError) -> Call<A> {
    Call {
        result: Err(error),
        dropped: vec![],
        logs: vec![],
        duration: Duration::ZERO,
        peak_memory: 0,
        instructions: None,
        http: HttpCounts::default(),
        cache: CacheCounts::default(),
    }
}

/// What the guest returned, or why there is nothing. A memory limit that was hit explains whatever followed from it.
fn outcome<T>(
    plugin: &Plugin,
    result: GuestResult<T>,
    guest: &Guest,
    limits: &Limits,
    max_hostcall_bytes: usize,
) -> Result<T, CallError> {
    if let Some(limit) = guest.memory.exceeded() {
        return Err(CallError::OutOfMemory(limit));
    }
    match result.0 {
        None => Err(CallError::TimedOut(limits.deadline)),
        Some(Ok(Ok(answer))) => Ok(answer),
        Some(Ok(Err(Failure::Denied(text)))) => Err(CallError::Denied(trap::truncate_text(text))),
        Some(Ok(Err(Failure::Failed(text)))) => {
            Err(CallError::Failed(plugin.loaded.rewrite(trap::truncate_text(text))))
        }
        Some(Err(error)) => Err(call_error(&error, max_hostcall_bytes)),
    }
}

/// Why the guest stopped; it may pass `max_hostcall_bytes` to the host in one host call.
fn call_error(error: &wasmtime::Error, max_hostcall_bytes: usize) -> CallError {
    if error.is::<PoolConcurrencyLimitError>() {
        CallError::Unavailable("the instance pool is full".to_owned())
    } else if trap::is_hostcall_fuel_exhausted(error) {
        CallError::BadOutput(format!("it passed more than {max_hostcall_bytes} bytes to the host in one call"))
    } else {
        CallError::Trapped(trap::describe(error))
    }
}
