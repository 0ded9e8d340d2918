//! Client authentication of each application type at the token endpoint (`docs/decisions/client-authentication.md`, RFC
//! 6749 section 2.3).

use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_storage::applications::{self, ApplicationSecret};
use claimsmith_test_support::seed::{new_application, new_secret};
use claimsmith_test_support::{TestServer, both};
use data_encoding::BASE64;
use serde_json::json;
use std::time::Duration;

const CHALLENGE: &str = "www-authenticate";

both!(a_machine_may_use_the_header_or_the_body, async |server: TestServer| {
    let (id, secret) = (&server.machine().client_id, &server.machine().client_secret);
    let form = server.client_credentials();
    let anonymous = server
        .form("/oidc/token")
        .with("grant_type", "client_credentials")
        .with("resource", &server.machine().resource);
    form.send().await.expect(200);
    anonymous.clone().with("client_id", id).with("client_secret", secret).send().await.expect(200);
    form.with("client_id", id).send().await.expect(200);

    let wrong = anonymous.clone().with("client_id", id).with("client_secret", "wrong").send().await;
    wrong.expect_oauth_error(401, "invalid_client");
    assert_eq!(wrong.header(CHALLENGE), None, "it did not try the header");
    anonymous.with("client_id", id).send().await.expect_oauth_error(401, "invalid_client");
});

both!(a_web_application_must_use_the_header, async |server: TestServer| {
    let (id, secret) = (&server.demo().web_client_id, &server.demo().web_client_secret);
    let form = server.exchange(&server.customer_token().await);
    for form in [form.clone().with("client_id", id), form.clone().with("client_id", id).with("client_secret", secret)] {
        let answer = form.send().await;
        answer.expect_oauth_error(401, "invalid_client");
        assert_eq!(answer.header(CHALLENGE), None);
    }
    for secret in ["", "wrong", &secret[..31], &format!("{secret}x"), &secret.to_lowercase()] {
        let answer = form.clone().without("client_id").basic(id, secret).send().await;
        answer.expect_oauth_error(401, "invalid_client");
        assert!(answer.header(CHALLENGE).unwrap().starts_with("Basic "));
    }
    form.as_web().send().await.expect(200);
});

both!(a_web_application_that_registered_the_body_uses_nothing_else, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({
        "name": "Shop", "type": "Traditional", "customClientMetadata": { "allowTokenExchange": true },
        "oidcClientMetadata": {
            "redirectUris": ["https://shop.example.com/"], "tokenEndpointAuthMethod": "client_secret_post",
        },
    });
    let created = management.post("/api/applications", body).await.expect(200);
    let (id, secret) = (created.text("id"), created.text("secret"));
    let exchange = server.exchange(&server.customer_token().await).without("client_id");
    let push = server.form("/oidc/request").with("response_type", "code").with("scope", "openid");
    let push = push.with("redirect_uri", "https://shop.example.com/");
    let about = |path: &str| server.form(path).with("token", "x");
    let device = server.form("/oidc/device/auth").with("scope", "openid");
    for (form, status) in [
        (exchange.clone(), 200),
        (about("/oidc/token/introspection"), 200),
        (about("/oidc/token/revocation"), 200),
        (push, 201),
        // It proves itself, and is no device.
        (device, 400),
    ] {
        form.clone().basic(&id, &secret).send().await.expect_oauth_error(401, "invalid_client");
        let named = form.with("client_id", &id);
        named.send().await.expect_oauth_error(401, "invalid_client");
        named.clone().with("client_secret", "wrong").send().await.expect_oauth_error(401, "invalid_client");
        let both = named.clone().basic(&id, &secret).with("client_secret", &secret);
        both.send().await.expect_oauth_error(400, "invalid_request");
        named.with("client_secret", &secret).send().await.expect(status);
    }
    // With the default again, the header is the only way.
    let path = format!("/api/applications/{id}");
    let change = json!({ "oidcClientMetadata": { "tokenEndpointAuthMethod": null } });
    management.patch(&path, change).await.expect(200);
    let form = about("/oidc/token/introspection");
    form.clone().basic(&id, &secret).send().await.expect(200);
    form.with("client_id", &id).with("client_secret", &secret).send().await.expect_oauth_error(401, "invalid_client");
});

both!(a_public_application_names_itself_and_has_no_secret, async |server: TestServer| {
    let (native, _) = server.add_application(ApplicationType::Native).await;
    for id in [&native, &server.demo().spa_client_id] {
        let form = server.exchange(&server.customer_token().await).with("client_id", id);
        form.clone().with("client_secret", "secret").send().await.expect_oauth_error(401, "invalid_client");
        form.clone().without("client_id").basic(id, "").send().await.expect_oauth_error(401, "invalid_client");
        form.clone().basic(id, "secret").send().await.expect_oauth_error(401, "invalid_client");
        form.send().await.expect(200);
    }
});

