//! The exchange of authorization codes.

use super::{CALLBACK, client, client_with, customer};
use claimsmith_domain::console::{ConsoleRole, built_in};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_storage::resources;
use claimsmith_test_support::{TestServer, both, seed};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinSet;

both!(a_code_gives_tokens_of_the_user, async |server: TestServer| {
    for kind in [ApplicationType::Spa, ApplicationType::Native, ApplicationType::Traditional] {
        let client = client(&server, kind).await;
        let (browser, _) = server.signed_in(&[&customer(&server)]).await;
        let code = client.code(&browser, "openid profile offline_access", &[]).await;
        let answer = client.exchange(&server, &code).send().await.expect(200);
        assert_eq!(answer["token_type"], "Bearer");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        // Native applications get offline_access for the asking, others with a consent alone.
        let offline = kind == ApplicationType::Native;
        let scope = if offline { "openid profile offline_access" } else { "openid profile" };
        assert_eq!(answer["scope"], scope, "{kind:?}");
        assert_eq!(answer["refresh_token"].is_string(), offline, "{kind:?}");
        // Without a resource it is opaque, and for this server's own endpoints.
        let token = answer.text("access_token");
        assert!(!token.contains('.'), "{token}");
        // It is no one else's to see.
        assert_eq!(server.introspect_as_web(&token).await, serde_json::json!({ "active": false }));
    }
});

both!(a_token_for_a_resource_is_a_jwt_with_the_scopes_that_the_user_holds, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let resource = server.demo().resource.clone();
    let asked = [("resource", resource.as_str())];
    let scope = "openid resource:read resource:admin";
    let code = client.code(&browser, scope, &asked).await;
    let exchange = client.exchange(&server, &code);
    // One that was not asked for.
    server.add_resource(seed::new_resource("https://other.example.com"), &[]).await;
    exchange
        .clone()
        .with("resource", "https://other.example.com")
        .send()
        .await
        .expect_oauth_error(400, "invalid_target");
    let answer = exchange.with("resource", &resource).send().await.expect(200);
    assert_eq!(answer["scope"], "resource:read");
    let jwt = server.verify(&answer.text("access_token"), &resource).await;
    assert_eq!(jwt.claims["sub"], customer(&server).as_str());
    assert_eq!(jwt.claims["client_id"], client.id.as_str());
    assert_eq!(jwt.claims["act"], Value::Null);
    // Without openid the only resource is meant.
    let code = client.code(&browser, "resource:read", &asked).await;
    let answer = client.exchange(&server, &code).send().await.expect(200);
    server.verify(&answer.text("access_token"), &resource).await;
});

both!(what_was_given_for_a_resource_is_not_given_for_the_console, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let ada = customer(&server);
    let role = json!({ "roleIds": [ConsoleRole::Admin.role_id()] });
    server.management().await.post(&format!("/api/users/{ada}/roles"), role).await.expect(201);
    let (browser, _) = server.signed_in(&[&ada]).await;
    let indicator = "https://moved.example.com/console";
    let resource = seed::new_resource(indicator);
    server.add_resource(resource.clone(), &["console:admin"]).await;
    let asked = [("resource", indicator)];
    let codes = [
        client.code(&browser, "console:admin", &asked).await,
        client.code(&browser, "openid console:admin", &asked).await,
    ];
    // The server moves there: its console has the indicator from now on.
    let mut tx = server.begin().await;
    resources::set_indicator(&mut tx, &resource.id, "https://moved.example.com/other").await.unwrap();
    resources::set_indicator(&mut tx, &built_in::RESOURCE_ID.into(), indicator).await.unwrap();
    tx.commit().await.unwrap();
    let [only, named] = codes.map(|code| client.exchange(&server, &code));
    let token = only.send().await.expect(200).text("access_token");
    assert!(!token.contains('.'), "it is opaque, and for this server's own endpoints: {token}");
    named.with("resource", indicator).send().await.expect_oauth_error(400, "invalid_target");
});

