//! What has expired is deleted, in batches, and nothing else is.

use claimsmith::storage::subject_tokens::{self, SubjectToken};
use claimsmith::{random, sweep};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;
use sqlx::types::Json;
use std::time::Duration;

/// Rows that expired long ago; more than one batch.
const EXPIRED: usize = 1100;

#[derive(sqlx::FromRow)]
struct Count {
    count: i64,
}

both!(expired_rows_go_and_live_ones_stay, async |server: TestServer| {
    let now = server.clock.now_ms();
    let mut tx = server.begin().await;
    for _ in 0..EXPIRED {
        let token = SubjectToken {
            id: random::id(21).unwrap(),
            hash: random::id(64).unwrap(),
            user_id: server.demo().customer_user_id.clone(),
            context: Json(json!({})),
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
    assert_eq!(sweep::sweep(&server.app).await.unwrap(), 0, "nothing has expired");

    // Expired rows are kept for an hour, for those who ask what happened.
    server.clock.advance(Duration::from_secs(3000));
    let live = server.customer_token().await;
    assert_eq!(sweep::sweep(&server.app).await.unwrap(), 0);
    server.clock.advance(Duration::from_secs(602));
    assert_eq!(sweep::sweep(&server.app).await.unwrap(), EXPIRED as u64);
    assert_eq!(sweep::sweep(&server.app).await.unwrap(), 0);

    let mut tx = server.begin().await;
    let left: Count = tx.sql("SELECT COUNT(*) AS count FROM subject_tokens").one().await.unwrap();
    assert_eq!(left.count, 1);
    drop(tx);
    server.exchange(&live).send().await.expect_oauth_error(400, "invalid_request");
    assert_eq!(server.introspect_as_web(&opaque).await["active"], false);

    // Records of tokens go the same way: the three of the Management API and the one that was minted.
    server.clock.advance(Duration::from_secs(2 * 3600));
    assert!(sweep::sweep(&server.app).await.unwrap() >= 3);
    let mut tx = server.begin().await;
    let left: Count = tx.sql("SELECT COUNT(*) AS count FROM issuances").one().await.unwrap();
    assert_eq!(left.count, 0);
});