both!(nobody_and_an_unknown_client_are_refused_alike, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    let nobody = form.clone().without("client_id").send().await;
    nobody.expect_oauth_error(401, "invalid_client");
    let stranger = form.clone().with("client_id", "stranger").send().await;
    stranger.expect_oauth_error(401, "invalid_client");
    let wrong = form.without("client_id").basic(&server.demo().web_client_id, "wrong").send().await;
    assert_eq!(stranger.body, wrong.body, "who exists is nobody's business");
});

both!(credentials_in_the_header_are_percent_decoded, async |server: TestServer| {
    let mut application = new_application(ApplicationType::MachineToMachine);
    application.id = "https://client.example.com/?a=b c".into();
    server.add(application.clone()).await;
    let secret = "50% + más: & =/";
    let mut tx = server.begin().await;
    applications::insert_secret(&mut tx, &new_secret(&application.id, secret)).await.unwrap();
    tx.commit().await.unwrap();

    let form = server.client_credentials();
    form.clone().basic(&application.id, secret).send().await.expect(200);
    let raw = |text: String| form.clone().authorization(&format!("Basic {}", BASE64.encode(text.as_bytes())));
    // Every character encoded is the same as the few that must be.
    let all = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<Vec<_>>().concat();
    raw(format!("{}:{}", all(&application.id), all(secret))).send().await.expect(200);
    // As it is, the secret holds a `+` that stands for a space.
    raw(format!("{}:{secret}", all(&application.id))).send().await.expect_oauth_error(401, "invalid_client");
    // The scheme's name has no case (RFC 9110 section 11.1).
    let credentials = BASE64.encode(format!("{}:{}", all(&application.id), all(secret)).as_bytes());
    form.authorization(&format!("bAsIc {credentials}")).send().await.expect(200);
});

both!(a_malformed_header_is_an_invalid_request, async |server: TestServer| {
    let form = server.client_credentials();
    let encoded = |bytes: &[u8]| format!("Basic {}", BASE64.encode(bytes));
    for header in [
        "Basic".to_owned(),
        "Basic %%%".to_owned(),
        "Bearer abc".to_owned(),
        "abc".to_owned(),
        encoded(b"no-colon"),
        encoded(b"\xff\xfe:secret"),
        encoded(b"id:%ff"),
    ] {
        form.clone().authorization(&header).send().await.expect_oauth_error(400, "invalid_request");
    }
    let twice = form.request().header("authorization", encoded(b"other:secret"));
    claimsmith_test_support::Answer::of(twice).await.expect_oauth_error(400, "invalid_request");
});

both!(one_mechanism_and_one_client_at_a_time, async |server: TestServer| {
    let (id, secret) = (&server.machine().client_id, &server.machine().client_secret);
    let form = server.client_credentials();
    let both = form.clone().with("client_id", id).with("client_secret", secret);
    both.send().await.expect_oauth_error(400, "invalid_request");
    let other = form.clone().with("client_id", &server.demo().spa_client_id);
    other.send().await.expect_oauth_error(400, "invalid_request");
    let twice = form.clone().and("client_id", id).and("client_id", id);
    twice.send().await.expect_oauth_error(400, "invalid_request");
});

both!(every_secret_of_an_application_works_until_it_expires, async |server: TestServer| {
    let (id, first) = server.add_application(ApplicationType::MachineToMachine).await;
    let end = server.clock.now_ms() + 60_000;
    let mut tx = server.begin().await;
    let second = ApplicationSecret { expires_at: Some(end), ..new_secret(&id, "second secret") };
    applications::insert_secret(&mut tx, &second).await.unwrap();
    tx.commit().await.unwrap();

    let form = server.client_credentials();
    form.clone().basic(&id, &first).send().await.expect(200);
    form.clone().basic(&id, "second secret").send().await.expect(200);
    server.clock.advance(Duration::from_secs(60));
    form.clone().basic(&id, "second secret").send().await.expect_oauth_error(400, "invalid_request");
    form.clone().basic(&id, &first).send().await.expect(200);

    let mut tx = server.begin().await;
    assert!(applications::delete_secret(&mut tx, &id, &second.name).await.unwrap());
    tx.commit().await.unwrap();
    form.clone().basic(&id, "second secret").send().await.expect_oauth_error(401, "invalid_client");
    form.basic(&id, &first).send().await.expect(200);
});