both!(a_code_is_refused_to_everybody_but_who_asked_for_it, async |server: TestServer| {
    let (client, other) = (client(&server, ApplicationType::Spa).await, client(&server, ApplicationType::Spa).await);
    let web = super::client(&server, ApplicationType::Traditional).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = client.code(&browser, "openid", &[]).await;
    let exchange = client.exchange(&server, &code);
    for (refused, error) in [
        (other.exchange(&server, &code), "invalid_grant"),
        (web.exchange(&server, &code), "invalid_grant"),
        (exchange.clone().with("redirect_uri", "https://shop.example.com/"), "invalid_grant"),
        (exchange.clone().without("redirect_uri"), "invalid_request"),
        (exchange.clone().with("code_verifier", &"x".repeat(43)), "invalid_grant"),
        (exchange.clone().without("code_verifier"), "invalid_grant"),
        (exchange.clone().with("code", "made-up"), "invalid_grant"),
        (exchange.clone().without("code"), "invalid_request"),
        (exchange.clone().and("code", &code), "invalid_request"),
    ] {
        refused.send().await.expect_oauth_error(400, error);
    }
    // None of these used it up.
    exchange.send().await.expect(200);
    // A challenge that was taken out of the request on its way.
    let code = web.code(&browser, "openid", &[("code_challenge", ""), ("code_challenge_method", "")]).await;
    web.exchange(&server, &code).send().await.expect_oauth_error(400, "invalid_grant");
    web.exchange(&server, &code).without("code_verifier").send().await.expect(200);
    let machine = server.form("/oidc/token").with("grant_type", "authorization_code").with("code", &code);
    machine.with("redirect_uri", CALLBACK).as_machine().send().await.expect_oauth_error(400, "unauthorized_client");
});

both!(a_code_lives_a_minute, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = client.code(&browser, "openid", &[]).await;
    server.clock.advance(Duration::from_millis(60_000));
    client.exchange(&server, &code).send().await.expect_oauth_error(400, "invalid_grant");
    let code = client.code(&browser, "openid", &[]).await;
    server.clock.advance(Duration::from_millis(59_999));
    client.exchange(&server, &code).send().await.expect(200);
});

both!(the_second_use_of_a_code_revokes_what_the_first_gave, async |server: TestServer| {
    let client = client_with(&server, ApplicationType::Native, CustomClientMetadata::default(), false).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = client.code(&browser, "openid offline_access", &[]).await;
    let elsewhere = client.code(&browser, "openid offline_access", &[]).await;
    let elsewhere = client.exchange(&server, &elsewhere).send().await.expect(200).text("refresh_token");
    let first = client.exchange(&server, &code).send().await.expect(200);
    client.exchange(&server, &code).send().await.expect_oauth_error(400, "invalid_grant");
    client.refresh(&server, &first.text("refresh_token")).send().await.expect_oauth_error(400, "invalid_grant");
    let revoked: Revoked = server
        .begin()
        .await
        .sql("SELECT COUNT(*) AS count FROM issuances WHERE opaque_hash = $1 AND revoked_at IS NOT NULL")
        .bind(claimsmith_services::tokens::hash(&first.text("access_token")))
        .one()
        .await
        .unwrap();
    assert_eq!(revoked.count, 1);
    // What came from another code goes on.
    client.refresh(&server, &elsewhere).send().await.expect(200);
});

#[derive(claimsmith_storage::Row)]
struct Revoked {
    count: i64,
}

both!(of_many_exchanges_of_one_code_at_most_one_gives_tokens, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    for _ in 0..3 {
        let code = client.code(&browser, "openid offline_access", &[]).await;
        let mut racers = JoinSet::new();
        for _ in 0..30 {
            let form = client.exchange(&server, &code);
            racers.spawn(async move { form.send().await });
        }
        let answers = racers.join_all().await;
        let succeeded: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
        assert_eq!(succeeded.len(), 1, "{answers:?}");
        for refused in answers.iter().filter(|answer| answer.status != 200) {
            refused.expect_oauth_error(400, "invalid_grant");
        }
        // The others were a second use: what the first gave is dead.
        let token = succeeded[0].text("refresh_token");
        client.refresh(&server, &token).send().await.expect_oauth_error(400, "invalid_grant");
    }
});

both!(whoever_was_suspended_or_deleted_meanwhile_gets_nothing, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    for deleted in [false, true] {
        let user = server.add_user().await;
        let (browser, _) = server.signed_in(&[&user]).await;
        let code = client.code(&browser, "openid", &[]).await;
        if deleted {
            server.delete_user(&user).await;
        } else {
            server.set_suspended(&user, true).await;
        }
        client.exchange(&server, &code).send().await.expect_oauth_error(400, "invalid_grant");
    }
});
