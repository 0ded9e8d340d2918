//! Futures that must not be cancelled. If the caller is dropped while awaiting one, the future continues in its own
//! task, and its result is dropped.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::runtime::Handle;

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A future that is polled to completion, by the caller or by its own task.
pub(super) struct Uncancellable<T: Send + 'static> {
    /// `None` once completed.
    future: Option<Boxed<T>>,
}

impl<T: Send + 'static> Uncancellable<T> {
    pub(super) fn of(future: Boxed<T>) -> Self {
        Self { future: Some(future) }
    }
}

impl<T: Send + 'static> Future for Uncancellable<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let Some(future) = &mut self.future else { return Poll::Pending };
        let polled = future.as_mut().poll(context);
        if polled.is_ready() {
            self.future = None;
        }
        polled
    }
}

impl<T: Send + 'static> Drop for Uncancellable<T> {
    fn drop(&mut self) {
        let Some(future) = self.future.take() else { return };
        // Without a runtime, nothing can use the resources of the future any longer.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move { drop(future.await) });
        }
    }
}
