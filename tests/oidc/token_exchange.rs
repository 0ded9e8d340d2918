//! Token exchange: a subject token is exchanged for an access token that represents the customer and names the actor.

use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_storage::{Json, audit};
use claimsmith_test_support::seed::{new_application, new_resource};
use claimsmith_test_support::{ACCESS_TOKEN, TestServer, both};
use serde_json::json;

both!(a_subject_token_becomes_an_access_token, async |server: TestServer| {
    let demo = server.demo();
    let answer = server.exchange(&server.customer_token().await).send().await.expect(200);
    let mut members: Vec<&String> = answer.body.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["access_token", "expires_in", "issued_token_type", "scope", "token_type"]);
    assert_eq!(answer["issued_token_type"], ACCESS_TOKEN);
    assert_eq!(answer["token_type"], "Bearer");
    assert_eq!(answer["expires_in"], 3600);
    assert_eq!(answer["scope"], "resource:read");
    assert_eq!(answer.header("cache-control"), Some("no-store"));

    let jwt = server.verify(&answer.text("access_token"), &demo.resource).await;
    assert_eq!((jwt.algorithm.as_str(), jwt.kind.as_deref()), ("ES256", Some("at+jwt")));
    let claims = jwt.claims.as_object().unwrap();
    let mut names: Vec<&String> = claims.keys().collect();
    names.sort();
    assert_eq!(names, ["aud", "client_id", "exp", "iat", "iss", "jti", "scope", "sub"]);
    assert_eq!(claims["iss"], server.issuer());
    assert_eq!(claims["sub"], *demo.customer_user_id);
    assert_eq!(claims["aud"], demo.resource);
    assert_eq!(claims["client_id"], *demo.spa_client_id);
    assert_eq!(claims["scope"], "resource:read");
    assert_eq!(claims["iat"], server.clock.now_ms() / 1000);
    assert_eq!(claims["exp"], server.clock.now_ms() / 1000 + 3600);
});

both!(an_actor_is_named_in_act, async |server: TestServer| {
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let token = server.exchange(&server.customer_token().await).actor(&actor).access_token().await;
    let claims = server.verify(&token, &demo.resource).await.claims;
    assert_eq!(claims["sub"], *demo.customer_user_id);
    assert_eq!(claims["act"], serde_json::json!({ "sub": demo.engineer_user_id }));
    // The actor's token is as good as before.
    server.exchange(&server.customer_token().await).actor(&actor).send().await.expect(200);
});

both!(a_web_application_exchanges_too, async |server: TestServer| {
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid profile").await;
    let token = server.exchange(&server.customer_token().await).actor(&actor).as_web().access_token().await;
    let claims = server.verify(&token, &demo.resource).await.claims;
    assert_eq!(claims["client_id"], *demo.web_client_id);
    assert_eq!(claims["act"]["sub"], *demo.engineer_user_id);
});

both!(a_machine_exchanges_when_it_may, async |server: TestServer| {
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let form = server.exchange(&server.customer_token().await).with("client_id", &id).with("client_secret", &secret);
    let claims = server.verify(&form.access_token().await, &server.demo().resource).await.claims;
    assert_eq!(
        (&claims["sub"], &claims["client_id"]),
        (&server.demo().customer_user_id.as_str().into(), &id.as_str().into())
    );
});

both!(what_the_customer_holds_is_granted_and_no_more, async |server: TestServer| {
    let demo = server.demo();
    // The engineer holds `resource:read` alone, the customer both: the actor's rights neither add nor take away.
    let actor = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    for (requested, granted) in [
        ("resource:read resource:write", "resource:read resource:write"),
        ("resource:write", "resource:write"),
        ("openid profile resource.read", ""),
        ("openid resource:read unknown resource:read", "resource:read"),
        ("", ""),
    ] {
        let form = server.exchange(&server.customer_token().await).actor(&actor).with("scope", requested);
        let answer = form.send().await.expect(200);
        assert_eq!(answer["scope"], granted, "{requested}");
        let claims = server.verify(&answer.text("access_token"), &demo.resource).await.claims;
        assert_eq!(claims["scope"], granted, "{requested}");
    }
    let engineer = server.subject_token(&demo.engineer_user_id, serde_json::json!({})).await;
    let answer = server.exchange(&engineer).with("scope", "resource:read resource:write").send().await.expect(200);
    assert_eq!(answer["scope"], "resource:read");
});

