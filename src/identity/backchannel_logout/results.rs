//! Results of delivery attempts: a notification is delivered, retried for about a day, or given up; both ends are
//! audited.

use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::random;
use claimsmith_services::audit::Entry;
use claimsmith_services::delivery_queue::{Error, backoff};
use claimsmith_storage::sessions::backchannel_logouts::{self, Leased};
use claimsmith_storage::{RetryDecision, Tx, audit};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Maximum attempts: the last is about a day after the first. A session of an application rarely lasts longer.
const MAX_ATTEMPTS: i64 = 11;
/// Key of the audit entry.
const AUDIT_KEY: AuditKey = AuditKey::BackchannelLogout;

/// The result of an attempt.
#[derive(Debug)]
pub(super) struct AttemptResult {
    pub(super) leased: Leased,
    /// The lease under which it was attempted.
    pub(super) lease: Arc<str>,
    pub(super) outcome: LogoutOutcome,
    pub(super) duration: Duration,
}

/// The outcome of the attempt.
#[derive(Debug)]
pub(super) enum LogoutOutcome {
    /// The application was notified.
    Delivered,
    Failed {
        error: String,
        /// The application's `Retry-After`, milliseconds.
        hold: Option<i64>,
        /// Whether retrying is pointless.
        is_final: bool,
    },
}

impl LogoutOutcome {
    /// A failure that is retried.
    pub(super) fn failed(error: impl Into<String>) -> Self {
        Self::Failed { error: error.into(), hold: None, is_final: false }
    }

    /// A failure that is not retried.
    pub(super) fn given_up(error: &str) -> Self {
        Self::Failed { error: error.to_owned(), hold: None, is_final: true }
    }

    /// The label in metrics.
    pub(super) const fn label(&self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Failed { is_final: false, .. } => "failed",
            Self::Failed { is_final: true, .. } => "refused",
        }
    }
}

impl AttemptResult {
    /// The same result without the error text.
    pub(super) fn bare(self) -> Self {
        let outcome = match self.outcome {
            LogoutOutcome::Delivered => LogoutOutcome::Delivered,
            LogoutOutcome::Failed { hold, is_final, .. } => {
                let error = "the result could not be written; see the server's log".to_owned();
                LogoutOutcome::Failed { error, hold, is_final }
            }
        };
        Self { outcome, ..self }
    }

    /// Number of attempts, including this one.
    fn attempts(&self) -> i64 {
        self.leased.attempts + 1
    }

    fn audited(&self, entry: Entry) -> Entry {
        let Leased { application_id, user_id, session_id, .. } = &self.leased;
        let entry = entry.with("applicationId", application_id.as_str()).with("userId", user_id.as_str());
        entry.with("sessionId", session_id.as_str()).with("attempts", self.attempts())
    }
}

/// Writes results, in one transaction.
pub(super) async fn write(tx: &mut Tx, records: &[AttemptResult], now: i64) -> Result<(), Error> {
    let mut logs = Vec::new();
    let mut told = Vec::new();
    for record in records {
        let LogoutOutcome::Failed { error, hold, is_final } = &record.outcome else {
            told.push(record.leased.seq);
            logs.push(record.audited(Entry::success(AUDIT_KEY, json!({}))).at(now)?);
            continue;
        };
        let next = if *is_final { RetryDecision::Dead } else { next(record.attempts(), *hold, now)? };
        let is_ours = backchannel_logouts::move_on(tx, record.leased.seq, &record.lease, next, error, now).await?;
        if is_ours && next == RetryDecision::Dead {
            let application_id = record.leased.application_id.as_str();
            tracing::warn!(
                application_id,
                error,
                "the back-channel logout of an application failed for good: it does not know that a session has ended"
            );
            logs.push(record.audited(Entry::refused(AUDIT_KEY, "backchannel_logout.given_up", error)).at(now)?);
        }
    }
    backchannel_logouts::succeed(tx, &told, now).await?;
    audit::append(tx, &logs).await?;
    Ok(())
}

/// The next step after this many failed attempts.
fn next(attempts: i64, hold: Option<i64>, now: i64) -> Result<RetryDecision, Error> {
    if attempts >= MAX_ATTEMPTS {
        return Ok(RetryDecision::Dead);
    }
    let [random] = random::bytes()?;
    Ok(backoff::next_attempt(attempts, now, random, hold).map_or(RetryDecision::Dead, RetryDecision::At))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_end_after_about_a_day() -> Result<(), Error> {
        let (mut now, mut attempts) = (0, 1);
        while let RetryDecision::At(at) = next(attempts, None, now)? {
            assert!(at > now);
            (now, attempts) = (at, attempts + 1);
        }
        let hours = now / 3_600_000;
        assert!(attempts == MAX_ATTEMPTS && (24..32).contains(&hours), "{attempts} attempts in {hours} hours");
        Ok(())
    }
}
