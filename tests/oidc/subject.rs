//! Refused subject tokens: the same error for all of them, and no side effects.

use claimsmith_domain::random::Random;
use claimsmith_test_support::{ACCESS_TOKEN, Answer, TestServer, both};
use serde_json::json;
use std::time::Duration;

/// Asserts a refusal that does not tell a guesser which of unknown, expired and used it was.
#[track_caller]
fn expect_refused(answer: &Answer) {
    answer.expect_oauth_error(400, "invalid_request");
    assert_eq!(answer["error_description"], "subject token is invalid");
}

both!(unknown_used_and_expired_are_refused_alike, async |server: TestServer| {
    let used = server.customer_token().await;
    server.exchange(&used).send().await.expect(200);
    expect_refused(&server.exchange(&used).send().await);

    let expired = server.customer_token().await;
    server.clock.advance(Duration::from_secs(600));
    expect_refused(&server.exchange(&expired).send().await);

    for unknown in ["sub_000000000000000000000", "sub_", "nonsense", &"sub_x".repeat(1000)] {
        expect_refused(&server.exchange(unknown).send().await);
    }
});

both!(a_subject_token_lives_to_its_last_millisecond, async |server: TestServer| {
    let token = server.customer_token().await;
    server.clock.advance(Duration::from_millis(599_999));
    server.exchange(&token).send().await.expect(200);
});

both!(a_token_is_compared_letter_by_letter, async |server: TestServer| {
    let token = server.customer_token().await;
    for other in [format!("{token} "), format!("{token}x"), token.to_uppercase(), token[..token.len() - 1].to_owned()] {
        expect_refused(&server.exchange(&other).send().await);
    }
    server.exchange(&token).send().await.expect(200);
});

both!(token_and_type_come_together, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    form.clone().without("subject_token").send().await.expect_oauth_error(400, "invalid_request");
    form.clone().without("subject_token_type").send().await.expect_oauth_error(400, "invalid_request");
    for kind in [
        "urn:ietf:params:oauth:token-type:jwt",
        "urn:ietf:params:oauth:token-type:id_token",
        "access_token",
        "nonsense",
    ] {
        let answer = form.clone().with("subject_token_type", kind).send().await;
        answer.expect_oauth_error(400, "invalid_request");
    }
    form.with("subject_token_type", ACCESS_TOKEN).send().await.expect(200);
    let other_name = "urn:logto:token-type:impersonation_token";
    let form = server.exchange(&server.customer_token().await).with("subject_token_type", other_name);
    form.send().await.expect(200);
    expect_refused(&form.send().await);
});

both!(access_tokens_are_no_subject_tokens, async |server: TestServer| {
    let demo = server.demo();
    let opaque = server.mint(&demo.customer_user_id, &demo.spa_client_id, "openid").await;
    let jwt = server.mint_for(&demo.customer_user_id, &demo.spa_client_id, "openid", Some(&demo.resource)).await;
    let exchanged = server.exchange(&server.customer_token().await).access_token().await;
    for token in [opaque, jwt, exchanged, server.management_token().await] {
        expect_refused(&server.exchange(&token).send().await);
    }
});

both!(a_suspended_user_is_not_impersonated, async |server: TestServer| {
    let user = server.add_user().await;
    let token = server.subject_token(&user, json!({})).await;
    server.set_suspended(&user, true).await;
    expect_refused(&server.exchange(&token).send().await);
    // One is still issued for them, and works when they are back.
    let second = server.subject_token(&user, json!({})).await;
    expect_refused(&server.exchange(&second).send().await);
    server.set_suspended(&user, false).await;
    server.exchange(&token).send().await.expect(200);
    server.exchange(&second).send().await.expect(200);
});

both!(a_deleted_user_is_not_impersonated, async |server: TestServer| {
    let user = server.add_user().await;
    let token = server.subject_token(&user, json!({})).await;
    server.delete_user(&user).await;
    expect_refused(&server.exchange(&token).send().await);
});

both!(a_refused_exchange_leaves_the_token_unused, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    let organization = server.add_organization_of(&server.demo().engineer_user_id, &[]).await;
    for (refused, status, error) in [
        (form.clone().with("resource", "https://unknown.example.com"), 400, "invalid_target"),
        (form.clone().without("resource"), 400, "invalid_target"),
        (form.clone().actor("nonsense"), 400, "invalid_request"),
        (form.clone().with("scope", "\""), 400, "invalid_scope"),
        (form.clone().with("organization_id", &organization), 403, "access_denied"),
        (form.clone().without("client_id"), 401, "invalid_client"),
        (form.clone().as_machine(), 400, "unauthorized_client"),
        (form.clone().and("scope", "again"), 400, "invalid_request"),
    ] {
        refused.send().await.expect_oauth_error(status, error);
    }
    form.send().await.expect(200);
    expect_refused(&form.send().await);
});

both!(a_spent_token_stays_spent_after_a_restart, async |server: TestServer| {
    let (home, clock) = (server.home.clone(), server.clock.clone());
    let (used, unused) = (server.customer_token().await, server.customer_token().await);
    server.exchange(&used).send().await.expect(200);
    server.stop().await;

    let server = TestServer::start_at((clock, Random::system()), &home, &[]).await.unwrap();
    expect_refused(&server.exchange(&used).send().await);
    server.exchange(&unused).send().await.expect(200);
});
