//! Personal access tokens, exchanged by an application for the user who made them.

use claimsmith_test_support::{Answer, Form, TestServer, both};
use serde_json::json;
use std::time::Duration;

const PERSONAL: &str = "urn:logto:token-type:personal_access_token";

/// Makes a token of a user; answers its value.
async fn personal(server: &TestServer, user_id: &str, name: &str) -> String {
    let path = format!("/api/users/{user_id}/personal-access-tokens");
    server.management().await.post(&path, json!({ "name": name })).await.expect(201).text("value")
}

fn exchange(server: &TestServer, token: &str) -> Form {
    server.exchange(token).with("subject_token_type", PERSONAL)
}

#[track_caller]
fn expect_refused(answer: &Answer) {
    answer.expect_oauth_error(400, "invalid_request");
    assert_eq!(answer["error_description"], "subject token is invalid");
}

both!(a_personal_access_token_is_exchanged_again_and_again, async |server: TestServer| {
    let demo = server.demo();
    let token = personal(&server, &demo.customer_user_id, "laptop").await;
    let form = exchange(&server, &token).with("scope", "resource:read openid unknown");
    for _ in 0..3 {
        let answer = form.send().await.expect(200);
        assert_eq!(answer["scope"], "resource:read");
        assert_eq!(answer["issued_token_type"], claimsmith_test_support::ACCESS_TOKEN);
        let claims = server.verify(&answer.text("access_token"), &demo.resource).await.claims;
        assert_eq!((&claims["sub"], claims.get("act")), (&json!(demo.customer_user_id), None));
    }

    let management = server.management().await;
    let logs = management.get("/api/logs?logKey=ExchangeTokenBy.TokenExchange").await.expect(200).body;
    assert_eq!(logs.as_array().unwrap().len(), 3);
    for log in logs.as_array().unwrap() {
        assert_eq!(log["payload"]["personalAccessToken"], "laptop", "{log:#}");
        assert_eq!(log["payload"]["userId"], *demo.customer_user_id);
    }
    assert!(
        !logs.to_string().contains(&token) && !logs.to_string().contains(&claimsmith_services::tokens::hash(&token))
    );
    // Whoever shows their own token acts for nobody.
    assert_eq!(management.get("/api/impersonations").await.expect(200).body, json!([]));
});

both!(plugins_hear_of_the_grant_and_of_no_context, async |server: TestServer| {
    let demo = server.demo();
    let script = "const getCustomJwtClaims = async ({ token, context }) =>
        ({ seen: [context.grant.type, 'subjectTokenContext' in context.grant, token.gty, token.extra === undefined] });";
    let path = "/api/configs/jwt-customizer/access-token";
    let body = json!({ "script": script, "blockIssuanceOnError": true });
    server.management().await.put(path, body).await.expect(201);
    let token = personal(&server, &demo.customer_user_id, "laptop").await;
    let token = exchange(&server, &token).access_token().await;
    let claims = server.verify(&token, &demo.resource).await.claims;
    let grant = "urn:ietf:params:oauth:grant-type:token-exchange";
    assert_eq!(claims["seen"], json!([grant, false, grant, true]));
});

both!(what_is_unknown_expired_or_revoked_is_refused_alike, async |server: TestServer| {
    let user = server.demo().customer_user_id.clone();
    let path = format!("/api/users/{user}/personal-access-tokens");
    let management = server.management().await;
    let expires_at = server.clock.now_ms() + 60_000;
    let expiring = management.post(&path, json!({ "name": "short", "expiresAt": expires_at })).await.expect(201);
    let expiring = exchange(&server, &expiring.text("value"));
    expiring.send().await.expect(200);
    server.clock.advance(Duration::from_secs(60));
    expect_refused(&expiring.send().await);

    let revoked = personal(&server, &user, "revoked").await;
    exchange(&server, &revoked).send().await.expect(200);
    management.delete(&format!("{path}/revoked")).await.expect(204);
    expect_refused(&exchange(&server, &revoked).send().await);

    let live = personal(&server, &user, "live").await;
    let subject = server.customer_token().await;
    for shown in ["pat_nobody", "pat_", "nonsense", &subject, &format!("{live} "), &live.to_uppercase()] {
        expect_refused(&exchange(&server, shown).send().await);
    }
    expect_refused(&server.exchange(&live).send().await);
    server.exchange(&subject).send().await.expect(200);

    server.set_suspended(&user, true).await;
    expect_refused(&exchange(&server, &live).send().await);
    server.set_suspended(&user, false).await;
    exchange(&server, &live).send().await.expect(200);
    server.delete_user(&user).await;
    expect_refused(&exchange(&server, &live).send().await);
});

both!(nobody_acts_beside_it, async |server: TestServer| {
    let demo = server.demo();
    let form = exchange(&server, &personal(&server, &demo.customer_user_id, "laptop").await);
    let actor = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    form.clone().actor(&actor).send().await.expect_oauth_error(400, "invalid_request");
    form.clone().with("actor_token", &actor).send().await.expect_oauth_error(400, "invalid_request");
    form.send().await.expect(200);
});

both!(what_it_gives_has_the_bars_of_an_exchange, async |server: TestServer| {
    let demo = server.demo();
    let form = exchange(&server, &personal(&server, &demo.engineer_user_id, "laptop").await);
    let to_management = form.clone().with("resource", &server.machine().resource).with("scope", "all");
    to_management.send().await.expect_oauth_error(400, "invalid_target");
    form.clone().without("resource").send().await.expect_oauth_error(400, "invalid_target");

    let token = form.access_token().await;
    server.bearer(&token).get("/api/users").await.expect_api_error(403, "auth.forbidden");
    let customer = server.customer_token().await;
    server.exchange(&customer).actor(&token).send().await.expect_oauth_error(400, "invalid_request");

    form.clone().as_machine().send().await.expect_oauth_error(400, "unauthorized_client");
    let elsewhere = server.add_organization_of(&demo.customer_user_id, &[]).await;
    form.with("organization_id", &elsewhere).send().await.expect_oauth_error(403, "access_denied");
});

both!(an_organization_that_requires_a_second_factor_takes_no_personal_token_without_one, async |server: TestServer| {
    let user = server.add_user().await;
    let organization = server.add_organization_of(&user, &[]).await;
    let token = personal(&server, &user, "laptop").await;
    let form = exchange(&server, &token).with("organization_id", &organization);
    form.send().await.expect(200);
    let management = server.management().await;
    let path = format!("/api/organizations/{organization}");
    management.patch(&path, json!({ "isMfaRequired": true })).await.expect(200);
    form.send().await.expect_oauth_error(403, "access_denied");
    form.clone().without("organization_id").send().await.expect(200);
    management.post(&format!("/api/users/{user}/mfa-verifications"), json!({ "type": "Totp" })).await.expect(200);
    form.send().await.expect(200);
});
