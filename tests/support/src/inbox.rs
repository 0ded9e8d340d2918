//! Somebody's mailbox and phone: where the connectors of a server deliver to, over HTTP.

use crate::{Fixture, Home, Kind, Receiver, TestServer, until};
use serde_json::{Value, json};
use std::sync::Arc;

/// The mailbox and the phone of everybody.
pub struct Inbox {
    receiver: Receiver,
}

/// A server whose messages can be read.
pub struct Mailed {
    /// The server.
    pub server: TestServer,
    /// What it sends.
    pub inbox: Inbox,
}

impl Fixture for Mailed {
    async fn given(kind: Kind) -> Self {
        Self::start(&Home::new(kind).await, &[]).await
    }
}

impl Mailed {
    /// Starts one here, with these changes of its environment. It delivers at once, also to this machine.
    pub async fn start(home: &Arc<Home>, changes: &[(&str, &str)]) -> Self {
        let own = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20"), ("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")];
        let server = TestServer::start(home, &[&own[..], changes].concat()).await.unwrap();
        let inbox = Inbox::of(&server).await;
        Self { server, inbox }
    }
}

impl TestServer {
    /// Lets the messages to this address or number wait once more, as if the service had not taken them; not in the
    /// next hour.
    pub async fn put_off(&self, to: &str) {
        let due_at = self.clock.now_ms() + 3_600_000;
        let sql = "UPDATE messages SET state = 'pending', due_at = $1, finished_at = NULL \
                   WHERE recipient = $2 AND state = 'delivered'";
        until("a message that was delivered", async || {
            let mut tx = self.begin().await;
            let put_off = tx.sql(sql).bind(due_at).bind(to).execute().await.unwrap();
            tx.commit().await.unwrap();
            (put_off > 0).then_some(())
        })
        .await;
    }

    /// How many messages to this address or number are not sent any more, since what they carry was used or replaced.
    pub async fn withdrawn(&self, to: &str) -> u64 {
        let sql = "UPDATE messages SET claim = NULL WHERE recipient = $1 AND state = 'dropped' AND note = 'withdrawn'";
        self.begin().await.sql(sql).bind(to).execute().await.unwrap()
    }
}

impl Inbox {
    /// Lets this server send emails and text messages there, from now on.
    async fn of(server: &TestServer) -> Self {
        let receiver = Receiver::start().await;
        for factory in ["http-email", "http-sms"] {
            let body = json!({ "connectorId": factory, "config": { "endpoint": receiver.url() } });
            server.management().await.post("/api/connectors", body).await.expect(200);
        }
        Self { receiver }
    }

    /// What has come for this address or number until now: `{to, type, payload}`.
    #[must_use]
    pub fn messages(&self, to: &str) -> Vec<Value> {
        let all = self.receiver.received().into_iter().map(|one| one.json());
        all.filter(|message| message["to"].as_str().is_some_and(|sent| sent.trim_start_matches('+') == to)).collect()
    }

    /// How many have come until now, to whomever.
    #[must_use]
    pub fn count(&self) -> usize {
        self.receiver.count()
    }

    /// Waits for the message of this number, from 1, to this address or phone.
    pub async fn message(&self, to: &str, number: usize) -> Value {
        let what = format!("message {number} to {to}");
        until(&what, async || self.messages(to).into_iter().nth(number - 1)).await
    }

    /// Waits for the code of this number, from 1, that is sent to this address or phone.
    pub async fn code(&self, to: &str, number: usize) -> String {
        self.message(to, number).await["payload"]["code"].as_str().unwrap().to_owned()
    }
}
