//! Outboxes: which worker is notified when a transaction of this process has committed something for it; and how many
//! transactions this process has committed.

use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Notify;

/// What is written in a transaction and delivered after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outbox {
    /// Events for hooks.
    Webhooks,
    /// Back-channel logouts for applications.
    Logouts,
    /// Messages to people.
    Messages,
}

/// Notifies the workers of one process, one for each outbox.
#[derive(Default)]
pub(crate) struct Bells {
    webhooks: Notify,
    logouts: Notify,
    messages: Notify,
    commits: AtomicU64,
}

/// The outboxes that a transaction has written to.
#[derive(Default)]
pub(crate) struct Rung {
    webhooks: bool,
    logouts: bool,
    messages: bool,
    effect: Effect,
}

/// What a transaction does besides.
#[derive(Default, PartialEq, Eq)]
enum Effect {
    /// It may change what is shown to everybody.
    #[default]
    Changes,
    /// It issues tokens, and changes nothing of that.
    Issues,
}

impl Rung {
    pub(super) fn issuing() -> Self {
        Self { effect: Effect::Issues, ..Self::default() }
    }

    pub(super) fn add(&mut self, outbox: Outbox) {
        match outbox {
            Outbox::Webhooks => self.webhooks = true,
            Outbox::Logouts => self.logouts = true,
            Outbox::Messages => self.messages = true,
        }
    }
}

impl Bells {
    /// Notifies the workers; one that does not wait now returns at once from its next wait.
    pub(super) fn ring(&self, rung: &Rung) {
        if rung.effect == Effect::Changes {
            self.commits.fetch_add(1, Ordering::AcqRel);
        }
        let all = [(&self.webhooks, rung.webhooks), (&self.logouts, rung.logouts), (&self.messages, rung.messages)];
        for (bell, is_rung) in all {
            if is_rung {
                bell.notify_one();
            }
        }
    }

    /// How many transactions have been committed, other than those that issue tokens.
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
