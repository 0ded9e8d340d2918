//! Recordings of calls, in memory: which are wanted, and the queue of those that wait to be redacted and written. Nothing
//! that a token or a delivery does waits for it: a full queue drops, and counts what it dropped.

mod exchanges;
mod redaction;
mod sample;

pub(crate) use super::byte_queue::Queued;
pub(crate) use exchanges::{Exchange, ReplayedServers};
pub(crate) use redaction::{Redaction, ShownTexts, tells_nobody};
pub(crate) use sample::{RedactedAnswer, body_value, redacted_input, sample};

use super::byte_queue::{ByteQueue, byte_queue, bytes_of};
use super::tape::Tape;
use arc_swap::ArcSwap;
use claimsmith_domain::documents::plugin::RecordedOutcome;
use claimsmith_runtime::{ClaimsRequest, Context, TransformRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use zeroize::Zeroizing;

/// Calls that wait to be written.
const QUEUE_CAPACITY: usize = 512;
/// Bytes of their inputs and answers, and of what other servers answered.
const QUEUE_BYTES: usize = 16 << 20;

/// Which calls a recording is about, and what of them is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RecordingOptions {
    /// The client ids; `None` means all.
    pub applications: Option<Vec<String>>,
    /// The users' ids; `None` means all.
    pub users: Option<Vec<String>>,
    /// `ok`, `denied` and `failed`; `None` means all.
    pub outcomes: Option<Vec<RecordedOutcome>>,
    /// Whether the answers of other servers are kept.
    pub keep_http: bool,
    /// The members that are kept as they are.
    pub keep: Vec<String>,
}

/// A recording that goes on.
pub(crate) struct RunningRecording {
    /// Its id.
    pub(crate) id: String,
    /// The plugin.
    pub(crate) plugin: String,
    /// Which calls, and what of them.
    pub(crate) options: RecordingOptions,
    /// The key of its pseudonyms.
    pub(crate) key: Zeroizing<Vec<u8>>,
    /// Samples that are still wanted; approximate, since other nodes record as well.
    pub(crate) left: AtomicI64,
    /// Calls that were dropped here, and are not counted in the database yet.
    pub(crate) dropped: AtomicU64,
    /// What went wrong last, until it is in the database.
    pub(crate) problem: Mutex<Option<String>>,
}

/// A finished call.
pub(super) struct FinishedCall<'a> {
    pub(super) plugin: &'a str,
    pub(super) version: Option<i64>,
    pub(super) digest: &'a Arc<str>,
    pub(super) user: Option<&'a str>,
    pub(super) application: Option<&'a str>,
    pub(super) input: SeenInput,
    pub(super) outcome: &'static str,
    pub(super) answer: Option<&'a Value>,
    pub(super) message: Option<String>,
    pub(super) duration: Duration,
    pub(super) instructions: Option<u64>,
    pub(super) http: Option<&'a Tape>,
}

/// What a plugin was given, without variables and secrets.
#[derive(Clone)]
pub(crate) enum SeenInput {
    /// A token.
    Claims {
        /// JSON.
        token: Arc<str>,
        /// JSON texts.
        context: Context,
    },
    /// A delivery.
    Transform {
        /// The `webhook-id`.
        id: Arc<str>,
        /// JSON.
        event: Arc<str>,
        /// JSON.
        hook: Arc<str>,
    },
}

/// A call that waits to be redacted and written.
pub(crate) struct SeenCall {
    /// The recording that it is for.
    pub(crate) recording: Arc<RunningRecording>,
    /// The number of the version, if it was uploaded.
    pub(crate) version: Option<i64>,
    /// `sha256:…` of its source.
    pub(crate) digest: Arc<str>,
    /// Whom it was about.
    pub(crate) user: Option<String>,
    /// What it was given.
    pub(crate) input: SeenInput,
    /// `ok`, or a word of `CallError::outcome`.
    pub(crate) outcome: &'static str,
    /// What it answered.
    pub(crate) answer: Option<Value>,
    /// Why it denied or failed.
    pub(crate) message: Option<String>,
    /// Wall-clock time.
    pub(crate) duration: Duration,
    /// Where the host counts them.
    pub(crate) instructions: Option<u64>,
    /// What other servers answered.
    pub(crate) http: Vec<Exchange>,
}

/// The recordings of this node. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Recorder(Arc<Inner>);

struct Inner {
    running: ArcSwap<HashMap<String, Vec<Arc<RunningRecording>>>>,
    queue: ByteQueue<SeenCall>,
    /// Until it is taken.
    calls: Mutex<Option<mpsc::Receiver<Queued<SeenCall>>>>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::with_capacity(QUEUE_CAPACITY)
    }
}

