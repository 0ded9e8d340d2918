//! `POST /oidc/token/revocation` (RFC 7009): an application revokes its token. The effects on the Management API and on
//! actors are in their files.

use claimsmith_storage::audit;
use claimsmith_test_support::{Form, TestServer, both};

fn revocation(server: &TestServer, token: &str) -> Form {
    server.form("/oidc/token/revocation").with("token", token)
}

both!(a_client_takes_its_token_back, async |server: TestServer| {
    let demo = server.demo();
    let jwt = server.exchange(&server.customer_token().await).as_web().access_token().await;
    let opaque = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    for token in [&jwt, &opaque] {
        assert_eq!(server.introspect_as_web(token).await["active"], true);
        let answer = revocation(&server, token).as_web().send().await.expect(200);
        assert!(answer.body.is_null());
        assert_eq!(server.introspect_as_web(token).await["active"], false);
        // Again is no error.
        revocation(&server, token).as_web().send().await.expect(200);
    }
    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "RevokeToken", 10).await.unwrap();
    assert_eq!(logs.len(), 2, "each revocation is written down once");
    assert!(logs.iter().all(|log| log.payload.0["applicationId"] == *demo.web_client_id));
    assert!(logs.iter().all(|log| !log.payload.0.to_string().contains(&opaque)));
});

both!(a_public_client_takes_its_token_back, async |server: TestServer| {
    let demo = server.demo();
    let token = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    revocation(&server, &token).with("client_id", &demo.spa_client_id).send().await.expect(200);
    let form = server.exchange(&server.customer_token().await).actor(&token);
    form.send().await.expect_oauth_error(400, "invalid_request");
});

both!(a_machine_takes_its_token_back_by_header_or_body, async |server: TestServer| {
    let machine = server.machine();
    let (first, second) = (server.management_token().await, server.management_token().await);
    revocation(&server, &first).as_machine().send().await.expect(200);
    let by_body = revocation(&server, &second).with("client_id", &machine.client_id);
    by_body.with("client_secret", &machine.client_secret).send().await.expect(200);
    for token in [&first, &second] {
        server.bearer(token).get("/api/plugins").await.expect_api_error(401, "auth.unauthorized");
    }
});

both!(another_clients_token_stays, async |server: TestServer| {
    let demo = server.demo();
    let theirs = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    let form = revocation(&server, &theirs);
    form.clone().with("client_id", &demo.spa_client_id).send().await.expect_oauth_error(400, "invalid_request");
    form.as_machine().send().await.expect_oauth_error(400, "invalid_request");
    assert_eq!(server.introspect_as_web(&theirs).await["active"], true);
});

both!(an_unknown_token_is_no_error, async |server: TestServer| {
    for token in ["nonsense", "a.b.c", "sub_000000000000000000000"] {
        revocation(&server, token).as_web().send().await.expect(200);
    }
    // A subject token is not an access token: nobody takes it back here.
    let subject_token = server.customer_token().await;
    revocation(&server, &subject_token).as_web().send().await.expect(200);
    server.exchange(&subject_token).send().await.expect(200);
});

both!(who_asks_and_for_what_must_be_said, async |server: TestServer| {
    revocation(&server, "x").send().await.expect_oauth_error(401, "invalid_client");
    let wrong = revocation(&server, "x").basic(&server.demo().web_client_id, "wrong");
    wrong.send().await.expect_oauth_error(401, "invalid_client");
    let form = server.form("/oidc/token/revocation").as_web();
    form.send().await.expect_oauth_error(400, "invalid_request");
    form.and("token", "a").and("token", "b").send().await.expect_oauth_error(400, "invalid_request");
});
