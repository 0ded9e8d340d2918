//! Slow searches: they time out, and use a connection pool of their own.

use claimsmith_storage::{Dialect, Tx, users};
use claimsmith_test_support::{TestServer, both, seed::new_user};
use std::sync::Arc;
use tokio::task::JoinSet;

/// As many as would have taken every connection.
const SEARCHES: usize = 18;

/// Within the bounds of a pattern, and for each of the names below as slow as one may be.
const SLOW: &str = "search.name=a[ab]%7B100%7D[%5Eab]&mode=posix";

/// Makes searches slow: on SQLite by long names, on PostgreSQL by a lock that lasts as long as the answer.
async fn slow_down(server: &TestServer) -> Option<Tx> {
    let mut tx = server.begin().await;
    if tx.dialect() == Dialect::Postgres {
        tx.sql("LOCK TABLE users IN ACCESS EXCLUSIVE MODE").execute().await.unwrap();
        return Some(tx);
    }
    let mut state = 1_u64;
    for _ in 0..10_000 {
        let mut user = new_user();
        let letters = (0..128).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if state >> 63 == 0 { 'a' } else { 'b' }
        });
        user.name = Some(letters.collect());
        users::insert(&mut tx, &user).await.unwrap();
    }
    tx.commit().await.unwrap();
    None
}

both!(searches_that_take_too_long_are_ended_and_cost_nobody_else_an_answer, async |server: TestServer| {
    let management = Arc::new(server.management().await);
    let slow = slow_down(&server).await;
    let mut searches = JoinSet::new();
    for _ in 0..SEARCHES {
        let management = Arc::clone(&management);
        searches.spawn(async move { management.get(&format!("/api/users?{SLOW}")).await });
    }
    let mut rounds = 0;
    while !searches.is_empty() {
        // Neither readiness, nor a token, nor another list waits for them.
        server.get("/api/status").await.expect(204);
        server.client_credentials().send().await.expect(200);
        management.get("/api/hooks").await.expect(200);
        rounds += 1;
        while let Some(answer) = searches.try_join_next() {
            let answer = answer.unwrap();
            if answer.status == 200 {
                continue;
            }
            let code = answer["code"].as_str().unwrap_or_default().to_owned();
            assert!(
                ["request.search_timed_out", "request.too_many_searches"].contains(&code.as_str()),
                "{}",
                answer.body
            );
            assert_eq!((answer.status, answer.header("retry-after")), (503, Some("5")));
        }
    }
    assert!(rounds > 1);
    drop(slow);
    let found = management.get("/api/users?search.name=nobody%25").await.expect(200);
    assert_eq!(found.header("total-number"), Some("0"));
});

both!(a_pattern_that_would_keep_the_database_busy_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for (pattern, part) in [
        ("((((a*)*)*)*)*", "nest too deep"),
        ("((x{1,255}){1,255}){1,255}", "too large"),
        ("(((a%7Cb%7Cc){1,60}){1,60}){1,60}", "too large"),
        ("a(?=b)", "look ahead"),
        ("(?!a)b", "look ahead"),
        ("(a)%5C1", "refer back"),
        ("[a[b](?=x)]", "holds another one"),
    ] {
        for list in ["users", "roles", "applications"] {
            let refused = management.get(&format!("/api/{list}?search.name={pattern}&mode=posix")).await;
            refused.expect_api_error(400, "request.invalid_input");
            assert!(refused.text("message").contains(part), "{pattern}: {}", refused.body);
        }
    }
});
