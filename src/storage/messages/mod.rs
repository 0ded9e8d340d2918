//! Messages to users. They are written in the transaction of the change that they are about (transactional outbox), and
//! leased by the workers of all nodes.

pub mod email_templates;

use crate::sql::queue::QueueTable;
use crate::{Lease, Outbox, Result, RetryDecision, Tx};
use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_domain::id::MessageId;

const QUEUE: QueueTable = QueueTable { table: "messages", key: "seq", receiver: "channel" };

/// A new message.
#[derive(Clone, Debug)]
pub struct NewMessage<'m> {
    /// Its id.
    pub id: &'m MessageId,
    /// The channel.
    pub channel: MessageChannel,
    /// The recipient.
    pub recipient: &'m str,
    /// The type of message.
    pub template_type: TemplateType,
    /// The language of the recipient.
    pub language_tag: &'m str,
    /// The contents, encrypted.
    pub contents: &'m str,
    /// Identifies the code or link in it.
    pub about: Option<&'m str>,
    /// Expiry of the code or link, Unix milliseconds.
    pub expires_at: i64,
    /// Whether it is shown in the mailbox of a demo server instead of being sent.
    pub in_mailbox: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// Writes a message. The worker of this process is notified after the commit.
pub async fn append(tx: &mut Tx, message: &NewMessage<'_>) -> Result<()> {
    let (state, due_at, finished_at) = if message.in_mailbox {
        ("delivered", None, Some(message.created_at))
    } else {
        ("pending", Some(message.created_at), None)
    };
    tx.sql(
        "INSERT INTO messages (id, channel, recipient, template_type, language_tag, contents, about, expires_at, \
         in_mailbox, state, due_at, created_at, finished_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
    )
    .bind(message.id)
    .bind(message.channel)
    .bind(message.recipient)
    .bind(message.template_type)
    .bind(message.language_tag)
    .bind(message.contents)
    .bind(message.about)
    .bind(message.expires_at)
    .bind(message.in_mailbox)
    .bind(state)
    .bind(due_at)
    .bind(message.created_at)
    .bind(finished_at)
    .execute()
    .await?;
    if !message.in_mailbox {
        tx.notify(Outbox::Messages);
    }
    Ok(())
}

/// Drops the unsent messages about this code or link, and returns their number. Cannot stop one that is being sent.
pub async fn withdraw(tx: &mut Tx, about: &str, now: i64) -> Result<u64> {
    tx.sql(
        "UPDATE messages SET state = 'dropped', due_at = NULL, claim = NULL, contents = NULL, finished_at = $1, \
         note = 'withdrawn' WHERE about = $2 AND state = 'pending'",
    )
    .bind(now)
    .bind(about)
    .execute()
    .await
}

#[derive(crate::Row)]
struct NextDue {
    due_at: Option<i64>,
}

/// When the next message is due, Unix milliseconds.
pub async fn next_due(tx: &mut Tx) -> Result<Option<i64>> {
    let sql = "SELECT MIN(due_at) AS due_at FROM messages WHERE due_at IS NOT NULL";
    Ok(tx.sql(sql).one::<NextDue>().await?.due_at)
}

#[derive(crate::Row)]
struct Count {
    number: i64,
}

/// Number of messages that all nodes are sending on a channel.
pub async fn in_flight(tx: &mut Tx, channel: MessageChannel, now: i64) -> Result<i64> {
    let sql = "SELECT COUNT(*) AS number FROM messages WHERE channel = $1 AND claim IS NOT NULL AND due_at > $2";
    Ok(tx.sql(sql).bind(channel).bind(now).one::<Count>().await?.number)
}

/// A leased message.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Leased {
    /// The sequence number.
    pub seq: i64,
    /// Its id.
    pub id: MessageId,
    /// The channel.
    pub channel: MessageChannel,
    /// The recipient.
    pub recipient: String,
    /// The name of its [`TemplateType`], as text: an unknown one must fail alone, not the whole lease.
    pub template_type: String,
    /// The language of the recipient.
    pub language_tag: String,
    /// The contents, encrypted.
    pub contents: Option<String>,
    /// Expiry of the code or link, Unix milliseconds.
    pub expires_at: i64,
    /// Previous attempts, without this one.
    pub attempts: i64,
    /// Creation time, Unix milliseconds.
    pub created_at: i64,
}

/// Leases at most `limit` due messages of a channel, oldest first.
pub async fn lease(tx: &mut Tx, channel: MessageChannel, lease: Lease<'_>, limit: i64) -> Result<Vec<Leased>> {
    QUEUE.lease(tx, channel.as_str(), lease, limit).await?;
    tx.sql(
        "SELECT seq, id, channel, recipient, template_type, language_tag, contents, expires_at, attempts, created_at \
         FROM messages WHERE channel = $1 AND claim = $2 ORDER BY seq",
    )
    .bind(channel)
    .bind(lease.name)
    .all()
    .await
}

/// Marks these as delivered, whichever worker has the lease now, and deletes their contents.
pub async fn succeed(tx: &mut Tx, ids: &[i64], now: i64) -> Result<u64> {
    for seq in ids {
        forget(tx, *seq).await?;
    }
    QUEUE.succeed(tx, ids.iter(), now).await
}

/// Changes the state of a message after a failed attempt. `false` if its lease has passed to another worker.
pub async fn move_on(tx: &mut Tx, seq: i64, lease: &str, next: RetryDecision, note: &str, now: i64) -> Result<bool> {
    let is_ours = QUEUE.move_on(tx, seq, lease, (next, note), now).await?;
    if is_ours && !matches!(next, RetryDecision::At(_)) {
        forget(tx, seq).await?;
    }
    Ok(is_ours)
}

/// Deletes the contents of a message.
async fn forget(tx: &mut Tx, seq: i64) -> Result<()> {
    tx.sql("UPDATE messages SET contents = NULL WHERE seq = $1").bind(seq).execute().await?;
    Ok(())
}

/// Moves all due times after `now` back by `by` milliseconds, because the clock went back by as much.
pub async fn bring_forward(tx: &mut Tx, now: i64, by: i64) -> Result<u64> {
    QUEUE.bring_forward(tx, now, by).await
}

/// Deletes at most `limit` messages that were finished before a time, Unix milliseconds, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    QUEUE.delete_finished(tx, before, limit).await
}

/// A message in the mailbox of a demo server.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct InMailbox {
    /// Its id.
    pub id: MessageId,
    /// `Email` or `Sms`.
    pub channel: String,
    /// The recipient.
    pub recipient: String,
    /// The type of message.
    pub template_type: String,
    /// The language of the recipient.
    pub language_tag: String,
    /// The contents, encrypted.
    pub contents: Option<String>,
    /// Expiry of the code or link, Unix milliseconds.
    pub expires_at: i64,
    /// Creation time, Unix milliseconds.
    pub created_at: i64,
}

/// The messages in the mailbox, newest first, at most `limit`.
pub async fn mailbox(tx: &mut Tx, limit: i64) -> Result<Vec<InMailbox>> {
    tx.sql(
        "SELECT id, channel, recipient, template_type, language_tag, contents, expires_at, created_at FROM messages \
         WHERE in_mailbox ORDER BY seq DESC LIMIT $1",
    )
    .bind(limit)
    .all()
    .await
}
