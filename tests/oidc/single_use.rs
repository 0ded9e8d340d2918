//! Single use: of any number of concurrent exchanges of one subject token exactly one succeeds, also across servers on
//! one database.

use claimsmith_services::tokens;
use claimsmith_storage::issuing::subject_tokens;
use claimsmith_test_support::{Api, Home, Process, TestServer, both, on_postgres};
use serde_json::json;
use std::sync::Arc;
use tokio::task::JoinSet;

#[derive(claimsmith_storage::Row)]
struct Count {
    count: i64,
}

/// Sends so many exchanges of one token at once, spread over these servers; answers how many succeeded.
async fn race(servers: &[&Api], subject_token: &str, times: usize) -> usize {
    let mut racers = JoinSet::new();
    for server in servers.iter().cycle().take(times) {
        let form = server.exchange(subject_token);
        racers.spawn(async move { form.send().await });
    }
    let mut succeeded = 0;
    while let Some(answer) = racers.join_next().await {
        let answer = answer.unwrap();
        if answer.status == 200 {
            succeeded += 1;
        } else {
            answer.expect_oauth_error(400, "invalid_request");
        }
    }
    succeeded
}

both!(of_a_hundred_parallel_exchanges_one_succeeds, async |server: TestServer| {
    for _ in 0..3 {
        let token = server.customer_token().await;
        assert_eq!(race(&[&server], &token, 100).await, 1);
        let mut tx = server.begin().await;
        let stored = subject_tokens::find_by_hash(&mut tx, &tokens::hash(&token)).await.unwrap().unwrap();
        let issued: Count = tx
            .sql("SELECT COUNT(*) AS count FROM issuances WHERE subject_token_id = $1")
            .bind(stored.id)
            .one()
            .await
            .unwrap();
        assert_eq!(issued.count, 1);
    }
});

both!(different_tokens_do_not_disturb_each_other, async |server: TestServer| {
    let mut tokens = Vec::new();
    for _ in 0..20 {
        tokens.push(server.customer_token().await);
    }
    let mut racers = JoinSet::new();
    for form in tokens.iter().chain(&tokens).map(|token| server.exchange(token)) {
        racers.spawn(async move { form.send().await.status });
    }
    let statuses = racers.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 20);
    assert_eq!(statuses.iter().filter(|status| **status == 400).count(), 20);
});

on_postgres!(across_two_processes_one_succeeds, async |home: Arc<Home>| {
    let binary = env!("CARGO_BIN_EXE_claimsmith");
    let folder = home.folder().join("second");
    let second = [("CLAIMSMITH_DATA_DIR", folder.to_str().unwrap())];
    // At once, on an empty database: one of them sets it up.
    let (first, second) = tokio::join!(Process::start(binary, &home, &[]), Process::start(binary, &home, &second));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_ne!(first.origin, second.origin);
    for _ in 0..3 {
        let token = first.subject_token(&first.demo().customer_user_id, json!({})).await;
        assert_eq!(race(&[&first, &second], &token, 100).await, 1);
    }
    // What one of them signed, the other verifies.
    let token = second.exchange(&first.customer_token().await).access_token().await;
    assert_eq!(first.verify(&token, &first.demo().resource).await.claims["sub"], *first.demo().customer_user_id);
});
