//! What the demo application remembers, in this process alone: a visit for each browser, for an hour, and the last
//! webhooks. None of it has `Debug`, so that no token reaches a log.

use quick_cache::sync::Cache;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The most visits; of more, those that are used least are forgotten.
const MAX_VISITS: usize = 500;
/// How long a visit is remembered, in milliseconds.
const VISIT_MS: i64 = 3_600_000;
/// The most webhooks.
const MAX_DELIVERIES: usize = 100;

/// The memory.
pub(super) struct Memory {
    visits: Cache<String, DemoVisit>,
    deliveries: Mutex<VecDeque<ReceivedWebhook>>,
}

/// What is known of one browser.
#[derive(Clone)]
pub(super) struct DemoVisit {
    expires_at: i64,
    /// The sign-in that is under way.
    pub pending: Option<PendingDemoSignIn>,
    /// Who is signed in.
    pub person: Option<DemoUser>,
    /// The subject token that somebody brought who has to sign in first.
    pub handed_over: Option<String>,
}

/// A sign-in that is under way.
#[derive(Clone)]
pub(super) struct PendingDemoSignIn {
    pub state: String,
    pub nonce: String,
    /// The verifier of PKCE.
    pub verifier: String,
}

/// Somebody who signed in, with their tokens.
#[derive(Clone)]
pub(super) struct DemoUser {
    pub id: String,
    /// What they are called.
    pub name: String,
    pub id_token: String,
    /// For this server's own endpoints; the actor token of an exchange.
    pub access_token: String,
    /// For the demo's API.
    pub api_token: String,
    pub refresh_token: String,
    /// What the userinfo endpoint answered.
    pub user_info: Option<Map<String, Value>>,
    /// The claims of the access token of somebody else, with this person as the actor.
    pub acted: Option<Map<String, Value>>,
}

/// A webhook that came.
#[derive(Clone)]
pub(super) struct ReceivedWebhook {
    pub at: i64,
    /// The id of the delivery, which is the same when it is sent again.
    pub id: String,
    pub body: Map<String, Value>,
}

impl Default for Memory {
    fn default() -> Self {
        Self { visits: Cache::new(MAX_VISITS), deliveries: Mutex::default() }
    }
}

impl DemoVisit {
    pub(super) fn begin(now: i64) -> Self {
        Self { expires_at: now + VISIT_MS, pending: None, person: None, handed_over: None }
    }
}

impl Memory {
    /// The visit of the browser with the cookie of this hash.
    pub(super) fn visit(&self, hash: &str, now: i64) -> Option<DemoVisit> {
        self.visits.get(hash).filter(|visit| visit.expires_at > now)
    }

    pub(super) fn keep(&self, hash: String, visit: DemoVisit) {
        self.visits.insert(hash, visit);
    }

    pub(super) fn forget(&self, hash: &str) {
        self.visits.remove(hash);
    }

    /// Keeps a webhook, once.
    pub(super) fn receive(&self, received: ReceivedWebhook) {
        let mut deliveries = self.deliveries.lock().unwrap_or_else(PoisonError::into_inner);
        if deliveries.iter().any(|known| known.id == received.id) {
            return;
        }
        deliveries.push_front(received);
        deliveries.truncate(MAX_DELIVERIES);
    }

    /// The webhooks, newest first.
    pub(super) fn deliveries(&self) -> Vec<ReceivedWebhook> {
        self.deliveries.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
