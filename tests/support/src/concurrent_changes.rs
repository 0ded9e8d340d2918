//! Clients that change one resource at once, again and again, until they are told to stop.

use crate::Actor;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::task::JoinSet;

/// Clients at work.
pub struct ConcurrentChanges {
    stop: Arc<AtomicBool>,
    clients: JoinSet<usize>,
}

impl ConcurrentChanges {
    /// Begins, with a new resource: a change of any resource concerns every token.
    pub async fn begin(management: &Actor, clients: usize) -> Self {
        let resource = json!({ "name": "0", "indicator": "urn:example:busy" });
        let resource = management.post("/api/resources", resource).await.expect(201);
        let path = format!("/api/resources/{}", resource.text("id"));
        let mut changing = Self { stop: Arc::default(), clients: JoinSet::new() };
        for client in 0..clients {
            let (management, path, stop) = (management.clone(), path.clone(), Arc::clone(&changing.stop));
            changing.clients.spawn(async move {
                let mut changes = 0;
                while !stop.load(Ordering::Relaxed) {
                    changes += 1;
                    management.patch(&path, json!({ "name": format!("{client} {changes}") })).await.expect(200);
                }
                changes
            });
        }
        changing
    }

    /// Stops, and answers how many changes each client made.
    pub async fn end(self) -> Vec<usize> {
        self.stop.store(true, Ordering::Relaxed);
        self.clients.join_all().await
    }
}
