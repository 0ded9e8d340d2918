//! Sampling of refused requests: all are counted, and few get an audit entry of their own.

use claimsmith_storage::audit::{self, Filter, StoredAuditEntry};
use claimsmith_storage::{Db, Slice};
use claimsmith_test_support::{Form, TestServer, both, until};
use std::time::Duration;
use tokio::task::JoinSet;

/// The entries of refused token requests.
async fn refused(db: &Db) -> Vec<StoredAuditEntry> {
    let mut tx = db.read().await.unwrap();
    let logs = audit::list(&mut tx, &Filter::default(), Slice::ALL).await.unwrap();
    logs.into_iter().filter(|log| log.payload["result"] == "Error").collect()
}

/// How many refusals they tell of.
fn told(logs: &[StoredAuditEntry]) -> u64 {
    logs.iter().map(|log| log.payload.get("count").map_or(1, |count| count.as_u64().unwrap())).sum()
}

/// Sends a form so many times, by a few at once.
async fn send(form: &Form, times: usize) {
    let mut senders = JoinSet::new();
    for _ in 0..16 {
        let form = form.clone();
        senders.spawn(async move {
            for _ in 0..times / 16 {
                assert!(matches!(form.send().await.status, 400 | 401));
            }
        });
    }
    while let Some(sent) = senders.join_next().await {
        sent.unwrap();
    }
}

both!(twenty_thousand_refusals_leave_a_few_rows, async |server: TestServer| {
    let spa = &server.demo().spa_client_id;
    let known = server.form("/oidc/token").with("grant_type", "nonsense").with("client_id", spa);
    let unknown = server.form("/oidc/token").with("grant_type", "client_credentials").with("client_id", "nobody");
    send(&known, 9984).await;
    send(&unknown, 9984).await;
    send(&server.form("/oidc/token").with("client_id", spa), 32).await;
    server.clock.advance(Duration::from_secs(61));
    // What has a row of its own is written soon, what has not when its minute is over.
    assert!(server.app.refusals.write().await.unwrap() <= 3);
    until("all are told", async || (told(&refused(&server.app.db).await) == 20_000).then_some(())).await;

    let logs = refused(&server.app.db).await;
    assert_eq!(logs.len(), 3 * 11, "ten of each reason by themselves, and one number");
    let number = |code: &str| {
        let found = logs.iter().find(|log| log.payload["error"]["code"] == code && log.payload["count"].is_u64());
        found.unwrap().payload.0.clone()
    };
    let of_known = number("unsupported_grant_type");
    assert_eq!((of_known["applicationId"].as_str(), of_known["count"].as_u64()), (Some(spa.as_str()), Some(9974)));
    assert_eq!(of_known["ip"], "127.0.0.1");
    let of_unknown = number("invalid_client");
    assert!(of_unknown.get("applicationId").is_none());
    assert_eq!(of_unknown["key"], "ExchangeTokenBy.ClientCredentials");
    assert_eq!(number("invalid_request")["count"], 22);

    // Then the first of each is told by itself again.
    known.send().await.expect_oauth_error(400, "unsupported_grant_type");
    until("it is told", async || (told(&refused(&server.app.db).await) == 20_001).then_some(())).await;
    assert_eq!(refused(&server.app.db).await.len(), 34);
});

both!(what_was_counted_is_written_when_the_server_ends, async |server: TestServer| {
    let home = server.home.clone();
    let form = server.form("/oidc/token").with("grant_type", "nonsense");
    send(&form.clone().with("client_id", &server.demo().spa_client_id), 64).await;
    send(&form, 64).await;
    drop(form);
    server.stop().await;
    let db = home.db().await;
    let logs = refused(&db).await;
    assert_eq!((told(&logs), logs.len()), (128, 22));
    db.close().await;
});