impl Recorder {
    fn with_capacity(capacity: usize) -> Self {
        let (queue, calls) = byte_queue(capacity, QUEUE_BYTES);
        Self(Arc::new(Inner { running: ArcSwap::default(), queue, calls: Mutex::new(Some(calls)) }))
    }

    /// The queue, for the one who writes.
    #[must_use]
    pub(crate) fn take_queue(&self) -> Option<mpsc::Receiver<Queued<SeenCall>>> {
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// All recordings that go on.
    #[must_use]
    pub(crate) fn running(&self) -> Vec<Arc<RunningRecording>> {
        self.0.running.load().values().flatten().map(Arc::clone).collect()
    }

    /// From now on these go on, and no others.
    pub(crate) fn set_running(&self, recordings: Vec<Arc<RunningRecording>>) {
        let mut by_plugin: HashMap<String, Vec<_>> = HashMap::new();
        for recording in recordings {
            by_plugin.entry(recording.plugin.clone()).or_default().push(recording);
        }
        self.0.running.store(Arc::new(by_plugin));
    }

    /// Whether calls of this plugin are recorded, and with the answers of other servers. Those of a recording that has
    /// enough samples need not be copied.
    pub(super) fn watches(&self, plugin: &str) -> Option<bool> {
        let running = self.0.running.load();
        let is_wanted = |recording: &&Arc<RunningRecording>| recording.left.load(Ordering::Relaxed) > 0;
        let mut wanted = running.get(plugin)?.iter().filter(is_wanted).peekable();
        wanted.peek()?;
        Some(wanted.any(|recording| recording.options.keep_http))
    }

    /// Queues a call for every recording that is about it.
    pub(super) fn see(&self, call: &FinishedCall<'_>) {
        let running = self.0.running.load();
        for recording in running.get(call.plugin).into_iter().flatten() {
            if !recording.options.include(call) || recording.left.fetch_sub(1, Ordering::Relaxed) <= 0 {
                continue;
            }
            if !self.queue(recording, call) {
                recording.dropped.fetch_add(1, Ordering::Relaxed);
                recording.left.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// `false` if there is no room.
    fn queue(&self, recording: &Arc<RunningRecording>, call: &FinishedCall<'_>) -> bool {
        let http = call.http.filter(|_| recording.options.keep_http);
        // What it answered is copied only if there is room.
        self.0.queue.offer(call.bytes() + http.map_or(0, exchanges::kept_bytes), || SeenCall {
            recording: Arc::clone(recording),
            version: call.version,
            digest: Arc::clone(call.digest),
            user: call.user.map(str::to_owned),
            input: call.input.clone(),
            outcome: call.outcome,
            answer: call.answer.cloned(),
            message: call.message.clone(),
            duration: call.duration,
            instructions: call.instructions,
            http: http.map(exchanges::kept).unwrap_or_default(),
        })
    }
}

impl RecordingOptions {
    fn include(&self, call: &FinishedCall<'_>) -> bool {
        let holds = |list: &Option<Vec<String>>, id: Option<&str>| {
            list.as_ref().is_none_or(|list| id.is_some_and(|id| list.iter().any(|one| one == id)))
        };
        let outcome = RecordedOutcome::of(call.outcome);
        holds(&self.applications, call.application)
            && holds(&self.users, call.user)
            && self.outcomes.as_ref().is_none_or(|outcomes| outcomes.contains(&outcome))
    }
}

impl FinishedCall<'_> {
    /// Of what a recording keeps, beside the answers of other servers.
    fn bytes(&self) -> usize {
        self.input.bytes() + self.answer.map_or(0, bytes_of) + self.message.as_ref().map_or(0, String::len)
    }
}

impl SeenInput {
    pub(super) fn of_token(request: &ClaimsRequest) -> Self {
        Self::Claims { token: Arc::clone(&request.token), context: request.context.clone() }
    }

    pub(super) fn of_delivery(request: &TransformRequest) -> Self {
        let TransformRequest { id, event, hook, .. } = request;
        Self::Transform { id: Arc::clone(id), event: Arc::clone(event), hook: Arc::clone(hook) }
    }

    /// Of all its texts.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Claims { token, context } => {
                let grant = context.grant.as_ref().and_then(|grant| grant.subject_token_context.as_ref());
                let parts = [&context.user, &context.application, &context.organization, &context.interaction];
                let parts = parts.into_iter().flatten().chain(grant);
                token.len() + parts.map(|part| part.len()).sum::<usize>()
            }
            Self::Transform { id, event, hook } => id.len() + event.len() + hook.len(),
        }
    }
}

/// Without values: they are personal data.
impl fmt::Debug for SeenCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SeenCall").field("outcome", &self.outcome).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