both!(a_user_without_roles_gets_a_token_without_scope, async |server: TestServer| {
    let user = server.add_user().await;
    let form = server.exchange(&server.subject_token(&user, serde_json::json!({})).await);
    assert_eq!(form.send().await.expect(200)["scope"], "");
});

both!(a_new_role_counts_from_the_next_exchange, async |server: TestServer| {
    let user = server.add_user().await;
    let scopes = server.add_resource(new_resource("https://new.example.com"), &["fly"]).await;
    let exchange = async || {
        let form = server.exchange(&server.subject_token(&user, serde_json::json!({})).await);
        form.with("resource", "https://new.example.com").with("scope", "fly").send().await.expect(200)["scope"].clone()
    };
    assert_eq!(exchange().await, "");
    server.let_user_hold(&user, &scopes).await;
    assert_eq!(exchange().await, "fly");
});

both!(an_application_must_be_allowed_to_exchange, async |server: TestServer| {
    let subject_token = server.customer_token().await;
    let mut refused = vec![];
    for allow_token_exchange in [None, Some(false)] {
        let mut application = new_application(ApplicationType::Spa);
        application.custom_client_metadata = Json(CustomClientMetadata { allow_token_exchange, ..Default::default() });
        refused.push(application);
    }
    // One that belongs to somebody else never may.
    let mut third_party = new_application(ApplicationType::Spa);
    third_party.is_third_party = true;
    refused.push(third_party);
    for application in refused {
        let (id, _) = server.add(application).await;
        let answer = server.exchange(&subject_token).with("client_id", &id).send().await;
        answer.expect_oauth_error(400, "unauthorized_client");
    }
    server.exchange(&subject_token).as_machine().send().await.expect_oauth_error(400, "unauthorized_client");
    server.exchange(&subject_token).send().await.expect(200);
});

both!(an_exchange_is_written_down, async |server: TestServer| {
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let form = server.exchange(&server.customer_token().await).actor(&actor);
    let request = form.request().header("x-request-id", "story-1").header("user-agent", "a browser");
    let answer = claimsmith_test_support::Answer::of(request).await.expect(200);
    let jti = server.verify(&answer.text("access_token"), &demo.resource).await.claims["jti"].clone();

    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "ExchangeTokenBy.TokenExchange", 10).await.unwrap();
    assert_eq!(logs.len(), 1);
    let payload = &logs[0].payload.0;
    assert_eq!(payload["result"], "Success");
    assert_eq!(payload["userId"], *demo.customer_user_id);
    assert_eq!(payload["actorId"], *demo.engineer_user_id);
    assert_eq!(payload["applicationId"], *demo.spa_client_id);
    assert_eq!(payload["context"]["ticketId"], "TECH-1234");
    assert_eq!((&payload["requestId"], &payload["userAgent"]), (&"story-1".into(), &"a browser".into()));
    assert_eq!((&payload["jti"], &payload["ip"]), (&jti, &"127.0.0.1".into()));
});

both!(what_a_plugin_says_breaks_no_description, async |server: TestServer| {
    let management = server.management().await;
    for (said, description, message) in [
        (r"a\r\nSet-Cookie: b\u007f", "a  Set-Cookie: b ", "a  Set-Cookie: b "),
        (r#"say \"no\" \\"#, "say 'no' /", "say \"no\" \\"),
        ("Größe fehlt", "Gro?e fehlt", "Größe fehlt"),
    ] {
        let source = format!("export const getCustomJwtClaims = async ({{ api }}) => api.denyAccess(\"{said}\");");
        let request = management.request(reqwest::Method::PUT, "/api/plugins/denies");
        let upload = request.header("content-type", "text/javascript").body(source);
        claimsmith_test_support::Answer::of(upload).await.expect(201);
        let refused = server.exchange(&server.customer_token().await).send().await.expect(400);
        assert_eq!((&refused["error"], &refused["error_description"]), (&json!("access_denied"), &json!(description)));
        assert_eq!(refused["message"], message);
        // RFC 6749 section 5.2.
        let is_allowed = |byte: u8| matches!(byte, 0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        assert!(refused.text("error_description").bytes().all(is_allowed));
    }
});
