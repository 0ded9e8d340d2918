//! Coalesces the wake-ups of callers, as network cards do with interrupts: a guest thread that has more calls to run tells
//! callers of several finished ones together. Each wake-up by itself would hand the processor over twice.

use std::{
    cell::RefCell,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

/// How long a thread keeps a wake-up back while it runs guests, a tick aside.
const MAX_DELAY: Duration = Duration::from_micros(500);

thread_local! {
    /// The wake-ups that this thread keeps back, if it keeps any back.
    static PENDING: RefCell<Option<PendingWakeups>> = const { RefCell::new(None) };
}

#[derive(Default)]
struct PendingWakeups {
    wakers: Vec<Waker>,
    since: Option<Instant>,
}

/// From now on, this thread keeps wake-ups of [`poll`]'s callers back until [`flush`] or [`flush_due`].
pub(crate) fn keep_back() {
    PENDING.set(Some(PendingWakeups::default()));
}

/// Wakes every caller of whom this thread keeps a wake-up back.
pub(crate) fn flush() {
    let wakers = PENDING.with_borrow_mut(|pending| pending.as_mut().map(std::mem::take));
    // Not while it is borrowed: a waker may run what its caller likes.
    for waker in wakers.into_iter().flat_map(|pending| pending.wakers) {
        waker.wake();
    }
}

/// The same, once the first of them was kept back for as long as one may be.
pub(crate) fn flush_due() {
    let since = PENDING.with_borrow(|pending| pending.as_ref().and_then(|pending| pending.since));
    if since.is_some_and(|since| since.elapsed() >= MAX_DELAY) {
        flush();
    }
}

/// Polls a future whose wake-ups may be kept back.
pub(crate) fn poll<F: Future + Unpin>(future: &mut F, context: &Context<'_>) -> Poll<F::Output> {
    let waker = Waker::from(Arc::new(Coalesced(context.waker().clone())));
    std::pin::Pin::new(future).poll(&mut Context::from_waker(&waker))
}

/// Wakes a caller: together with others on a thread that keeps wake-ups back, at once on any other.
struct Coalesced(Waker);

impl Wake for Coalesced {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let is_kept = PENDING.with_borrow_mut(|pending| {
            let Some(pending) = pending else { return false };
            pending.since.get_or_insert_with(Instant::now);
            pending.wakers.push(self.0.clone());
            true
        });
        if !is_kept {
            self.0.wake_by_ref();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{future, thread};

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// The waker that a future sees whose caller counts its wake-ups.
    fn waker_of(count: &Arc<Count>) -> Waker {
        let mut seen = Waker::noop().clone();
        let mut future = future::poll_fn(|context| {
            seen.clone_from(context.waker());
            Poll::<()>::Pending
        });
        assert!(poll(&mut future, &Context::from_waker(&Waker::from(Arc::clone(count)))).is_pending());
        seen
    }

    #[test]
    fn a_guest_thread_wakes_callers_together() {
        let (first, second) = (Arc::<Count>::default(), Arc::<Count>::default());
        let woken = || (first.0.load(Ordering::SeqCst), second.0.load(Ordering::SeqCst));
        keep_back();
        waker_of(&first).wake();
        waker_of(&second).wake_by_ref();
        assert_eq!(woken(), (0, 0));
        flush();
        assert_eq!(woken(), (1, 1));
        flush();
        assert_eq!(woken(), (1, 1));
    }

    #[test]
    fn no_wake_up_is_kept_back_for_longer_than_the_delay() {
        let count = Arc::<Count>::default();
        keep_back();
        waker_of(&count).wake();
        thread::sleep(MAX_DELAY);
        flush_due();
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn other_threads_wake_at_once() {
        let count = Arc::<Count>::default();
        waker_of(&count).wake();
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
    }
}
