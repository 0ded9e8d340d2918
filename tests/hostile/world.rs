//! The server under attack, with one object of each kind, and the checks afterwards.

use crate::BINARY;
use crate::report::ms;
use claimsmith_test_support::{Api, Home, Process};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Lists that hold what an attack may have left behind.
const LISTS: &[&str] = &[
    "/api/users",
    "/api/roles",
    "/api/resources",
    "/api/applications",
    "/api/organizations",
    "/api/organization-roles",
    "/api/organization-scopes",
    "/api/hooks",
    "/api/plugins",
    "/api/logs",
    "/api/impersonations",
    "/api/swagger.json",
];

/// Requests that only read, to warm what grows with the first of its kind.
const WARMING: usize = 40;

/// A server and what is in it.
pub(crate) struct World {
    pub(crate) home: Arc<Home>,
    pub(crate) server: Process,
    ids: Vec<(&'static str, String)>,
}

impl World {
    pub(crate) async fn new(home: Arc<Home>) -> Self {
        let server = Process::start(BINARY, &home, &[]).await.unwrap();
        let management = server.management().await;
        let mut ids = vec![
            ("public", server.demo().spa_client_id.to_string()),
            ("web", server.demo().web_client_id.to_string()),
            ("target", server.demo().resource.clone()),
        ];
        for (name, path, body, status) in [
            ("user", "/api/users", json!({ "username": "victim" }), 200),
            ("role", "/api/roles", json!({ "name": "r", "description": "r", "type": "User" }), 200),
            ("resource", "/api/resources", json!({ "name": "r", "indicator": "https://victim.test" }), 201),
            ("application", "/api/applications", json!({ "name": "a", "type": "MachineToMachine" }), 200),
            ("organization", "/api/organizations", json!({ "name": "o" }), 201),
            (
                "hook",
                "/api/hooks",
                json!({ "name": "h", "events": ["Role.Deleted"], "config": { "url": "http://127.0.0.1:9/hook" } }),
                201,
            ),
        ] {
            ids.push((name, management.post(path, body).await.expect(status).text("id")));
        }
        let world = Self { home, server, ids };
        for _ in 0..WARMING {
            world.look("the start").await;
        }
        world
    }

    /// The text with ids in the place of names.
    pub(crate) fn fill(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(&format!("{{{name}}}"), id))
    }

    /// The server is there, a neighbour gets a token, and what is stored can be read.
    pub(crate) async fn look(&self, after: &str) {
        let status = self.server.get("/api/status").await;
        assert_eq!(status.status, 204, "after {after}: {:#}", status.body);
        let management = self.server.management().await;
        for list in LISTS {
            let answer = management.get(list).await;
            assert_eq!(answer.status, 200, "after {after}: {list}: {:#}", answer.body);
        }
        self.neighbour(after).await;
    }

    /// The exchange of a neighbour, who has nothing to do with any of this; answers its token's claims.
    pub(crate) async fn neighbour(&self, after: &str) -> Value {
        let token = self.server.customer_token().await;
        let answer = self.server.exchange(&token).send().await;
        assert_eq!(answer.status, 200, "after {after}: {:#}", answer.body);
        let jwt = self.server.verify(&answer.text("access_token"), &self.server.demo().resource).await;
        json!(jwt.claims)
    }

    /// A neighbour who asks for tokens until told to stop.
    pub(crate) fn beside(&self) -> Beside {
        let (api, stop) = (Api::clone(&self.server), CancellationToken::new());
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            let mut longest = Duration::ZERO;
            while !stopped.is_cancelled() {
                let started = Instant::now();
                api.client_credentials().send().await.expect(200);
                longest = longest.max(started.elapsed());
            }
            longest
        });
        Beside { stop, task }
    }

    /// What the server holds.
    pub(crate) fn memory(&self) -> String {
        format!("{} MiB", self.server.resident_memory() >> 20)
    }

    /// Ends it as an operator would, starts it again, and looks.
    pub(crate) async fn restart(&mut self) {
        assert!(self.server.terminate().await.success(), "{}", self.server.stderr.text());
        self.server = Process::start(BINARY, &self.home, &[]).await.unwrap();
        self.look("a restart").await;
    }
}

/// A neighbour at work.
pub(crate) struct Beside {
    stop: CancellationToken,
    task: JoinHandle<Duration>,
}

impl Beside {
    /// Stops, and answers the longest that it waited for a token.
    pub(crate) async fn end(self) -> String {
        self.stop.cancel();
        ms(self.task.await.unwrap())
    }
}
