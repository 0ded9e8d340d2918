//! Crash safety: what a killed server has acknowledged is durable, and no subject token is exchanged twice.

use crate::BINARY;
use claimsmith_services::tokens;
use claimsmith_storage::Db;
use claimsmith_storage::issuing::subject_tokens;
use claimsmith_test_support::{Answer, Home, Process, both};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// Subject tokens of one round.
const TOKENS: usize = 40;
/// Exchanges that run at once.
const WORKERS: usize = 8;

#[derive(claimsmith_storage::Row)]
struct Count {
    count: i64,
}

/// How many issuance records there are for a subject token, and whether it is marked as consumed.
async fn state(db: &Db, subject_token: &str) -> (i64, bool) {
    let mut tx = db.read().await.unwrap();
    let stored = subject_tokens::find_by_hash(&mut tx, &tokens::hash(subject_token)).await.unwrap().unwrap();
    let sql = "SELECT COUNT(*) AS count FROM issuances WHERE subject_token_id = $1";
    let issued: Count = tx.sql(sql).bind(stored.id).one().await.unwrap();
    (issued.count, stored.consumed_at.is_some())
}

/// Exchanges tokens until `answers` of them have been answered, then kills the server at once. The status of each
/// token, `None` where the answer never came.
async fn exchange_until_killed(server: &mut Process, answers: usize) -> HashMap<String, Option<u16>> {
    let mut subject_tokens = Vec::new();
    for _ in 0..TOKENS {
        subject_tokens.push(server.customer_token().await);
    }
    let waiting = Arc::new(Mutex::new(subject_tokens));
    let (answered, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let mut workers = JoinSet::new();
    for _ in 0..WORKERS {
        let (api, waiting, answered, enough) = ((**server).clone(), waiting.clone(), answered.clone(), enough.clone());
        workers.spawn(async move {
            let mut seen = Vec::new();
            loop {
                let Some(token) = waiting.lock().unwrap().pop() else { return seen };
                let status = Answer::try_of(api.exchange(&token).request()).await.ok().map(|answer| answer.status);
                if answered.fetch_add(1, Ordering::SeqCst) + 1 == answers {
                    enough.notify_one();
                }
                seen.push((token, status));
            }
        });
    }
    enough.notified().await;
    server.kill().await;
    workers.join_all().await.into_iter().flatten().collect()
}

both!(what_was_answered_holds_and_nothing_is_issued_twice, async |home: Arc<Home>| {
    let db = home.db().await;
    let mut seen = HashMap::new();
    for answers in [1, 7, 19] {
        let mut server = Process::start(BINARY, &home, &[]).await.unwrap();
        seen.extend(exchange_until_killed(&mut server, answers).await);
    }
    assert_eq!(seen.len(), 3 * TOKENS);
    assert!(seen.values().all(|status| matches!(status, None | Some(200))), "{seen:?}");
    assert!(seen.values().filter(|status| status.is_some()).count() >= 1 + 7 + 19);

    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    for (token, status) in seen {
        let (issued, consumed) = state(&db, &token).await;
        assert_eq!(issued, i64::from(consumed), "consumed and recorded together, or neither");
        assert!(consumed || status.is_none(), "what was answered was durable");
        let again = server.exchange(&token).send().await;
        if consumed {
            again.expect_oauth_error(400, "invalid_request");
        } else {
            assert_eq!(again.status, 200, "{:#}", again.body);
            server.exchange(&token).send().await.expect_oauth_error(400, "invalid_request");
        }
        assert_eq!(state(&db, &token).await, (1, true));
    }
    db.close().await;
});
