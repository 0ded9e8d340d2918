//! State of the demo application, only in the memory of this process: a visit per browser, for an hour, and the latest
//! webhooks. None of it implements `Debug`, so that no token is logged.

use quick_cache::sync::Cache;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Maximum number of visits; beyond it, the least recently used are dropped.
const MAX_VISITS: usize = 500;
/// Lifetime of a visit, in milliseconds.
const VISIT_MS: i64 = 3_600_000;
/// Maximum number of stored webhooks.
const MAX_DELIVERIES: usize = 100;

/// The state of the demo application.
pub(super) struct Memory {
    visits: Cache<String, DemoVisit>,
    deliveries: Mutex<VecDeque<ReceivedWebhook>>,
}

/// The state of one browser.
#[derive(Clone)]
pub(super) struct DemoVisit {
    expires_at: i64,
    /// The pending sign-in.
    pub pending: Option<PendingDemoSignIn>,
    /// The signed-in user.
    pub person: Option<DemoUser>,
    /// A subject token from the console, while its visitor has to sign in first.
    pub handed_over: Option<String>,
}

/// A pending sign-in.
#[derive(Clone)]
pub(super) struct PendingDemoSignIn {
    pub state: String,
    pub nonce: String,
    /// The PKCE code verifier.
    pub verifier: String,
}

/// A signed-in user, with their tokens.
#[derive(Clone)]
pub(super) struct DemoUser {
    pub id: String,
    /// The display name.
    pub name: String,
    pub id_token: String,
    /// An access token for this server's own endpoints; the actor token of an exchange.
    pub access_token: String,
    /// An access token for the demo's API.
    pub api_token: String,
    pub refresh_token: String,
    /// The response of the userinfo endpoint.
    pub user_info: Option<Map<String, Value>>,
    /// The claims of the exchanged access token, of the customer with this user as the actor.
    pub acted: Option<Map<String, Value>>,
}

/// A received webhook.
#[derive(Clone)]
pub(super) struct ReceivedWebhook {
    pub at: i64,
    /// The id of the delivery, which stays the same when it is retried.
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
    /// The visit of the browser whose cookie has this hash.
    pub(super) fn visit(&self, hash: &str, now: i64) -> Option<DemoVisit> {
        self.visits.get(hash).filter(|visit| visit.expires_at > now)
    }

    pub(super) fn keep(&self, hash: String, visit: DemoVisit) {
        self.visits.insert(hash, visit);
    }

    pub(super) fn forget(&self, hash: &str) {
        self.visits.remove(hash);
    }

    /// Stores a webhook once.
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
