//! Retention: expired rows are deleted in batches, and no others.

use claimsmith_domain::random;
use claimsmith_identity::retention;
use claimsmith_storage::Json;
use claimsmith_storage::audit::{self, Filter, StoredAuditEntry};
use claimsmith_storage::issuing::subject_tokens::{self, SubjectToken};
use claimsmith_test_support::{Home, TestServer, both};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Rows that expired long ago; more than one batch.
const EXPIRED: usize = 1100;

#[derive(claimsmith_storage::Row)]
struct Count {
    count: i64,
}

both!(expired_rows_go_and_live_ones_stay, async |server: TestServer| {
    let now = server.clock.now_ms();
    let mut tx = server.begin().await;
    for _ in 0..EXPIRED {
        let token = SubjectToken {
            id: random::id(21).unwrap().into(),
            hash: random::id(64).unwrap(),
            user_id: server.demo().customer_user_id.clone(),
            context: json!({}).into(),
            creator_id: "test".to_owned(),
            created_at: now,
            expires_at: now + 1000,
            consumed_at: None,
        };
        subject_tokens::insert(&mut tx, &token).await.unwrap();
    }
    tx.commit().await.unwrap();
    let demo = server.demo();
    let opaque = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    assert_eq!(retention::delete_expired(&server.app).await.unwrap(), 0, "nothing has expired");

    // Expired rows are kept for an hour, for those who ask what happened.
    server.clock.advance(Duration::from_secs(3000));
    let live = server.customer_token().await;
    assert_eq!(retention::delete_expired(&server.app).await.unwrap(), 0);
    server.clock.advance(Duration::from_secs(602));
    assert_eq!(retention::delete_expired(&server.app).await.unwrap(), EXPIRED as u64);
    assert_eq!(retention::delete_expired(&server.app).await.unwrap(), 0);

    let mut tx = server.begin().await;
    let left: Count = tx.sql("SELECT COUNT(*) AS count FROM subject_tokens").one().await.unwrap();
    assert_eq!(left.count, 1);
    drop(tx);
    server.exchange(&live).send().await.expect_oauth_error(400, "invalid_request");
    assert_eq!(server.introspect_as_web(&opaque).await["active"], false);

    // Records of tokens go the same way: the three of the Management API and the one that was minted.
    server.clock.advance(Duration::from_secs(2 * 3600));
    assert!(retention::delete_expired(&server.app).await.unwrap() >= 3);
    let mut tx = server.begin().await;
    let left: Count = tx.sql("SELECT COUNT(*) AS count FROM issuances").one().await.unwrap();
    assert_eq!(left.count, 0);
});

const DAY_MS: i64 = 86_400_000;

/// Writes entries of the audit log that are so many days old.
async fn write(server: &TestServer, days: i64, many: usize) {
    let log = |_| StoredAuditEntry {
        id: random::id(21).unwrap(),
        key: format!("Test.{days}"),
        payload: Json(json!({})),
        created_at: server.clock.now_ms() - days * DAY_MS,
    };
    let mut tx = server.begin().await;
    for part in (0..many).map(log).collect::<Vec<_>>().chunks(500) {
        audit::append(&mut tx, part).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn left(server: &TestServer, days: i64) -> i64 {
    let wanted = Filter { key: Some(format!("Test.{days}")), ..Filter::default() };
    audit::count(&mut server.begin().await, &wanted, i64::MAX).await.unwrap()
}

both!(the_audit_log_is_kept_for_a_year, async |server: TestServer| {
    server.customer_token().await;
    for (days, many) in [(366, EXPIRED), (364, 3), (0, 3)] {
        write(&server, days, many).await;
    }
    assert_eq!(retention::delete_expired(&server.app).await.unwrap(), EXPIRED as u64);
    for (days, many) in [(366, 0), (364, 3), (0, 3)] {
        assert_eq!(left(&server, days).await, many, "{days} days");
    }
    let bootstrap = audit::list_by_key(&mut server.begin().await, "Bootstrap", 1).await.unwrap();
    assert_eq!(bootstrap.len(), 1);
});

both!(the_audit_log_is_kept_as_long_as_is_asked, async |home: Arc<Home>| {
    for (days, swept) in [("0", 0), ("8", 0), ("6", 2)] {
        let server = TestServer::start(&home, &[("CLAIMSMITH_AUDIT_RETENTION_DAYS", days)]).await.unwrap();
        if days == "0" {
            write(&server, 7, 2).await;
            write(&server, 5, 2).await;
        }
        assert_eq!(retention::delete_expired(&server.app).await.unwrap(), swept, "{days} days");
        server.stop().await;
    }
});
