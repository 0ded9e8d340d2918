//! Sends messages from their queue (`delivery_queue`), by the connector that their channel has at that time, until
//! their code or link expires.

mod metrics;
mod results;

use super::outgoing::Outgoing;
use super::send::{self, SendFailure, Sender};
use super::{Messages, TABLE, without_plugins};
use crate::activity::ActivityKind;
use crate::connectors;
use crate::delivery_queue::{self, DeliveryQueue, Error, Worker};
use crate::supervisor::{Panicked, Tasks, contain};
use claimsmith_domain::clock::Clock;
use claimsmith_domain::connector::is_by_plugin;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_storage::messages::{self, Leased};
use claimsmith_storage::{self as storage, Lease, Outbox, Tx};
use results::{AttemptResult, MessageOutcome};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The maximum number of messages of a channel in progress, on all nodes: relays limit their connections.
const MAX_IN_FLIGHT: i64 = 10;
/// The time of an attempt beside its conversation: reading its data, waiting for a plugin's turn, and writing the
/// result.
const LEASE_MARGIN: Duration = Duration::from_secs(5);

impl Messages {
    /// Sends messages in the background until shutdown. Attempts in progress are finished.
    pub fn start(&self, tasks: &Tasks) {
        metrics::describe();
        let worker = Worker {
            db: self.db.clone(),
            clock: self.clock.clone(),
            concurrency: self.settings.concurrency,
            poll: self.settings.poll,
        };
        worker.start(Arc::new(Post { messages: self.clone() }), tasks);
    }
}

/// All messages.
struct Post {
    messages: Messages,
}

impl Post {
    /// The duration of a lease, milliseconds: longer than any attempt, so that it does not pass to another worker.
    fn lease_ms(&self) -> i64 {
        let longest = send::longest(self.messages.settings.timeout) + self.messages.plugin_time + LEASE_MARGIN;
        i64::try_from(longest.as_millis()).unwrap_or(i64::MAX / 2)
    }

    fn clock(&self) -> &Clock {
        &self.messages.clock
    }

    async fn send(&self, leased: &Leased) -> MessageOutcome {
        let now = self.clock().now_ms();
        if leased.expires_at <= now {
            return MessageOutcome::Dropped("its code or link has ended");
        }
        let (message, sender) = match self.prepare(leased, now).await {
            Ok(prepared) => prepared,
            Err(failure) => return MessageOutcome::Failed(failure),
        };
        match sender.send(&self.messages, &message).await {
            Ok(()) => MessageOutcome::Sent,
            Err(failure) => MessageOutcome::Failed(failure),
        }
    }

    /// The message, and its sender.
    async fn prepare(&self, leased: &Leased, now: i64) -> Result<(Outgoing, Sender), SendFailure> {
        let Messages { cipher, db, management_resource, .. } = &self.messages;
        let unreadable = || SendFailure::never("the message cannot be read any more");
        let template = TemplateType::parse(&leased.template_type).ok_or_else(unreadable)?;
        let language = LanguageTag::try_from(leased.language_tag.clone()).map_err(|_| unreadable())?;
        let sealed = leased.contents.as_deref().ok_or_else(unreadable)?;
        let message = Outgoing {
            contents: Outgoing::decrypt(cipher, &leased.id, sealed).ok_or_else(unreadable)?,
            id: leased.id.as_str().to_owned(),
            recipient: leased.recipient.clone(),
            template,
            language,
            at: now,
            valid_ms: leased.expires_at - leased.created_at,
        };
        let unavailable = |error: &dyn std::error::Error| {
            tracing::warn!(%error, table = TABLE, "a message cannot be prepared; trying again");
            SendFailure::later("what it takes to send the message cannot be read now")
        };
        let mut tx = db.read().await.map_err(|error| unavailable(&error))?;
        let connector =
            connectors::only(&mut tx, cipher, leased.channel.into()).await.map_err(|error| unavailable(&error))?;
        let connector =
            connector.ok_or_else(|| SendFailure::later("there is no connector for this channel any more"))?;
        if is_by_plugin(connector.factory.id) {
            let is_demanded =
                without_plugins::is_demanded(&mut tx, leased.channel, &message, management_resource).await;
            if is_demanded.map_err(|error| unavailable(&error))? {
                return Err(SendFailure::never("messages to administrators are not composed by plugins"));
            }
        }
        let sender = Sender::of(&mut tx, connector, template, &message.language).await;
        Ok((message, sender.map_err(|error| unavailable(&error))?))
    }
}

impl DeliveryQueue for Post {
    type Taken = Vec<Leased>;
    type Item = Leased;
    type Record = AttemptResult;

    const ITEM: &'static str = "message";
    const OUTBOX: Outbox = Outbox::Messages;

    async fn next_due(&self, tx: &mut Tx) -> storage::Result<Option<i64>> {
        messages::next_due(tx).await
    }

    async fn bring_forward(&self, tx: &mut Tx, now: i64, by: i64) -> storage::Result<u64> {
        messages::bring_forward(tx, now, by).await
    }

    async fn lease(&self, tx: &mut Tx, name: &str, now: i64, free: i64) -> Result<(Vec<Leased>, Duration), Error> {
        let mut channels = MessageChannel::ALL;
        delivery_queue::begin_anywhere(&mut channels)?;
        let lease = Lease { name, now, until: now + self.lease_ms() };
        let mut taken = Vec::new();
        let mut left = free;
        for channel in channels {
            let in_flight = messages::in_flight(tx, channel, now).await?;
            let limit = (MAX_IN_FLIGHT - in_flight).min(left);
            if limit > 0 {
                let leased = messages::lease(tx, channel, lease, limit).await?;
                left -= i64::try_from(leased.len()).unwrap_or(i64::MAX);
                taken.extend(leased);
            }
        }
        Ok((taken, self.messages.settings.poll))
    }

    fn items(&self, taken: Vec<Leased>) -> Vec<Leased> {
        taken
    }

    /// A panic counts as a failed attempt, and is retried.
    async fn attempt(&self, leased: Leased, lease: Arc<str>) -> Option<AttemptResult> {
        let started = Instant::now();
        let sent = contain(Self::ITEM, self.send(&leased)).await;
        let outcome = sent.unwrap_or_else(|Panicked| {
            MessageOutcome::Failed(SendFailure::later("an internal error of the server; see its log"))
        });
        let duration = started.elapsed();
        self.messages.activity.count(ActivityKind::Message, matches!(outcome, MessageOutcome::Failed(_)), duration);
        Some(AttemptResult { leased, lease, outcome, duration })
    }

    async fn write(&self, tx: &mut Tx, records: &[AttemptResult], now: i64) -> Result<(), Error> {
        results::write(tx, records, now).await
    }

    fn bare(record: AttemptResult) -> AttemptResult {
        record.bare()
    }

    fn count(record: &AttemptResult) {
        metrics::attempt(record.outcome.label(), record.duration);
    }
}
