//! Messages to people: what relays and services get, when they do not, and what becomes of the queue.

mod http;
mod plugins;
mod queue;
mod relays;
mod trials;
mod words;

use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_domain::id::MessageId;
use claimsmith_services::encryption::Purpose;
use claimsmith_storage::audit;
use claimsmith_storage::messages::{self, NewMessage};
use claimsmith_test_support::{Actor, Home, MailRelay, TestServer, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Ten minutes.
const LIFETIME_MS: i64 = 600_000;

/// A server that may reach this machine, and looks at its clock, which the test moves, many times a second.
async fn server(home: &Arc<Home>) -> TestServer {
    server_with(home, &[]).await
}

async fn server_with(home: &Arc<Home>, more: &[(&str, &str)]) -> TestServer {
    let changes = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20"), ("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")];
    let changes = [&changes, more].concat();
    TestServer::start(home, &changes).await.unwrap()
}

/// The configuration of a relay that is trusted, with STARTTLS and a password unless `changes` says otherwise.
#[expect(clippy::needless_pass_by_value, reason = "it is made where it is given")]
fn config(relay: &MailRelay, changes: Value) -> Value {
    let mut config = json!({
        "host": "127.0.0.1", "port": relay.address().port(), "fromEmail": "Shop <shop@example.com>",
        "auth": { "user": "shop", "pass": "correct horse" }, "tls": { "ca": relay.certificate() },
    });
    for (name, value) in changes.as_object().unwrap() {
        config[name] = value.clone();
    }
    config.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    config
}

async fn connect(management: &Actor, factory: &str, config: Value) {
    management.post("/api/connectors", json!({ "connectorId": factory, "config": config })).await.expect(200);
}

/// Writes a message as a step of a sign-in would, with this code.
async fn write(server: &TestServer, channel: &str, to: &str, code: &str) -> MessageId {
    write_more(server, (channel, to), "en", json!({ "code": code, "application": { "name": "Shop" } })).await
}

async fn write_more(server: &TestServer, (channel, to): (&str, &str), language: &str, contents: Value) -> MessageId {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let id = MessageId::from(format!("msg_{}", NUMBER.fetch_add(1, Ordering::SeqCst)));
    let sealed = server.app.cipher.encrypt(Purpose::Message, &id, contents.to_string().as_bytes()).unwrap();
    let now = server.clock.now_ms();
    let mut tx = server.begin().await;
    let message = NewMessage {
        id: &id,
        channel: MessageChannel::parse(channel).unwrap(),
        recipient: to,
        template_type: TemplateType::SignIn,
        language_tag: language,
        contents: &sealed,
        about: Some(&id),
        expires_at: now + LIFETIME_MS,
        in_mailbox: false,
        created_at: now,
    };
    messages::append(&mut tx, &message).await.unwrap();
    tx.commit().await.unwrap();
    id
}

/// A message in the queue.
#[derive(Clone, Debug, claimsmith_storage::Row)]
struct Queued {
    state: String,
    due_at: Option<i64>,
    claim: Option<String>,
    attempts: i64,
    note: Option<String>,
    contents: Option<String>,
}

async fn queued(server: &TestServer, id: &MessageId) -> Queued {
    let sql = "SELECT state, due_at, claim, attempts, note, contents FROM messages WHERE id = $1";
    server.begin().await.sql(sql).bind(id).one().await.unwrap()
}

/// Waits until the message is so.
async fn until_queued(server: &TestServer, id: &MessageId, is_so: impl Fn(&Queued) -> bool) -> Queued {
    until("the state of a message", async || Some(queued(server, id).await).filter(|found| is_so(found))).await
}

fn has_failed(attempts: i64) -> impl Fn(&Queued) -> bool {
    move |found| found.attempts == attempts && found.state == "pending" && found.claim.is_none()
}

/// The audit entries of messages, the newest first.
async fn audited(server: &TestServer) -> Vec<Value> {
    let logs = audit::list_by_key(&mut server.begin().await, "Message", 100).await.unwrap();
    logs.into_iter().map(|log| log.payload.0).collect()
}
