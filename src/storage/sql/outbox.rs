//! Outboxes: which worker is notified when a transaction of this process has committed something for it.

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
pub(in crate::storage) struct Bells {
    webhooks: Notify,
    logouts: Notify,
    messages: Notify,
}

/// The outboxes that a transaction has written to.
#[derive(Default)]
pub(in crate::storage) struct Rung {
    webhooks: bool,
    logouts: bool,
    messages: bool,
}

impl Rung {
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
        let all = [(&self.webhooks, rung.webhooks), (&self.logouts, rung.logouts), (&self.messages, rung.messages)];
        for (bell, is_rung) in all {
            if is_rung {
                bell.notify_one();
            }
        }
    }

    pub(super) async fn wait(&self, outbox: Outbox) {
        match outbox {
            Outbox::Webhooks => self.webhooks.notified().await,
            Outbox::Logouts => self.logouts.notified().await,
            Outbox::Messages => self.messages.notified().await,
        }
    }
}
