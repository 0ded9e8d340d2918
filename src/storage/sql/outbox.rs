//! Outboxes: notify the workers when a transaction of this process has committed rows for them, and count the commits
//! of this process.

use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Notify;

/// A queue that is written in a transaction and delivered after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outbox {
    /// Events for hooks.
    Webhooks,
    /// Back-channel logouts for applications.
    Logouts,
    /// Messages to users.
    Messages,
}

/// Notifies the workers of this process, one per outbox.
#[derive(Default)]
pub(crate) struct OutboxNotifier {
    webhooks: Notify,
    logouts: Notify,
    messages: Notify,
    commits: AtomicU64,
}

/// The outboxes that a transaction has written to.
#[derive(Default)]
pub(crate) struct OutboxNotification {
    webhooks: bool,
    logouts: bool,
    messages: bool,
    effect: Effect,
}

/// The kind of transaction, for the commit counter.
#[derive(Default, PartialEq, Eq)]
enum Effect {
    /// It may change data that pages and APIs show.
    #[default]
    Changes,
    /// It only issues tokens.
    Issues,
}

impl OutboxNotification {
    pub(super) fn issuing() -> Self {
        Self { effect: Effect::Issues, ..Self::default() }
    }

    /// It also changes data that pages and APIs show.
    pub(super) fn changes(&mut self) {
        self.effect = Effect::Changes;
    }

    pub(super) fn add(&mut self, outbox: Outbox) {
        match outbox {
            Outbox::Webhooks => self.webhooks = true,
            Outbox::Logouts => self.logouts = true,
            Outbox::Messages => self.messages = true,
        }
    }
}

impl OutboxNotifier {
    /// Notifies the workers; a worker that is not waiting returns at once from its next wait.
    pub(super) fn notify(&self, notification: &OutboxNotification) {
        if notification.effect == Effect::Changes {
            self.commits.fetch_add(1, Ordering::AcqRel);
        }
        let all = [
            (&self.webhooks, notification.webhooks),
            (&self.logouts, notification.logouts),
            (&self.messages, notification.messages),
        ];
        for (worker, has_rows) in all {
            if has_rows {
                worker.notify_one();
            }
        }
    }

    /// The number of committed transactions, except those that issue tokens.
    pub(super) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    pub(super) async fn wait(&self, outbox: Outbox) {
        match outbox {
            Outbox::Webhooks => self.webhooks.notified().await,
            Outbox::Logouts => self.logouts.notified().await,
            Outbox::Messages => self.messages.notified().await,
        }
    }
}
