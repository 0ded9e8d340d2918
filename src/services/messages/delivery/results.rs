//! The results of attempts: a message is sent, retried while its code or link is valid, given up, or dropped; every end
//! is audited.

use crate::audit::Entry;
use crate::delivery_queue::{Error, backoff};
use crate::messages::send::SendFailure;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::random;
use claimsmith_storage::messages::{self, Leased};
use claimsmith_storage::{RetryDecision, Tx, audit};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// The audit entry.
const AUDIT_KEY: AuditKey = AuditKey::Message;
/// If the backoff would outlast the message, it is retried once more after half of the remaining time, unless that is
/// less than this, in milliseconds.
const SHORTEST_WAIT_MS: i64 = 10_000;

/// The result of an attempt.
#[derive(Debug)]
pub(super) struct AttemptResult {
    pub(super) leased: Leased,
    /// The lease under which it was attempted.
    pub(super) lease: Arc<str>,
    pub(super) outcome: MessageOutcome,
    pub(super) duration: Duration,
}

/// How it ended.
#[derive(Debug)]
pub(super) enum MessageOutcome {
    /// The relay or the service has accepted it.
    Sent,
    /// It is not to be sent any longer.
    Dropped(&'static str),
    Failed(SendFailure),
}

impl MessageOutcome {
    /// Its name in metrics.
    pub(super) const fn label(&self) -> &'static str {
        match self {
            Self::Sent => "delivered",
            Self::Dropped(_) => "dropped",
            Self::Failed(SendFailure { is_final: false, .. }) => "failed",
            Self::Failed(SendFailure { is_final: true, .. }) => "refused",
        }
    }
}

impl AttemptResult {
    /// The same without the text of the error.
    pub(super) fn bare(self) -> Self {
        let outcome = match self.outcome {
            MessageOutcome::Failed(failure) => {
                let error = "the result could not be written; see the server's log".to_owned();
                MessageOutcome::Failed(SendFailure { error, ..failure })
            }
            other => other,
        };
        Self { outcome, ..self }
    }

    /// Attempts until now, including this one.
    fn attempts(&self) -> i64 {
        self.leased.attempts + 1
    }

    fn audited(&self, entry: Entry) -> Entry {
        let Leased { id, channel, recipient, template_type, .. } = &self.leased;
        let entry = entry.with("messageId", id.as_str()).with("channel", channel.as_str());
        let entry = entry.with("recipient", recipient.as_str()).with("templateType", template_type.as_str());
        entry.with("attempts", self.attempts())
    }
}

/// Writes results, in one transaction.
pub(super) async fn write(tx: &mut Tx, records: &[AttemptResult], now: i64) -> Result<(), Error> {
    let mut logs = Vec::new();
    let mut sent = Vec::new();
    for record in records {
        let AttemptResult { leased, lease, outcome, .. } = record;
        let (next, code, error) = match outcome {
            MessageOutcome::Sent => {
                sent.push(leased.seq);
                logs.push(record.audited(Entry::success(AUDIT_KEY, json!({}))).at(now)?);
                continue;
            }
            MessageOutcome::Dropped(why) => (RetryDecision::Dropped, "message.dropped", *why),
            MessageOutcome::Failed(failure) => {
                (next(record, failure, now)?, "message.given_up", failure.error.as_str())
            }
        };
        let is_ours = messages::move_on(tx, leased.seq, lease, next, error, now).await?;
        if is_ours && !matches!(next, RetryDecision::At(_)) {
            tracing::warn!(
                message = leased.id.as_str(),
                channel = leased.channel.as_str(),
                error,
                "a message was not sent"
            );
            logs.push(record.audited(Entry::refused(AUDIT_KEY, code, error)).at(now)?);
        }
    }
    messages::succeed(tx, &sent, now).await?;
    audit::append(tx, &logs).await?;
    Ok(())
}

/// The next step after a failed attempt.
fn next(record: &AttemptResult, failure: &SendFailure, now: i64) -> Result<RetryDecision, Error> {
    if failure.is_final {
        return Ok(RetryDecision::Dead);
    }
    let [random] = random::bytes()?;
    let Some(at) = backoff::next_attempt(record.attempts(), now, random, failure.hold) else {
        return Ok(RetryDecision::Dead);
    };
    Ok(within(at, now, record.leased.expires_at, failure.hold.is_some()))
}

/// A time within the lifetime of the message.
fn within(at: i64, now: i64, expires_at: i64, is_asked_for: bool) -> RetryDecision {
    let half = (expires_at - now) / 2;
    if at < expires_at {
        RetryDecision::At(at)
    } else if is_asked_for || half < SHORTEST_WAIT_MS {
        RetryDecision::Dead
    } else {
        RetryDecision::At(now + half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_tried_again_while_its_code_works() {
        assert_eq!(within(5, 0, 100_000, false), RetryDecision::At(5));
        assert_eq!(within(200_000, 0, 100_000, false), RetryDecision::At(50_000));
        assert_eq!(within(200_000, 0, 100_000, true), RetryDecision::Dead);
        assert_eq!(within(200_000, 99_000, 100_000, false), RetryDecision::Dead);
        assert_eq!(within(200_000, 110_000, 100_000, false), RetryDecision::Dead);
    }

    #[test]
    fn a_code_of_ten_minutes_is_tried_often_enough() {
        let (mut now, mut attempts, expires_at) = (0, 1, 600_000);
        while let Some(RetryDecision::At(at)) =
            backoff::next_attempt(attempts, now, 128, None).map(|at| within(at, now, expires_at, false))
        {
            assert!(at > now && at < expires_at);
            (now, attempts) = (at, attempts + 1);
        }
        assert!(attempts >= 6 && now > 500_000, "{attempts} attempts until {now}");
    }
}
