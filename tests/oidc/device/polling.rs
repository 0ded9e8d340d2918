//! A device that asks for its tokens: too early, too often, too late, twice, and twenty times at once.

use super::{INTERVAL, ask, device, enter, entries, let_in, poll};
use crate::sign_in::{Client, customer};
use claimsmith_identity::retention;
use claimsmith_test_support::{Answer, TestServer, both};
use std::time::Duration;
use tokio::task::JoinSet;

#[derive(claimsmith_storage::Row)]
struct Count {
    count: i64,
}

/// How many devices there are.
async fn kept(server: &TestServer) -> i64 {
    let sql = "SELECT COUNT(*) AS count FROM device_authorizations";
    server.begin().await.sql(sql).one::<Count>().await.unwrap().count
}

both!(a_device_that_asks_too_often_has_to_wait_longer, async |server: TestServer| {
    let client = device(&server).await;
    let codes = ask(&server, &client, "openid").await;
    let form = poll(&server, &client, &codes);
    let pending = "authorization_pending";
    // Seconds since the last question, and what it is told.
    for (seconds, told) in [
        (0, pending),
        (5, pending),
        (4, "slow_down"),
        (5, "slow_down"),
        (15, pending),
        (14, "slow_down"),
        (0, "slow_down"),
        (25, pending),
        (60, pending),
    ] {
        server.clock.advance(Duration::from_secs(seconds));
        form.send().await.expect_oauth_error(400, told);
    }
    // A way that takes a moment longer or shorter is no fault of the device.
    server.clock.advance(Duration::from_millis(24_600));
    form.send().await.expect_oauth_error(400, pending);
    // Whoever was let in gets the tokens, however soon.
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let_in(&browser, &codes).await;
    form.send().await.expect(200);
    let refused = entries(&server, "ExchangeTokenBy.DeviceCode").await;
    assert_eq!(refused.iter().filter(|entry| entry["error"]["code"] == "slow_down").count(), 4);
    assert!(refused.iter().all(|entry| entry["error"]["code"] != pending), "waiting is no refusal");
});

both!(codes_live_ten_minutes, async |server: TestServer| {
    let client = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let (late, approved, in_time) = (
        ask(&server, &client, "openid").await,
        ask(&server, &client, "openid").await,
        ask(&server, &client, "openid").await,
    );
    let_in(&browser, &approved).await;
    server.clock.advance(Duration::from_millis(599_999));
    poll(&server, &client, &late).send().await.expect_oauth_error(400, "authorization_pending");
    let_in(&browser, &in_time).await;
    poll(&server, &client, &in_time).send().await.expect(200);
    server.clock.advance(Duration::from_millis(1));
    for codes in [&late, &approved] {
        poll(&server, &client, codes).send().await.expect_oauth_error(400, "expired_token");
    }
    // A second use is told apart from a late one.
    poll(&server, &client, &in_time).send().await.expect_oauth_error(400, "invalid_grant");
    enter(&browser, &late.user_code).await.expect(422);
    // What is over is kept for an hour, and deleted.
    assert_eq!(kept(&server).await, 3);
    server.clock.advance(Duration::from_hours(1));
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(kept(&server).await, 3);
    server.clock.advance(Duration::from_millis(1));
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(kept(&server).await, 0);
    poll(&server, &client, &late).send().await.expect_oauth_error(400, "invalid_grant");
});

both!(the_second_use_of_a_device_code_revokes_what_the_first_gave, async |server: TestServer| {
    let client = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let (codes, others) =
        (ask(&server, &client, "openid offline_access").await, ask(&server, &client, "openid offline_access").await);
    let_in(&browser, &codes).await;
    let_in(&browser, &others).await;
    let first = poll(&server, &client, &codes).send().await.expect(200);
    let elsewhere = poll(&server, &client, &others).send().await.expect(200);
    server.clock.advance(INTERVAL);
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "invalid_grant");
    assert!(!is_alive(&server, &client, &first).await);
    // What another device of the same session got goes on.
    assert!(is_alive(&server, &client, &elsewhere).await);
    let revoked = entries(&server, "RevokeToken").await;
    assert_eq!(revoked.len(), 1);
    assert_eq!(revoked[0]["reason"], "the device code was used twice");
});

both!(of_twenty_questions_at_once_one_gets_tokens, async |server: TestServer| {
    let client = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    for _ in 0..3 {
        let codes = ask(&server, &client, "openid offline_access").await;
        let_in(&browser, &codes).await;
        let mut racers = JoinSet::new();
        for _ in 0..20 {
            let form = poll(&server, &client, &codes);
            racers.spawn(async move { form.send().await });
        }
        let answers = racers.join_all().await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!((won.len(), lost.len()), (1, 19), "{won:?}");
        for answer in &lost {
            answer.expect_oauth_error(400, "invalid_grant");
        }
        // The others were a second use.
        assert!(!is_alive(&server, &client, &won[0]).await);
    }
});

/// Whether the access token and the refresh token of an answer live. Tries them.
async fn is_alive(server: &TestServer, client: &Client, tokens: &Answer) -> bool {
    let me = server.bearer(&tokens.text("access_token")).get("/oidc/me").await.status;
    let refreshed = client.refresh(server, &tokens.text("refresh_token")).send().await.status;
    assert!(matches!((me, refreshed), (200, 200) | (401, 400)), "{me} {refreshed}");
    me == 200
}
